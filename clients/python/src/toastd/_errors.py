"""The errors of the client."""

from __future__ import annotations

from typing import Any

import httpx

from ._models import Problem


class ToastdError(Exception):
    """Any failure of this package."""


class ConnectionLost(ToastdError):
    """The server could not be reached, or the connection broke. Try again later."""


class UnexpectedAnswer(ToastdError):
    """The answer is not one of toastd. The address may be that of another server, so trying again does not help."""


class ProblemError(ToastdError):
    """The server refused a request. `problem` is its document; `type` is that of the problem, without
    `urn:toastd:problem:`.
    """

    def __init__(self, status: int, problem: Problem) -> None:
        self.status = status
        self.problem = problem
        # A proxy's document may have the same members with other values.
        self.type = str(problem.get("type", "about:blank")).removeprefix("urn:toastd:problem:")
        errors = problem.get("errors")
        listed = [e for e in errors if isinstance(e, dict)] if isinstance(errors, list) else []
        faults = "; ".join(f"{e.get('pointer')}: {e.get('detail')}" for e in listed)
        sentence = faults or problem.get("detail") or problem.get("title") or ""
        super().__init__(f"{status} {self.type}: {sentence}")

    def __reduce__(self) -> tuple[Any, ...]:
        """For `pickle` and `copy`, which would otherwise pass only the message to `__init__`."""
        return type(self), (self.status, self.problem), self.__dict__


def problem_of(response: httpx.Response) -> ProblemError:
    """The problem in a response whose body was read. For a response without a JSON object, such as a proxy's page, it
    has only the reason phrase as its title. Redirects are not followed.
    """
    if response.status_code in range(300, 400):
        target = response.headers.get("Location", "another address")
        return ProblemError(response.status_code, {"title": f"The server redirects to {target}: use that address."})
    try:
        document = response.json()
    except ValueError:
        document = None
    if not isinstance(document, dict):
        document = {"title": response.reason_phrase}
    return ProblemError(response.status_code, document)  # type: ignore[arg-type]
