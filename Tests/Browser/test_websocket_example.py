"""The WebSocket example when its connection breaks."""

from playwright.sync_api import expect


def test_the_buttons_are_disabled_while_the_connection_is_lost(page, channel, proxy):
    channel.post("Deployed", duration="indefinite")
    page.goto(f"{proxy.base}/examples/websocket.html?channel={channel.name}")
    publish, dismiss = (page.get_by_role("button", name=name) for name in ("Publish", "Dismiss"))
    expect(dismiss).to_be_enabled()
    expect(publish).to_be_enabled()
    # An answer that is lost with the connection.
    page.evaluate("""() => {
      const { send } = WebSocket.prototype;
      WebSocket.prototype.send = () => { WebSocket.prototype.send = send; };
    }""")
    publish.click()
    proxy.is_refusing = True
    proxy.cut()
    expect(publish).to_be_disabled()
    expect(dismiss).to_be_disabled()
    expect(page.get_by_text("The connection was lost before the answer")).to_be_visible()
    proxy.is_refusing = False
    expect(publish).to_be_enabled()
    page.get_by_label("Message").fill("Back again")
    publish.click()
    expect(page.get_by_text("Published", exact=True)).to_be_visible()
    dismiss.click()
    expect(page.get_by_role("listitem")).to_contain_text("Back again")


def test_a_command_that_is_lost_with_the_connection_is_reported(page, channel):
    page.add_init_script("""
      window.WebSocket = class extends WebSocket {
        constructor(...options) { super(...options); window.socket = this; }
      };
    """)
    page.goto(f"{channel.base}/examples/websocket.html?channel={channel.name}")
    expect(page.get_by_role("button", name="Publish")).to_be_enabled()
    page.evaluate("() => { socket.close(); document.querySelector('form button').click(); }")
    expect(page.get_by_text("The connection was lost before the answer")).to_be_visible()


def test_the_focus_stays_on_a_button_whose_toast_is_held_or_changed(page, channel):
    page.goto(f"{channel.base}/examples/websocket.html?channel={channel.name}")
    posted = channel.post("Deployed", duration="indefinite")
    dismiss = page.get_by_role("button", name="Dismiss")
    dismiss.focus()
    channel.call("PUT", f"/toasts/{posted['id']}/holds/somebody", {"lease": 20})
    channel.patch(posted["id"], message="Changed")
    expect(page.get_by_role("listitem")).to_contain_text("Changed")
    expect(dismiss).to_be_focused()
