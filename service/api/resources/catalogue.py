"""The catalogue of problems, for programs as JSON and for people as pages."""

from dataclasses import dataclass
from html import escape
from typing import Final

from flask import request

from service.api.operation import JSON, Call, Reply, Resource
from service.api.problems import CATALOGUE, Kind, Problem
from service.api.schemas.pages import ProblemCatalogueSchema, ProblemKindSchema

catalogue = Resource("problems", "What can go wrong, and what to do then.")

HTML: Final = "text/html"
_HEADERS: Final = (
    ("Cache-Control", "public, max-age=300"),
    ("Vary", "Accept"),
    ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
    ("X-Content-Type-Options", "nosniff"),
)


@dataclass(frozen=True, slots=True)
class ProblemCatalogue:
    """Every kind of problem."""

    problems: tuple[Kind, ...]


@catalogue.get(
    "/problems",
    "getProblems",
    answer=ProblemCatalogueSchema,
    media=(JSON, HTML),
    shows="ProblemCatalogue",
)
def get_problems(_call: Call) -> Reply:
    """Read the catalogue of problems.

    JSON, or a page where the caller prefers HTML.
    """
    kinds = tuple(CATALOGUE.values())
    return _reply(ProblemCatalogue(kinds), "Problems", kinds)


@catalogue.get(
    "/problems/{code}",
    "getProblem",
    answer=ProblemKindSchema,
    media=(JSON, HTML),
    refusals=("not_found",),
    shows="ProblemKind",
)
def get_problem(_call: Call, code: str) -> Reply:
    """Read about one kind of problem.

    Where the `type` of a problem leads: JSON, or a page where the caller prefers HTML.
    """
    kind = CATALOGUE.get(code)
    if kind is None:
        raise Problem("not_found", "No problem has this code; GET /problems lists every code.")
    return _reply(kind, kind.title, (kind,))


def _reply(content: object, title: str, kinds: tuple[Kind, ...]) -> Reply:
    if request.accept_mimetypes.best_match([JSON, HTML], JSON) == HTML:
        return Reply(_page(title, kinds), media=f"{HTML}; charset=utf-8", headers=_HEADERS)
    return Reply(content, headers=_HEADERS)


def _page(title: str, kinds: tuple[Kind, ...]) -> str:
    sections = "".join(
        f'<h2><a href="{kind.type}">{kind.code}</a> ({kind.status})</h2>'
        f"<p><strong>{escape(kind.title)}.</strong> {escape(kind.meaning)}</p>"
        for kind in kinds
    )
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title></head><body><h1>{escape(title)}</h1>{sections}"
        '<p><a href="/problems">All problems</a></p></body></html>'
    )
