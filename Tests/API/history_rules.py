"""The rules that a history must keep. Each is a function of the history alone, and yields the violations."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from history import FIRSTS, RETENTION, Body, Frame, History, Operation, Session, Subscriber, brief, folds

Log = dict[int, Body]


@dataclass(frozen=True)
class Fault:
    """A broken rule, its place, and the few lines of the history that show it."""

    rule: str
    where: str
    excerpt: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "\n    ".join([f"{self.rule}: {self.where}", *self.excerpt])


def check(history: History) -> list[Fault]:
    """All violations; none if a correct server can have this history."""
    logs = {channel: history.log(channel) for channel in history.modes}
    faults = list(one_log(history, logs))
    for subscriber in history.subscribers:
        faults += in_order(subscriber, logs)
        faults += caught_up(subscriber, history.final, logs)
    for channel, log in logs.items():
        operations = [operation for operation in history.operations if operation.channel == channel]
        faults += lives(channel, log)
        faults += one_at_a_time(history, channel, log)
        faults += acknowledged(operations, log)
        faults += once(operations, log)
        faults += one_after_the_other(operations, log)
        faults += folded(history, channel, log)
    faults += repeated(history.operations)
    return faults


def around(log: Log, offset: int, before: int = 2, after: int = 1) -> tuple[str, ...]:
    return tuple(f"{o}: {brief(log[o])}" for o in range(offset - before, offset + after + 1) if o in log)


def one_log(history: History, logs: dict[str, Log]) -> Iterator[Fault]:
    """All subscribers received the same event at an offset, and each offset was received by at least one."""
    for channel, log in logs.items():
        start = history.start.get(channel, 0)
        missing = [offset for offset in range(start + 1, max(log, default=start) + 1) if offset not in log]
        if missing:
            yield Fault("one log", f"{channel} {missing[0]}: nobody saw it", around(log, missing[0]))
    for subscriber in history.subscribers:
        for session in subscriber.sessions:
            for frame in session.frames:
                if frame.type in FIRSTS:
                    continue
                common = logs[frame.channel][frame.offset]
                if frame.body is not common and frame.body != common:
                    where = f"{frame.channel} {frame.offset}: {subscriber.name} saw another event there"
                    yield Fault("one log", where, (str(common), str(frame.body)))


def in_order(subscriber: Subscriber, logs: dict[str, Log]) -> Iterator[Fault]:
    """A session receives the log from its cursor on: no gap, nothing twice, nothing out of order, no needless reset."""
    wanted = {
        channel: [offset for offset in sorted(logs[channel]) if subscriber.wants(logs[channel][offset]["type"])]
        for channel in subscriber.channels
    }

    def missed(places: dict[str, int], at: dict[str, int]) -> list[str]:
        """Events that a cursor covers but that the client did not receive."""
        return [
            f"{channel} {offset}"
            for channel, place in places.items()
            for offset in wanted[channel][
                bisect_right(wanted[channel], place) : bisect_right(wanted[channel], at[channel])
            ]
        ]

    for number, session in enumerate(subscriber.sessions):
        name = f"{subscriber.name}, session {number} since {session.since}"
        places: dict[str, int] = dict(session.since) if session.is_poll and session.since else {}
        for index, frame in enumerate(session.frames):
            channel, near = frame.channel, tuple(map(str, session.frames[max(0, index - 2) : index + 3]))
            if frame.type in FIRSTS:
                yield from begun(name, session, frame, places, logs[channel])
                places[channel] = frame.offset
                continue
            if channel not in places:
                yield Fault("order", f"{name}: {channel} begins with neither snapshot nor resumed", near)
                break
            if frame.offset <= places[channel] or not subscriber.wants(frame.type):
                where = f"{name}: {channel} {frame.offset} behind {places[channel]}, twice or not asked for"
                yield Fault("order", where, near)
                break
            if gap := missed({channel: places[channel]}, {channel: frame.offset - 1}):
                yield Fault("order", f"{name}: a gap, without {gap[0]}", near)
                break
            places[channel] = frame.offset
            if gap := missed(places, frame.at):
                yield Fault("order", f"{name}: a cursor is ahead, of {gap[0]}", near)
                break
        else:
            if session.end and (gap := missed(places, session.end)):
                yield Fault("order", f"{name}: the answer ends before {gap[0]}, its cursor behind it {session.end}")


def begun(name: str, session: Session, frame: Frame, places: dict[str, int], log: Log) -> Iterator[Fault]:
    """The first frame of a channel in a session is the right one for its cursor."""
    channel, since = frame.channel, (session.since or {}).get(frame.channel)
    if frame.channel in places and not session.is_poll:
        yield Fault("order", f"{name}: {channel} begins twice", (frame.type,))
    elif frame.type == "resumed":
        if since is None or frame.offset != since:
            yield Fault("order", f"{name}: {channel} resumed at {frame.offset}")
    elif since is None:
        if frame.body["reset"]:
            yield Fault("reset", f"{name}: {channel} reset what is new")
    elif not frame.body["reset"] or frame.offset - since < RETENTION:
        where = f"{name}: {channel} at {frame.offset}: a snapshot where the cursor was good"
        yield Fault("reset", where, around(log, since, 0, 2))


def caught_up(subscriber: Subscriber, final: dict[str, int], logs: dict[str, Log]) -> Iterator[Fault]:
    """At the end every client has received everything that it subscribed to."""
    for channel in subscriber.channels:
        reached = (subscriber.position or {}).get(channel, 0)
        log = logs[channel]
        missed = [o for o in log if reached < o <= final.get(channel, 0) and subscriber.wants(log[o]["type"])]
        if missed:
            where = f"{subscriber.name}: {channel} stands at {reached}, and {len(missed)} events up to {final[channel]}"
            yield Fault("caught up", f"{where} are missing", around(log, min(missed)))


def lives(channel: str, log: Log) -> Iterator[Fault]:
    """A toast is enqueued, perhaps presented, then dismissed with a reason; no event mentions it before or after."""
    states: dict[str, str] = {}
    revisions: dict[str, int] = {}
    for offset in sorted(log):
        event = log[offset]
        kind, toast = event["type"], event.get("toast", {})
        id = toast.get("id") or event.get("id")
        if id is None:
            continue
        state = states.get(id)
        allowed = {"enqueued": (None,), "presented": ("queued",), "acted": ("queued", "presented")}
        if state not in allowed.get(kind, ("queued", "presented")):
            yield Fault("life", f"{channel} {offset}: {kind} of what is {state}", tellings(log, id, offset))
            continue
        if kind == "dismissed" and not event.get("dismissReason"):
            yield Fault("life", f"{channel} {offset}: dismissed without a reason", (brief(event),))
        if kind in ("enqueued", "updated"):
            if toast["revision"] != revisions.get(id, 0) + 1:
                was = revisions.get(id, 0)
                yield Fault("life", f"{channel} {offset}: revision {toast['revision']} behind {was}", (brief(event),))
            revisions[id] = toast["revision"]
        states[id] = {"enqueued": "queued", "presented": "presented", "dismissed": "dismissed"}.get(kind, state)


def tellings(log: Log, id: str, until: int) -> tuple[str, ...]:
    """The last four events up to an offset that mention a toast."""
    about = [o for o in sorted(log) if o <= until and id in (log[o].get("id"), log[o].get("toast", {}).get("id"))]
    return tuple(f"{o}: {brief(log[o])}" for o in about[-4:])


def one_at_a_time(history: History, channel: str, log: Log) -> Iterator[Fault]:
    """In the modes fifo and priority at most one toast is on screen: in the log, in snapshots and in responses."""
    if history.modes[channel] not in ("fifo", "priority"):
        return
    for offset, state in folds(log, history.start.get(channel, 0)):
        if len(state.presented) > 1:
            yield Fault("one at a time", f"{channel} {offset}: {list(state.presented)}", around(log, offset))
            break
    for look in history.looks:
        shown = [toast["id"] for toast in look.toasts if toast["state"] == "presented"]
        if look.channel == channel and len(shown) > 1:
            yield Fault("one at a time", f"{channel} {look.offset}: an answer shows {shown}")
    for name, frame in snapshots(history, channel):
        if len(frame.body["presented"]) > 1:
            yield Fault("one at a time", f"{channel} {frame.offset}: {name} got {len(frame.body['presented'])}")


def snapshots(history: History, channel: str) -> Iterator[tuple[str, Frame]]:
    for subscriber in history.subscribers:
        for session in subscriber.sessions:
            for frame in session.frames:
                if frame.channel == channel and frame.type == "snapshot":
                    yield subscriber.name, frame


def effects(operation: Operation, log_by_id: dict[str, list[tuple[int, Body]]]) -> list[int | None]:
    """For each toast of a response, the offset of the event that the operation caused; None if the log lacks it."""
    found: list[int | None] = []
    for toast in operation.acknowledged.toasts:
        for offset, event in log_by_id.get(toast["id"], ()):
            if operation.kind in ("post", "ask", "patch"):
                content = event.get("toast", {})
                same = content.get("revision") == toast["revision"] and content.get("message") == toast["message"]
                is_it = same and event["type"] in ("enqueued", "updated")
            else:
                is_it = event["type"] == "dismissed" and event.get("dismissReason") == toast["dismissReason"]
            if is_it:
                found.append(offset)
                break
        else:
            found.append(None)
    return found


def by_id(log: Log) -> dict[str, list[tuple[int, Body]]]:
    found: dict[str, list[tuple[int, Body]]] = {}
    for offset in sorted(log):
        id = log[offset].get("toast", {}).get("id") or log[offset].get("id")
        found.setdefault(id, []).append((offset, log[offset]))
    return found


def acknowledged(operations: list[Operation], log: Log) -> Iterator[Fault]:
    """Acknowledged changes are in the log, with the content and the outcome of the response."""
    index = by_id(log)
    for operation in operations:
        if not operation.acknowledged or operation.kind == "clear":
            continue
        places = effects(operation, index)
        toasts = operation.acknowledged.toasts
        if operation.kind in ("post", "ask") and [toast["message"] for toast in toasts] != list(operation.tags):
            yield Fault("acknowledged", f"{operation}: the answer shows other toasts", (str(toasts),))
        for toast, place in zip(toasts, places, strict=True):
            if place is None:
                told = tuple(f"{o}: {brief(e)}" for o, e in index.get(toast["id"], ())[-4:])
                yield Fault("acknowledged", f"{operation}: {toast['id']} is lost", told or ("no event tells of it",))


def once(operations: list[Operation], log: Log) -> Iterator[Fault]:
    """A request is carried out at most once, a batch as a whole or not at all, a refused request never."""
    made: Counter[str] = Counter()
    for event in log.values():
        toast = event.get("toast", {})
        if (
            event["type"] == "enqueued"
            or (event["type"] == "updated" and "message" in event.get("changed", ()))
            or (event["type"] == "updated" and event.get("moved"))
        ):
            made[toast["message"]] += 1
    asked = {tag for operation in operations for tag in operation.tags}
    for tag in made.keys() - asked:
        yield Fault("once", f"{tag}: nobody asked for it")
    for operation in operations:
        counts = [made[tag] for tag in operation.tags]
        if any(count > 1 for count in counts):
            yield Fault("once", f"{operation}: happened {max(counts)} times", occurrences(log, operation.tags))
        if len(set(counts)) > 1:
            yield Fault("once", f"{operation}: only a part of it happened", occurrences(log, operation.tags))
        is_answered = operation.answers and operation.attempts == len(operation.answers)
        refused = is_answered and not operation.acknowledged and not operation.is_undecided
        if refused and any(counts):
            yield Fault("once", f"{operation}: refused, and happened", occurrences(log, operation.tags))


def occurrences(log: Log, tags: tuple[str, ...]) -> tuple[str, ...]:
    found = [o for o in sorted(log) if log[o].get("toast", {}).get("message") in tags]
    return tuple(f"{o}: {brief(log[o])}" for o in found[:6])


def repeated(operations: list[Operation]) -> Iterator[Fault]:
    """A repeated key gets the first response again, marked as a repetition."""
    for operation in operations:
        good = [answer for answer in operation.answers if answer.status < 300]
        # A request that waits for an outcome may get another answer when it is repeated: see the rule `asked`.
        if operation.key is None or not good or operation.kind == "ask":
            continue
        if any((answer.status, answer.body) != (good[0].status, good[0].body) for answer in good):
            different = next(
                answer for answer in good if answer.body != good[0].body or answer.status != good[0].status
            )
            yield Fault("repeated", f"{operation}: two answers", (str(good[0]), str(different)))
        if sum(not answer.replayed for answer in good) > 1:
            yield Fault("repeated", f"{operation}: carried out twice")


def one_after_the_other(operations: list[Operation], log: Log) -> Iterator[Fault]:
    """If a change was acknowledged before another request was sent, it comes first in the log."""
    index = by_id(log)
    done = []
    for operation in operations:
        if operation.acknowledged and operation.kind in ("post", "patch"):
            places = [place for place in effects(operation, index) if place is not None]
            if places:
                done.append((operation, min(places)))
    latest: tuple[int, Operation] | None = None
    finished = sorted(done, key=lambda item: item[0].answered)
    next_finished = 0
    for operation, place in sorted(done, key=lambda item: item[0].sent):
        while next_finished < len(finished) and finished[next_finished][0].answered < operation.sent:
            earlier, offset = finished[next_finished]
            latest = max(latest or (0, earlier), (offset, earlier), key=lambda item: item[0])
            next_finished += 1
        if latest and latest[0] > place:
            where = f"{operation} is at {place}, before {latest[0]}, which was acknowledged before it was sent"
            yield Fault("one after the other", where, (str(latest[1]),))


def folded(history: History, channel: str, log: Log) -> Iterator[Fault]:
    """Each response to GET, and each snapshot, is the result of folding the events up to its cursor."""
    looks: dict[int, list] = {}
    for look in history.looks:
        if look.channel == channel and not look.is_of_dismissed:
            looks.setdefault(look.offset, []).append(look)
    shots: dict[int, list[Body]] = {}
    for _, frame in snapshots(history, channel):
        shots.setdefault(frame.offset, []).append(frame.body)
    is_ordered = history.modes[channel] != "priority"
    for offset, state in folds(log, history.start.get(channel, 0)):
        for look in looks.pop(offset, ()):
            seen, expected = look.toasts, state.toasts
            if not is_ordered:
                seen, expected = (sorted(toasts, key=lambda toast: toast["id"]) for toasts in (seen, expected))
            if seen != expected:
                pairs = zip(seen + [None] * len(expected), expected + [None] * len(seen), strict=True)
                different = next(pair for pair in pairs if pair[0] != pair[1])
                where = f"{channel} {offset}: GET shows {len(seen)} toasts, the events give {len(expected)}"
                yield Fault("folded", where, (f"GET:    {different[0]}", f"events: {different[1]}"))
        for shot in shots.pop(offset, ()):
            shown = [item["toast"] for item in shot["presented"]]
            if shown != list(state.presented.values()) or shot["queuedCount"] != len(state.queued):
                where = f"{channel} {offset}: a snapshot with {len(shown)} shown, {shot['queuedCount']} waiting"
                yield Fault("folded", where, (f"events: {len(state.presented)} shown, {len(state.queued)} waiting",))
    # Snapshots may be newer than the end of the recorded log; responses to GET must not be.
    for offset in looks:
        yield Fault("folded", f"{channel} {offset}: an answer from behind the end of the log")
    reasons = {event["id"]: event.get("dismissReason") for event in log.values() if event["type"] == "dismissed"}
    for look in history.looks:
        for toast in look.toasts if look.channel == channel and look.is_of_dismissed else ():
            if reasons.get(toast["id"]) != toast["dismissReason"]:
                where = f"{channel}: {toast['id']} is gone by {toast['dismissReason']}"
                yield Fault("folded", where, (f"events: {reasons.get(toast['id'])}",))
