"""The rules that the history of a cluster must keep, in addition to those in `history_rules`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise

from history import FIRSTS, Body, Disturbance, History, Operation, brief
from history_rules import Fault, Log, around, by_id, check, effects

# Seconds: how long an audience counts after its last sign of life, and how far a node's clock may be off.
AUDIENCE_LIFETIME = 5.0
CLOCK_ERROR = 1.0
# The longest time of a publish, in seconds: when only nodes were killed, with any other disturbance, and when a server
# of NATS was cut off from the others. Then a leader must be elected before the log can show that the nodes at the cut
# server are silent.
SLOWEST_AFTER_KILL = 5.0
SLOWEST = 12.0
SLOWEST_WITH_SERVER_CUT = 20.0
# The seconds for which a disturbance has consequences after it is over.
AFTERMATH = 6.0


def check_cluster(history: History) -> list[Fault]:
    """All violations; none if a correct cluster can have this history."""
    logs = {channel: history.log(channel) for channel in history.modes}
    faults = check(history)
    faults += same_at_every_node(history, logs)
    faults += prompt(history)
    for channel, log in logs.items():
        operations = [operation for operation in history.operations if operation.channel == channel]
        faults += attended(history, channel, log)
        faults += fresh(history, operations, channel, log)
        faults += asked(operations, channel, log)
    return faults


def same_at_every_node(history: History, logs: dict[str, Log]) -> Iterator[Fault]:
    """Every node returns the same log, up to the end and without a gap; it has every event that clients saw."""
    rule = "same log"
    for channel, seen in logs.items():
        told = {node: log[channel] for node, log in history.logs_of_nodes.items()}
        ends = {node: max(log, default=history.start.get(channel, 0)) for node, log in told.items()}
        for node, log in told.items():
            if ends[node] < history.final.get(channel, 0):
                yield Fault(rule, f"{channel}: {node} ends at {ends[node]}, before {history.final[channel]}")
            missing = [offset for offset in range(min(log, default=0), ends[node]) if offset not in log]
            if missing:
                yield Fault(rule, f"{channel} {missing[0]}: {node} does not have it", around(log, missing[0]))
            for offset, event in log.items():
                others = {other: told[other][offset] for other in told if offset in told[other]} | (
                    {"a client": seen[offset]} if offset in seen else {}
                )
                different = next((other for other, body in others.items() if body != event), None)
                if different:
                    where = f"{channel} {offset}: {node} and {different} have different events"
                    yield Fault(rule, where, (str(event), str(others[different])))
                    break
        begin, end = max(map(min, filter(None, told.values())), default=0), max(ends.values(), default=0)
        for offset in sorted(seen):
            if told and offset >= begin and (offset > end or not any(offset in log for log in told.values())):
                yield Fault(rule, f"{channel} {offset}: seen, but in no log", (brief(seen[offset]),))
                break


def instant(event: Body) -> float:
    return datetime.fromisoformat(event["at"]).timestamp()


def audience(history: History, channel: str) -> list[tuple[float, float]]:
    """The times when a channel had an audience, as far as a server can know, in order and without overlaps."""
    times = sorted(
        (session.began - CLOCK_ERROR, session.ended + AUDIENCE_LIFETIME + CLOCK_ERROR)
        for subscriber in history.subscribers
        if channel in subscriber.channels and subscriber.is_audience and subscriber.wants("presented")
        for session in subscriber.sessions
        # A poll without a cursor only asks for the present state.
        if not session.is_poll or session.since is not None
    )
    merged: list[tuple[float, float]] = []
    for begin, end in times:
        if merged and begin <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((begin, end))
    return merged


def last_visits(history: History, channel: str, at: float) -> Iterator[str]:
    """The sessions of a channel's audience within 15 seconds before an instant, for the report of a fault."""
    for subscriber in history.subscribers:
        for session in subscriber.sessions:
            if channel in subscriber.channels and subscriber.is_audience and session.began < at < session.ended + 15:
                began, ended = (f"{time - at:.1f}" for time in (session.began, session.ended))
                kind = "poll" if session.is_poll else "stream"
                yield f"{subscriber.name}: a {kind} since {session.since}, from {began} s to {ended} s"


def attended(history: History, channel: str, log: Log) -> Iterator[Fault]:
    """Nothing is presented without an audience, except in the five seconds after the last listener was lost."""
    times = audience(history, channel)
    for offset in sorted(log):
        event = log[offset]
        if event["type"] != "presented":
            continue
        at = instant(event)
        if not any(begin <= at <= end for begin, end in times):
            earlier = max((end for _, end in times if end < at), default=None)
            alone = f"{at - earlier:.1f} s after the audience counted" if earlier else "before there was an audience"
            where = f"{channel} {offset}: presented to nobody at {event['at']}, {alone}"
            yield Fault("attended", where, (*last_visits(history, channel, at), *around(log, offset)))


