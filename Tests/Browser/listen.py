"""Prints what assistive technology receives: a line of JSON for each text on the accessibility bus.

Run by the system's Python, which has the bindings; started by test_speech.py.
"""

import json

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402


def tell(**what):
    print(json.dumps(what), flush=True)


def heard(event):
    try:
        attributes = event.source.get_attributes() or {}
    except Exception as error:  # The object may be gone when it is queried.
        attributes = {"error": str(error)}
    tell(text=str(event.any_data or ""), live=attributes.get("container-live", ""), error=attributes.get("error", ""))


Atspi.init()
listener = Atspi.EventListener.new(heard)
listener.register("object:text-changed:insert")
tell(ready=True)
Atspi.event_main()
