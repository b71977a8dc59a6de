/**
 * The gallery: every style in every role at every place, light and dark.
 *
 * The address selects what is shown, also for scripts: `?style=glass&role=error&placement=top&show=dark`,
 * `content=words|actions|progress`, `dir=rtl`, `lang=de`. With `bare` everything but the toasts is hidden.
 *
 * @import { ToastViewer } from "../viewer/element.js"
 * @import { Placement, Role, Toast } from "../viewer/wire.d.ts"
 */

import { restrict } from "./account.js";
import { channelOf, clearHeader, preparePage, relink } from "./chrome.js";
import { follow, watch } from "./connection.js";
import { find, make } from "./elements.js";
import { report } from "./issues.js";
import { t } from "./language.js";
import { Session } from "./session.js";
import { isShipped, placements, roles, Specimen, styleName, styles } from "./specimen.js";

preparePage();
clearHeader();
document.title = t("title.gallery");

const parameters = new URLSearchParams(location.search);
const channel = channelOf();
relink(channel.name);

/** @type {(name: string, all: readonly string[]) => string[]} */
const chosen = (name, all) => {
  const wish = parameters.get(name);
  return all.filter((it) => !wish || wish === "all" || wish.split(",").includes(it));
};

/** Right-to-left layout can only be judged with right-to-left text. */
const arabic = {
  success: "تم النشر بنجاح.", error: "مزود الخدمة لا يجيب.", warning: "القرص ممتلئ بنسبة ٩١٪.", info: "تبدأ الصيانة الساعة العاشرة.",
  undo: "تراجع", delete: "حذف",
};

/**
 * The content of a toast in the gallery.
 *
 * @param {string} style
 * @param {Role} role
 * @param {Placement} placement
 * @param {string} content
 * @returns {Partial<Toast>}
 */
function sample(style, role, placement, content) {
  const say = (/** @type {Role | "undo" | "delete"} */ word) => isMirrored() ? arabic[word] : t(`sample.${word}`);
  const toast = { style, role, placement, message: say(role) };
  switch (content) {
    case "actions":
      return {
        ...toast,
        actions: [{ id: "undo", title: say("undo") }, { id: "delete", title: say("delete"), role: "destructive" }],
      };
    case "progress":
      return { ...toast, progress: { value: 0.6, total: 1 } };
    default:
      return toast;
  }
}

function isMirrored() {
  return parameters.get("dir") === "rtl";
}

/** Draws each toast when it comes near the visible part of the page: there are hundreds. */
const eye = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) { continue; }
    eye.unobserve(target);
    drawers.get(target)?.();
  }
}, { rootMargin: "400px" });

/** @type {WeakMap<Element, () => void>} */
const drawers = new WeakMap();

/** The error line; it moves below the button that was pressed last. */
const problem = make("p", "", { problem: "" });
problem.role = "alert";

/**
 * A screen the size of a card, with a toast at its place.
 *
 * @param {string} style
 * @param {Role} role
 * @param {Placement} placement
 * @param {string} content
 */
function cell(style, role, placement, content) {
  const figure = make("figure", "", { placement });
  const screen = figure.appendChild(make("div", "", { screen: "" }));
  screen.dir = isMirrored() ? "rtl" : "ltr";
  const host = screen.appendChild(make("div", "", { host: "" }));
  const toast = sample(style, role, placement, content);
  drawers.set(figure, () => new Specimen(host).show(toast));
  eye.observe(figure);
  const button = make("button", `${t(`role.${role}`)} · ${t(`placement.${placement}`)}`);
  button.type = "button";
  button.ariaLabel = t("gallery.show", { style: styleName(style), role: t(`role.${role}`), placement: t(`placement.${placement}`) });
  const caption = figure.appendChild(document.createElement("figcaption"));
  button.addEventListener("click", () => {
    const post = channel.post({ ...toast, duration: "long" });
    post.catch(() => { caption.append(problem); });
    report(problem, post);
  });
  caption.append(button);
  return figure;
}

function draw() {
  const content = parameters.get("content") ?? "words";
  const index = find("[data-index]");
  const list = find("[data-styles]");
  const shown = chosen("style", styles);
  index.replaceChildren(...styles.map((style) => {
    const item = make("li");
    const link = item.appendChild(make("a", styleName(style)));
    const address = new URLSearchParams(parameters);
    address.set("style", style);
    link.href = shown.includes(style) ? `#${style}` : `?${address}`;
    return item;
  }));
  list.replaceChildren(...shown.map((style) => {
    const section = make("section", "", { style });
    section.id = style;
    const heading = make("h2", styleName(style));
    section.ariaLabel = styleName(style);
    section.append(heading, make("p", t(isShipped(style) ? `about.${style}` : "about.own"), { lead: "" }));
    const pair = section.appendChild(make("div", "", { pair: "" }));
    for (const scheme of chosen("show", ["light", "dark"]).slice(0, 2)) {
      const board = make("div", "", { board: scheme });
      board.role = "group";
      board.ariaLabel = t("gallery.screen", { style: styleName(style), scheme: t(`gallery.${scheme}`) });
      for (const placement of chosen("placement", placements)) {
        for (const role of chosen("role", roles)) {
          board.append(cell(style, /** @type {Role} */ (role), /** @type {Placement} */ (placement), content));
        }
      }
      pair.append(board);
    }
    return section;
  }));
}

// On a phone the filter begins closed, so that the toasts come first.
const filter = /** @type {HTMLDetailsElement} */ (find("[data-filter]"));
const wide = matchMedia("(min-width: 40rem)");
filter.open = wide.matches;
wide.addEventListener("change", () => { filter.open = wide.matches; });

const form = /** @type {HTMLFormElement} */ (find("[data-form=filter]"));
if (parameters.get("show") === "both") { parameters.delete("show"); }
for (const [name, value] of parameters) {
  const control = form.elements.namedItem(name);
  if (control instanceof RadioNodeList) { control.value = value; }
}
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("change", ({ target }) => {
  const { name, value, defaultChecked } = /** @type {HTMLInputElement} */ (target);
  if (defaultChecked) { parameters.delete(name); } else { parameters.set(name, value); }
  const address = new URL(location.href);
  address.search = parameters.toString();
  history.replaceState(null, "", address);
  relink(channel.name);
  draw();
});

const viewer = /** @type {ToastViewer} */ (find("toast-viewer"));
const session = new Session();
follow(viewer, session);

/** Without a permission the toasts are drawn here all the same, but cannot be sent. */
function applyPermissions() {
  restrict(session, channel.name);
  watch(viewer, session, channel.name);
}

session.addEventListener("change", applyPermissions);
document.body.toggleAttribute("data-bare", parameters.has("bare"));
draw();
await session.load();
applyPermissions();
