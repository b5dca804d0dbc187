"""Rate limits: whoever asks too often is told when to go on.

A caller is a seat token where the operation proves it, else an address. A replay is free. When
nobody can count, all requests are let through.
"""

import hashlib
from collections.abc import Mapping

from flask import Flask, Request, Response, g, request

from service.api.headers import bearer
from service.api.operation import Operation
from service.api.problems import Problem
from service.api.rates import Charge, Policy, Rates


def limit_rates(app: Flask, rates: Rates, operations: tuple[Operation, ...]) -> None:
    """Have the app refuse with 429 whoever asks too often."""
    by_id: Mapping[str, Operation] = {operation.id: operation for operation in operations}

    @app.before_request
    def charge() -> None:
        operation = by_id.get((request.endpoint or "").rpartition(".")[2])
        policy = _policy_of(operation, rates) if operation else None
        g.charge = None
        if operation and policy:
            g.charge = rates.charge(policy, caller_of(request, operation))
        if g.charge and g.charge.count > g.charge.policy.quota:
            raise Problem(
                "rate_limited",
                f"{g.charge.policy.quota} such requests in {g.charge.policy.seconds} seconds are "
                f"allowed; go on in {g.charge.resets} seconds.",
            )

    @app.after_request
    def tell_what_is_left(response: Response) -> Response:
        charged: Charge | None = g.get("charge")
        if charged is None:
            return response
        if response.headers.get("Idempotency-Replayed") == "true":
            charged = rates.refund(charged)
        response.headers.extend(charged.headers)
        if response.status_code == 429:
            response.headers["Retry-After"] = str(charged.resets)
        return response


def _policy_of(operation: Operation, rates: Rates) -> Policy | None:
    if not operation.limited:
        return None
    return rates.seats if operation.key == "secret" else rates.requests


def caller_of(asked: Request, operation: Operation) -> str:
    """Return a name for who asks that gives nothing away: of the token, else of the address.

    A token that nobody will look at could be invented anew for each request.
    """
    try:
        proved = operation.auth != "none"
        token = bearer(asked.headers.get("Authorization")) if proved else None
    except Problem:
        token = None
    return hashlib.sha256((token or asked.remote_addr or "").encode()).hexdigest()[:32]