def fresh(history: History, operations: list[Operation], channel: str, log: Log) -> Iterator[Fault]:
    """A response to GET contains every change that was acknowledged before the request was sent."""
    index = by_id(log)
    done: list[tuple[float, int, Operation]] = []
    for operation in operations:
        if operation.acknowledged and operation.kind != "clear":
            places = [place for place in effects(operation, index) if place is not None]
            if places:
                done.append((operation.answered, min(places), operation))
    done.sort(key=lambda item: item[0])
    looks = [look for look in history.looks if look.channel == channel and look.sent]
    latest: tuple[int, Operation] | None = None
    number = 0
    for look in sorted(looks, key=lambda look: look.sent):
        while number < len(done) and done[number][0] < look.sent:
            _, place, operation = done[number]
            latest = (place, operation) if latest is None or place > latest[0] else latest
            number += 1
        if latest and latest[0] > look.offset:
            where = f"{channel}: GET at {look.offset} does not show {latest[0]}, which was acknowledged before"
            yield Fault("fresh", where, (str(latest[1]), *around(log, latest[0])))


def asked(operations: list[Operation], channel: str, log: Log) -> Iterator[Fault]:
    """A publish that waits gets one outcome, that of the log, however often it is repeated; an action is taken once."""
    acted = Counter(event["id"] for event in log.values() if event["type"] == "acted")
    for id, count in acted.items():
        if count > 1:
            yield Fault("asked", f"{channel}: {id} was acted on {count} times")
    ends = {event["id"]: event for event in log.values() if event["type"] == "dismissed"}
    for operation in operations:
        if operation.kind != "ask":
            continue
        toasts = [toast for answer in operation.answers for toast in answer.toasts]
        if len({toast["id"] for toast in toasts}) > 1:
            yield Fault("asked", f"{operation}: carried out twice", tuple(toast["id"] for toast in toasts))
        final = [answer.toasts[0] for answer in operation.answers if answer.status == 200]
        for toast in final:
            end = ends.get(toast["id"])
            outcomes = [(body.get("dismissReason"), body.get("action")) for body in (toast, end or {})]
            if end is None or outcomes[0] != outcomes[1] or toast != final[0]:
                yield Fault("asked", f"{operation}: the answer is {outcomes[0]}", (str(end), str(final[0])))


def waits(history: History) -> Iterator[tuple[Operation, list[Disturbance], float]]:
    """Each acknowledged publish, the disturbances during it, and its longest wait in seconds.

    Each disturbance may delay a publish by itself, so another wait begins with it.
    """
    for operation in history.operations:
        if operation.kind != "post" or not operation.acknowledged:
            continue
        during = [
            disturbance
            for disturbance in history.disturbances
            if disturbance.began <= operation.answered and operation.sent <= disturbance.ended + AFTERMATH
        ]
        further = sorted(each.began for each in during if operation.sent < each.began < operation.answered)
        longest = max(later - earlier for earlier, later in pairwise([operation.sent, *further, operation.answered]))
        yield operation, during, longest


def limit(during: list[Disturbance]) -> float:
    """The longest wait that these disturbances allow, in seconds."""
    kinds = {disturbance.kind for disturbance in during}
    if "server cut" in kinds:
        return SLOWEST_WITH_SERVER_CUT
    return SLOWEST_AFTER_KILL if kinds <= {"kill"} else SLOWEST


def prompt(history: History) -> Iterator[Fault]:
    """A publish is acknowledged in time."""
    for operation, during, longest in waits(history):
        if longest > limit(during):
            took = f"took {operation.answered - operation.sent:.1f} s, {longest:.1f} s at a time"
            yield Fault("prompt", f"{operation}: {took}; at most {limit(during):.0f} s", tuple(map(str, during)))


def slowest(history: History) -> str:
    """For each limit, the longest wait of a publish beside the limit."""
    longest: dict[float, float] = {}
    for _, during, wait in waits(history):
        longest[limit(during)] = max(longest.get(limit(during), 0), wait)
    return ", ".join(f"{wait:.1f} of {allowed:.0f} s" for allowed, wait in sorted(longest.items()))


def seen_events(history: History) -> int:
    """How many events clients received."""
    return sum(
        frame.type not in FIRSTS
        for subscriber in history.subscribers
        for session in subscriber.sessions
        for frame in session.frames
    )
