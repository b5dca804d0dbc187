"""The app: every resource as a blueprint, every operation bound to the services."""

from typing import Final

from flask import Blueprint, Flask

from service.api.app import App
from service.api.cors import allow_origins
from service.api.endpoint import endpoint
from service.api.failures import answer_failures
from service.api.limiting import limit_rates
from service.api.operation import Operation, Resource
from service.api.resources.analysis import analysis
from service.api.resources.catalogue import catalogue
from service.api.resources.docs import docs
from service.api.resources.games import games
from service.api.resources.health import METRICS_PATH, health
from service.api.resources.moves import moves
from service.api.resources.play import play
from service.api.resources.records import records
from service.api.resources.rules import rules
from service.api.resources.seats import seats
from service.api.resources.streams import streams
from service.api.services import Services
from service.api.trace import trace_requests

RESOURCES: Final[tuple[Resource, ...]] = (
    games,
    seats,
    moves,
    records,
    streams,
    analysis,
    rules,
    catalogue,
    health,
    docs,
    play,
)


def all_operations() -> tuple[Operation, ...]:
    """Return every operation of the contract, resource by resource."""
    return tuple(operation for resource in RESOURCES for operation in resource.operations)


def create_app(services: Services) -> Flask:
    """Return the app that serves the contract with these services."""
    app = App("service.api", static_folder=None)
    app.url_map.merge_slashes = False
    app.extensions["drain"] = services.streams.drain
    app.extensions["sample"] = services.metrics.sample
    trace_requests(app, services.log, services.metrics)
    answer_failures(app, services.log)
    operations = _served(services)
    if services.origins:
        allow_origins(app, services.origins)
    if services.rates:
        limit_rates(app, services.rates, operations)
    for resource in RESOURCES:
        app.register_blueprint(_blueprint(resource, services, operations))
    return app


def _served(services: Services) -> tuple[Operation, ...]:
    """Return the operations, without that of the figures where they are read elsewhere."""
    left_out = METRICS_PATH if services.metrics_apart else None
    return tuple(operation for operation in all_operations() if operation.path != left_out)


def _blueprint(
    resource: Resource, services: Services, operations: tuple[Operation, ...]
) -> Blueprint:
    blueprint = Blueprint(resource.name, __name__)
    for operation in filter(operations.__contains__, resource.operations):
        handle = endpoint(operation, services, operations)
        blueprint.add_url_rule(
            operation.path.replace("{", "<").replace("}", ">"),
            operation.id,
            handle,
            methods=[operation.method],
        )
        if operation.alias:
            blueprint.add_url_rule(operation.alias, operation.id, handle)
    return blueprint
