"""The rules for clusters find faults: one small valid history, and invalid changes of it."""

from __future__ import annotations

import copy
from datetime import UTC, datetime

import pytest

from cluster_rules import check_cluster
from history import Answer, Disturbance, History
from test_history_rules import drop, event, everywhere, gone, toast
from test_history_rules import good as good_server

BEGAN = 1000


def good() -> History:
    """A history that keeps all rules: event 3 happens after 3 seconds, and so on."""
    history = good_server()
    for who in history.subscribers:
        for session in who.sessions:
            session.began, session.ended = BEGAN, BEGAN + 3.5
            for frame in session.frames:
                frame.body["at"] = datetime.fromtimestamp(BEGAN + frame.offset, UTC).isoformat()
    ask = history.operations[0]
    ask.kind = "ask"
    ask.answers = [Answer(202, toast(1)), Answer(200, gone(1, "swipe", revision=2, message="p.5"))]
    history.looks[0].sent, history.looks[1].sent = 3, 6
    history.logs_of_nodes = {node: {"c": copy.deepcopy(history.log("c"))} for node in ("n0", "n1", "n2")}
    history.disturbances = [Disturbance("kill", 0, 2)]
    return history


def test_a_good_history_is_good():
    assert check_cluster(good()) == []


def test_each_rule_has_a_case_that_violates_it():
    assert {rule for rule, _ in CASES.values()} == {
        *("same log", "attended", "fresh", "asked", "prompt"),
        *("one log", "order", "life", "acknowledged", "once", "repeated"),
    }


def slow(seconds: float, *disturbances: Disturbance):
    def change(history: History) -> None:
        history.operations[1].answered = history.operations[1].sent + seconds
        history.disturbances = list(disturbances)

    return change


def unattended(history: History) -> None:
    for who in history.subscribers:
        for session in who.sessions:
            session.ended = BEGAN + 0.5


def only_readers(history: History) -> None:
    for who in history.subscribers:
        who.is_audience = False


def only_a_look_at_the_state(history: History) -> None:
    for who in history.subscribers:
        for session in who.sessions:
            session.is_poll, session.since = True, None


def acted_twice(history: History) -> None:
    for log in (log["c"] for log in history.logs_of_nodes.values()):
        log[8] = log[9] = {"type": "acted", "channel": "c", "id": "t2", "action": "yes", "at": log[8]["at"]}
    for offset in (8, 9):
        everywhere(history, offset, {"type": "acted", "id": "t2", "action": "yes"})


def other_outcome(history: History) -> None:
    history.operations[0].answers[1] = Answer(200, gone(1, "timeout", revision=2, message="p.5"))


def two_outcomes(history: History) -> None:
    history.operations[0].answers.append(Answer(200, gone(1, "swipe", revision=2, message="p.6")))


def two_toasts_of_a_question(history: History) -> None:
    history.operations[0].answers.append(Answer(202, toast(2)))


def extra_event(history: History) -> None:
    """Clients received an event that no node has."""
    frame = history.frame({**event(10, "enqueued", toast=toast(9, message="p.7")), "at": "2026-01-01T00:00:00Z"})
    history.subscribers[0].sessions[0].frames.append(frame)


def of(node: str, offset: int, change=lambda log, offset: log.pop(offset)):
    return lambda history: change(history.logs_of_nodes[node]["c"], offset)


def fork(log: dict, offset: int) -> None:
    log[offset]["toast"]["message"] = "other"


def everywhere_else(history: History) -> None:
    """All nodes have an event that differs from the one that clients received."""
    for log in history.logs_of_nodes.values():
        fork(log["c"], 9)


def presented_twice(history: History) -> None:
    everywhere(history, 7, {"type": "presented", "toast": toast(1, "presented"), "at": "2026-01-01T00:00:00Z"})


