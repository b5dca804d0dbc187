"""Flask, without what this service has no use for and each request would pay for."""

from collections.abc import Callable
from typing import Any, NoReturn
from urllib.parse import urlsplit, urlunsplit

from flask import Flask, Request, Response
from werkzeug.datastructures import Headers
from werkzeug.routing import RequestRedirect


class Answered(Response):
    """A response whose headers are complete when it is made."""

    def get_wsgi_headers(self, environ: dict[str, Any]) -> Headers:
        """Return the headers as they are, where Werkzeug would look through a copy of them.

        It takes some out of an answer without a body, makes a Location one of ASCII, and counts
        what Flask itself answers with.
        """
        if self.status_code == 200 and self.response != []:
            return self.headers
        return super().get_wsgi_headers(environ)


class App(Flask):
    """An app whose functions are all plain ones, so that none has to be asked."""

    response_class = Answered

    def raise_routing_exception(self, request: Request) -> NoReturn:
        """Send to a path, where Werkzeug names the host that the caller did, which may be any."""
        error = request.routing_exception
        if isinstance(error, RequestRedirect):
            error.new_url = urlunsplit(("", "", *urlsplit(error.new_url)[2:]))
        super().raise_routing_exception(request)

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function itself."""
        return func
