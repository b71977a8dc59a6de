"""The rules that check histories find faults: one small valid history, and invalid changes of it."""

from __future__ import annotations

import copy

import pytest

from history import Answer, History, Look, Operation, Session, Subscriber
from history_rules import check


def toast(number: int, state: str = "queued", revision: int = 1, message: str | None = None) -> dict:
    return {"id": f"t{number}", "message": message or f"p.{number}", "revision": revision, "state": state}


def event(offset: int, kind: str, **members) -> dict:
    return {"type": kind, "channel": "c", "cursor": f"e-{offset}", **members}


def events() -> list[dict]:
    """The log of four toasts, two of them in a batch: the first is presented, changed and swiped away, then the second
    is presented.
    """
    return [
        event(1, "configured"),
        event(2, "enqueued", toast=toast(1)),
        event(3, "presented", toast=toast(1, "presented")),
        event(4, "enqueued", toast=toast(2)),
        event(5, "updated", toast=toast(1, "presented", 2, "p.5"), changed=["message"]),
        event(6, "dismissed", id="t1", dismissReason="swipe"),
        event(7, "presented", toast=toast(2, "presented")),
        event(8, "enqueued", toast=toast(3)),
        event(9, "enqueued", toast=toast(4)),
    ]


def gone(number: int, reason: str, **members) -> dict:
    return {**toast(number, "dismissed", **members), "dismissReason": reason}


def good() -> History:
    """A history that keeps all rules."""
    history = History({"c": "fifo"}, final={"c": 9})
    steady = subscriber(history, "steady", [(0, [event(0, "resumed"), *events()])])
    subscriber(history, "cut", [(0, [event(0, "resumed"), *events()[:4]]), (4, [event(4, "resumed"), *events()[4:]])])
    snapshot = event(5, "snapshot", reset=False, presented=[{"toast": toast(1, "presented", 2, "p.5")}], queuedCount=1)
    subscriber(history, "late", [(None, [snapshot, *events()[5:]])])
    poller = subscriber(history, "poller", [(0, events()[:3]), (3, events()[3:]), (9, [])])
    for session in poller.sessions:
        session.is_poll = True
    steady.position = {"c": 9}
    history.operations = [
        operation("post", 1, ("p.1",), [Answer(201, toast(1))], key="k1"),
        operation("post", 2, ("p.2",), [Answer(201, toast(2)), Answer(201, toast(2), True)], key="k2"),
        operation("patch", 3, ("p.5",), [Answer(200, toast(1, "presented", 2, "p.5"))], target="t1"),
        operation("dismiss", 4, (), [Answer(200, gone(1, "swipe", revision=2, message="p.5"))], target="t1"),
        operation("post", 5, ("p.3", "p.4"), [Answer(201, {"toasts": [toast(3), toast(4)]})], key="k3"),
        operation("post", 6, ("p.6",), [Answer(429, {"type": "queue-full"})]),
        operation("post", 7, ("p.7",), []),
    ]
    history.looks = [
        Look("c", 4, [toast(1, "presented"), toast(2)]),
        Look("c", 9, [toast(2, "presented"), toast(3), toast(4)]),
        Look("c", 9, [gone(1, "swipe", revision=2, message="p.5")], True),
    ]
    return history


def subscriber(history: History, name: str, sessions: list[tuple[int | None, list[dict]]]) -> Subscriber:
    made = Subscriber(name, ("c",), position={"c": 9})
    for since, envelopes in sessions:
        frames = [history.frame(copy.deepcopy(envelope)) for envelope in envelopes]
        made.sessions.append(Session(None if since is None else {"c": since}, frames))
    history.subscribers.append(made)
    return made


def operation(kind: str, at: int, tags: tuple[str, ...], answers: list[Answer], **members) -> Operation:
    return Operation(
        kind, "c", tags, sent=at, answered=at + 0.5, attempts=max(1, len(answers)), answers=answers, **members
    )


def test_a_good_history_is_good():
    assert check(good()) == []


def test_each_rule_has_a_case_that_violates_it():
    assert {rule for rule, _ in CASES.values()} == {
        *("one log", "order", "reset", "caught up", "life", "one at a time", "acknowledged"),
        *("once", "repeated", "one after the other", "folded"),
    }


