"""Many toasts on one page, without a server that presents them."""

from conftest import ROLES

GALLERY = """async ({ toasts, background }) => {
  const { Card, prepare } = await import("/viewer/card.js");
  const { adopt } = await import("/viewer/sheets.js");
  const main = document.createElement("main");
  document.body.replaceChildren(main);
  document.body.style.cssText = `max-width: none; margin: 0; padding: 0; background: ${background ?? "var(--paper)"}`;
  main.style.cssText = "display: grid; gap: 24px; padding: 24px; align-items: start;"
    + "grid-template-columns: repeat(auto-fill, minmax(min(100%, 420px), 1fr))";
  const heading = document.createElement("h1");
  heading.textContent = "Toasts";
  heading.style.cssText = "position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%)";
  main.append(heading);
  for (const toast of toasts) {
    const host = main.appendChild(document.createElement("div"));
    host.style.display = "block";
    const root = host.attachShadow({ mode: "open" });
    await Promise.all([prepare(root, toast), adopt(root, "stage")]);
    const list = root.appendChild(document.createElement("ol"));
    list.role = "list";
    list.dataset.placement = "preview";
    const card = new Card(() => {}, () => {});
    list.append(card.element);
    card.update({ id: String(Math.random()), ...toast });
  }
  await document.fonts.ready;
}"""


def gallery(page, base, toasts, background=None):
    """Many toasts on one page, drawn by the viewer's own card and sheets, in place of the previous ones."""
    if not page.url.startswith(f"{base}/?channel=gallery"):
        page.goto(f"{base}/?channel=gallery")
        page.locator("[data-connection=open]").wait_for()
    page.evaluate(GALLERY, {"toasts": toasts, "background": background})


def specimens(style, roles=None):
    """A short and a full toast of each role."""
    actions = [{"id": "undo", "title": "Undo"}, {"id": "delete", "title": "Delete", "role": "destructive"}]
    for role in roles or ROLES:
        yield {"style": style, "role": role, "message": "Deployed to production."}
        yield {
            "style": style, "role": role, "title": "Three files deleted", "message": "They leave the bin in 30 days.",
            "actions": actions, "progress": {"value": 0.6, "total": 1},
        }
