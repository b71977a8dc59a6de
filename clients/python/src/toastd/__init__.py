"""A client of toastd, the server that schedules toasts.

    from toastd import Toastd

    with Toastd("http://127.0.0.1:8080", token="toastd_KEY") as server:
        server.channel("ops").publish("Deployed", role="success")

`AsyncToastd` has the same methods for asyncio.
"""

from ._async import AsyncChannel, AsyncToastd
from ._calls import VERSION
from ._errors import ConnectionLost, ProblemError, ToastdError, UnexpectedAnswer
from ._models import (
    Action,
    Dismissal,
    Draft,
    Event,
    Hold,
    Page,
    Problem,
    PublicationResults,
    Text,
    Toast,
    ToastBatch,
    UpdatedToasts,
    Warning,
)
from ._sync import Channel, Toastd

__all__ = [
    "Action",
    "AsyncChannel",
    "AsyncToastd",
    "Channel",
    "ConnectionLost",
    "Dismissal",
    "Draft",
    "Event",
    "Hold",
    "Page",
    "Problem",
    "ProblemError",
    "PublicationResults",
    "Text",
    "Toast",
    "ToastBatch",
    "Toastd",
    "ToastdError",
    "UnexpectedAnswer",
    "UpdatedToasts",
    "Warning",
]
__version__ = VERSION