def drop(history: History, *offsets: int) -> None:
    """No subscriber ever received these events."""
    for who in history.subscribers:
        for session in who.sessions:
            session.frames = [frame for frame in session.frames if frame.offset not in offsets]


def everywhere(history: History, offset: int, body: dict) -> None:
    """All subscribers received a different event at this offset."""
    for who in history.subscribers:
        for session in who.sessions:
            for frame in session.frames:
                if frame.offset == offset and frame.type not in ("snapshot", "resumed"):
                    frame.body = {"channel": "c", **body}


def another_event(history: History) -> None:
    frames = history.subscribers[1].sessions[1].frames
    frames[-1] = copy.deepcopy(frames[-1])
    frames[-1].body["toast"]["message"] = "other"


def say_good_bye_twice(history: History) -> None:
    everywhere(history, 9, {"type": "dismissed", "id": "t1", "dismissReason": "timeout"})
    history.looks.pop(1)


def lost_toast(history: History) -> None:
    history.operations.append(operation("post", 8, ("p.8",), [Answer(201, toast(8))]))


def answer_and_log_differ(history: History) -> None:
    history.operations[3].answers[0].body["dismissReason"] = "close"


def reset_of(offset: int):
    def change(history: History) -> None:
        shot = event(offset, "snapshot", reset=True, presented=[{"toast": toast(2, "presented")}], queuedCount=2)
        history.subscribers[1].sessions.append(Session({"c": 4}, [history.frame(shot)]))

    return change


def swap(history: History) -> None:
    frames = history.subscribers[0].sessions[0].frames
    frames[3], frames[4] = frames[4], frames[3]


def ahead(history: History) -> None:
    """A stream of two channels, whose cursor covers an event that it did not send."""
    composite = [
        {**event(0, "resumed"), "cursor": "e-c.0~d.0"},
        {**event(0, "resumed"), "channel": "d", "cursor": "e-c.0~d.0"},
    ]
    told = [{**events()[0], "cursor": "e-c.1~d.0"}, {**event(1, "configured"), "channel": "d", "cursor": "e-c.2~d.1"}]
    who = subscriber(history, "both", [(0, [*composite, *told])])
    who.channels, who.position, who.sessions[0].since = ("c", "d"), {"c": 9, "d": 1}, {"c": 0, "d": 0}
    history.modes["d"] = "fifo"


def two_at_once(history: History) -> None:
    history.looks[0].toasts[1]["state"] = "presented"


def two_in_the_log(history: History) -> None:
    everywhere(history, 6, {"type": "presented", "toast": toast(2, "presented")})
    drop(history, 7, 8, 9)
    history.final = {"c": 6}


def set_body(history: History, number: int, attempt: int, answer: Answer) -> None:
    history.operations[number].answers[attempt] = answer


