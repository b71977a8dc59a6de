"""The documents of the API as types, with the names of the API. Durations are in seconds."""

from typing import Any, Literal, NotRequired, TypedDict

Role = Literal["success", "error", "warning", "info"]
Placement = Literal["top", "center", "bottom"]
Alignment = Literal["start", "center", "end"]
State = Literal["queued", "presented", "dismissed"]
Haptic = Literal["automatic", "success", "warning", "error", "light", "medium", "heavy", "none"]
Dismissal = Literal["swipe", "close", "tap", "escape", "key"]


class LocalizedText(TypedDict):
    """A text that the server looks up in the reader's language; `text` is the result."""

    key: str
    arguments: NotRequired[list[Any]]
    default: NotRequired[str]
    text: NotRequired[str]


Text = str | LocalizedText


class Action(TypedDict):
    """A button of a toast."""

    id: str
    title: Text
    role: NotRequired[Literal["destructive", "cancel"] | None]
    url: NotRequired[str | None]
    dismisses: NotRequired[bool | Literal["whenDone"] | None]
    pending: NotRequired[bool | None]


class Draft(TypedDict, total=False):
    """The members that a publisher sets. `message` or `title` is required. `None` is the same as an absent member; in a
    patch it removes the member.
    """

    message: Text | None
    title: Text | dict[str, bool] | None
    role: Role | None
    duration: float | Literal["short", "long", "indefinite"] | None
    style: str | None
    placement: Placement | None
    align: Alignment | None
    icon: str | None
    actions: list[Action] | None
    progress: dict[str, Any] | None
    image: dict[str, str] | None
    link: str | None
    haptic: Haptic | None
    expiresAfter: float | None
    requiresInteraction: bool | None
    dimsBackground: bool | None
    appearance: dict[str, Any] | None
    reuseIdentifier: str | None
    notBefore: str | None
    whenPresent: Literal["replace"] | None
    data: Any


class Warning(TypedDict):
    """A note about an accepted member, most often one without effect: a JSON Pointer and a sentence; for two colours
    also their contrast, 1 to 21.
    """

    pointer: str
    detail: str
    ratio: NotRequired[float]


class Toast(TypedDict):
    """A toast. A client without the scope `subscribe` gets a receipt, without the members of the content."""

    id: str
    channel: str
    revision: int
    state: State
    createdAt: str
    role: NotRequired[Role]
    title: NotRequired[Text | None]
    message: NotRequired[Text]
    style: NotRequired[str]
    placement: NotRequired[Placement]
    align: NotRequired[Alignment]
    duration: NotRequired[float | Literal["indefinite"]]
    haptic: NotRequired[Haptic]
    icon: NotRequired[str]
    actions: NotRequired[list[Action]]
    progress: NotRequired[dict[str, Any]]
    image: NotRequired[dict[str, str]]
    link: NotRequired[str]
    expiresAfter: NotRequired[float]
    requiresInteraction: NotRequired[bool]
    dimsBackground: NotRequired[bool]
    appearance: NotRequired[dict[str, Any]]
    reuseIdentifier: NotRequired[str]
    notBefore: NotRequired[str]
    data: NotRequired[Any]
    presentedAt: NotRequired[str]
    dismissedAt: NotRequired[str]
    dismissReason: NotRequired[str]
    action: NotRequired[str]
    warnings: NotRequired[list[Warning]]


class ToastBatch(TypedDict):
    """The toasts of one request, in its order. The pointers of `warnings` begin with the index of the toast."""

    toasts: list[Toast]
    warnings: NotRequired[list[Warning]]


class UpdatedToasts(TypedDict):
    """Toasts that were changed together. `toasts` has as many of them as fit into 256 KiB, and at least one."""

    updatedCount: int
    toasts: list[Toast]
    warnings: NotRequired[list[Warning]]


class Hold(TypedDict):
    """A hold on a toast's countdown. `lease` is the time until it ends by itself, `remaining` that of the toast's
    countdown, absent if the toast has none.
    """

    id: str
    holder: str
    lease: float
    remaining: NotRequired[float]


class Problem(TypedDict, total=False):
    """A problem document (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str
    instance: str
    errors: list[dict[str, str]]
    toast: Toast
    retryAfter: float
    summary: dict[str, int]
    results: list[Any]


class PublicationResult(TypedDict):
    """The result of a publish in one of several channels: its status, and a toast or a problem."""

    channel: str
    status: int
    toast: NotRequired[Toast]
    warnings: NotRequired[list[Warning]]
    problem: NotRequired[Problem]


class PublicationResults(TypedDict):
    """The results of a publish to several channels, in their order."""

    summary: dict[str, int]
    results: list[PublicationResult]
    warnings: NotRequired[list[Warning]]


class Page(TypedDict):
    """A page of a channel's toasts. A stream that resumes from `cursor` has no gap."""

    cursor: str
    toasts: list[Toast]
    next: NotRequired[str]


class Event(TypedDict):
    """An event. Which members it has depends on `type`; the server's `/openapi.yaml` lists them."""

    type: str
    at: str
    channel: NotRequired[str]
    cursor: NotRequired[str]
    toast: NotRequired[Toast]
    id: NotRequired[str]
    action: NotRequired[str]
    data: NotRequired[Any]
    changed: NotRequired[list[str]]
    moved: NotRequired[bool]
    dismissReason: NotRequired[str]
    exit: NotRequired[float]
    holder: NotRequired[str]
    held: NotRequired[bool]
    lease: NotRequired[float]
    remaining: NotRequired[float]
    haptic: NotRequired[Haptic]
    announcement: NotRequired[str]
    presented: NotRequired[list[dict[str, Any]]]
    queuedCount: NotRequired[int]
    effective: NotRequired[dict[str, Any]]
    own: NotRequired[dict[str, Any]]
    defaults: NotRequired[dict[str, Any]]
    reset: NotRequired[bool]
    retry: NotRequired[float]