CASES = {
    "a node without an event": ("same log", of("n1", 6)),
    "a node that is behind": ("same log", of("n2", 9)),
    "a node with another event": ("same log", of("n0", 2, fork)),
    "all nodes with another event than was seen": ("same log", everywhere_else),
    "an event that is in no log": ("same log", extra_event),
    "presented to nobody": ("attended", unattended),
    "presented to those who only read": ("attended", only_readers),
    "presented to a poll without a cursor": ("attended", only_a_look_at_the_state),
    "a read that is behind": ("fresh", lambda h: setattr(h.looks[0], "sent", 4)),
    "another outcome than in the log": ("asked", other_outcome),
    "two outcomes of one question": ("asked", two_outcomes),
    "one question asked twice": ("asked", two_toasts_of_a_question),
    "two actions on one toast": ("asked", acted_twice),
    "slow after a kill": ("prompt", slow(5.1, Disturbance("kill", 0, 1))),
    "slow without any reason": ("prompt", slow(5.1)),
    "very slow": ("prompt", slow(12.1, Disturbance("kill", 0, 1), Disturbance("leader", 0, 1))),
    "slower than an election and a takeover": ("prompt", slow(20.1, Disturbance("server cut", 0, 1))),
    "slow before a further disturbance": ("prompt", slow(20, Disturbance("cut", 0, 1), Disturbance("stop", 14.1, 15))),
    "slow after a further disturbance": ("prompt", slow(20.1, Disturbance("cut", 0, 1), Disturbance("stop", 8, 9))),
    "an offset that nobody saw": ("one log", lambda h: drop(h, 6)),
    "an event twice": ("order", lambda h: h.subscribers[1].sessions[1].frames.insert(1, h.frame(event(3, "x")))),
    "presented twice": ("life", presented_twice),
    "an acknowledged toast lost": ("acknowledged", lambda h: h.operations[1].answers[0].body.update(id="t8")),
    "a toast made twice": ("once", lambda h: everywhere(h, 9, {"type": "enqueued", "toast": toast(4, message="p.3")})),
    "two answers under one key": (
        "repeated",
        lambda h: h.operations[1].answers.__setitem__(1, Answer(201, toast(3), True)),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_each_violation_is_found(case):
    rule, change = CASES[case]
    history = good()
    change(history)
    assert rule in {fault.rule for fault in check_cluster(history)}


def test_a_publish_may_be_slow_while_more_than_a_node_is_lost():
    history = good()
    slow(11.9, Disturbance("kill", 0, 1), Disturbance("leader", 0, 1))(history)
    assert "prompt" not in {fault.rule for fault in check_cluster(history)}


def test_each_disturbance_extends_the_limit_of_a_publish():
    history = good()
    sent = history.operations[1].sent
    slow(19, Disturbance("cut", sent, sent + 1), Disturbance("stop", sent + 8, sent + 9))(history)
    assert "prompt" not in {fault.rule for fault in check_cluster(history)}


def test_a_log_need_not_begin_with_the_first_offset():
    """In a cluster the first offset of a channel is a position in a stream of NATS."""
    history = good()
    history.start = {"c": 4}
    for log in history.logs_of_nodes.values():
        log["c"] = {offset: body for offset, body in log["c"].items() if offset > 4}
    for who in history.subscribers:
        for session in who.sessions:
            session.frames = [frame for frame in session.frames if frame.offset > 4]
    assert "one log" not in {fault.rule for fault in check_cluster(history)}


def test_an_undecided_request_may_have_been_carried_out():
    history = good()
    undecided = Answer(503, {"type": "urn:toastd:problem:store-undecided"})
    history.operations[5].answers = [undecided]
    everywhere(history, 9, {"type": "enqueued", "toast": toast(4, message="p.6")})
    history.operations[4].tags = ("p.3",)
    history.operations[4].answers[0].body["toasts"].pop()
    history.looks[1].toasts.pop()
    assert "once" not in {fault.rule for fault in check_cluster(history)}
    history.operations[5].answers = [Answer(503, {"type": "urn:toastd:problem:store-unavailable"})]
    assert "once" in {fault.rule for fault in check_cluster(history)}