CASES = {
    "an offset that nobody saw": ("one log", lambda h: drop(h, 6)),
    "two events at one offset": ("one log", another_event),
    "a gap behind a cursor": ("order", lambda h: h.subscribers[1].sessions[1].frames.pop(1)),
    "a gap within": ("order", lambda h: h.subscribers[0].sessions[0].frames.pop(5)),
    "an event twice": ("order", lambda h: h.subscribers[1].sessions[1].frames.insert(1, h.frame(events()[3]))),
    "two events swapped": ("order", swap),
    "resumed elsewhere": ("order", lambda h: setattr(h.subscribers[1].sessions[1], "since", {"c": 3})),
    "a poll from elsewhere": ("order", lambda h: setattr(h.subscribers[3].sessions[1], "since", {"c": 2})),
    "a poll whose cursor is behind what it did not tell": (
        "order",
        lambda h: setattr(h.subscribers[3].sessions[0], "end", {"c": 4}),
    ),
    "a cursor ahead of another channel": ("order", ahead),
    "no first frame": ("order", lambda h: h.subscribers[0].sessions[0].frames.pop(0)),
    "a needless reset": ("reset", reset_of(9)),
    "a snapshot in place of the history": ("reset", lambda h: setattr(h.subscribers[2].sessions[0], "since", {"c": 0})),
    "somebody left behind": ("caught up", lambda h: setattr(h.subscribers[1], "position", {"c": 8})),
    "dismissed twice": ("life", say_good_bye_twice),
    "dismissed without a reason": ("life", lambda h: everywhere(h, 6, {"type": "dismissed", "id": "t1"})),
    "an unknown toast": ("life", lambda h: everywhere(h, 6, {"type": "dismissed", "id": "t9", "dismissReason": "api"})),
    "presented twice": ("life", lambda h: everywhere(h, 7, {"type": "presented", "toast": toast(1, "presented")})),
    "a revision left out": ("life", lambda h: everywhere(h, 5, {"type": "updated", "toast": toast(1, revision=3)})),
    "two on screen in an answer": ("one at a time", two_at_once),
    "two on screen in the log": ("one at a time", two_in_the_log),
    "an acknowledged toast lost": ("acknowledged", lost_toast),
    "an acknowledged change lost": ("acknowledged", lambda h: set_body(h, 2, 0, Answer(200, toast(1, revision=3)))),
    "another outcome than was told": ("acknowledged", answer_and_log_differ),
    "an answer about another toast": ("acknowledged", lambda h: set_body(h, 0, 0, Answer(201, toast(2)))),
    "a toast made twice": ("once", lambda h: everywhere(h, 9, {"type": "enqueued", "toast": toast(4, message="p.3")})),
    "half a batch": ("once", lambda h: everywhere(h, 9, {"type": "enqueued", "toast": toast(4, message="p.7")})),
    "a refused toast": ("once", lambda h: everywhere(h, 9, {"type": "enqueued", "toast": toast(4, message="p.6")})),
    "what nobody asked for": ("once", lambda h: everywhere(h, 9, {"type": "enqueued", "toast": toast(4, message="x")})),
    "two answers under one key": ("repeated", lambda h: set_body(h, 1, 1, Answer(201, toast(3), True))),
    "carried out twice": ("repeated", lambda h: set_body(h, 1, 1, Answer(201, toast(2)))),
    "overtaken": ("one after the other", lambda h: setattr(h.operations[4], "answered", 1.5)),
    "GET shows another state": ("folded", lambda h: h.looks[1].toasts.pop()),
    "GET shows another order": ("folded", lambda h: h.looks[1].toasts.reverse()),
    "a snapshot shows another state": (
        "folded",
        lambda h: h.subscribers[2].sessions[0].frames[0].body.update(queuedCount=2),
    ),
    "another reason in the list of the dismissed": (
        "folded",
        lambda h: h.looks[2].toasts[0].update(dismissReason="tap"),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_each_violation_is_found(case):
    rule, change = CASES[case]
    history = good()
    change(history)
    assert rule in {fault.rule for fault in check(history)}


def test_a_cursor_may_lack_a_channel():
    """A client may have a cursor without one of its channels, if a kill came between the first frames of the two."""
    history = good()
    late = next(subscriber for subscriber in history.subscribers if subscriber.name == "late")
    late.sessions[0].since = {"d": 0}
    assert check(history) == []


def test_a_reset_is_allowed_when_the_cursor_is_older_than_the_log():
    history = good()
    for offset in range(10, 1010):
        number = offset + 100
        envelope = event(offset, "enqueued", toast=toast(number))
        history.operations.append(operation("post", offset, (f"p.{number}",), [Answer(201, toast(number))]))
        for who in (0, 2, 3):
            history.subscribers[who].sessions[-1 if who != 3 else 1].frames.append(history.frame(envelope))
    history.subscribers[3].sessions.pop()
    history.final = {"c": 1009}
    for who in history.subscribers:
        who.position = {"c": 1009}
    shot = event(1009, "snapshot", reset=True, presented=[{"toast": toast(2, "presented")}], queuedCount=1002)
    history.subscribers[1].sessions.append(Session({"c": 9}, [history.frame(shot)]))
    assert check(history) == []
    history.subscribers[1].sessions[-1].since = {"c": 10}
    assert {fault.rule for fault in check(history)} == {"reset"}
