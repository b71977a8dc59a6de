/**
 * What only some toasts have: links, pictures, progress, actions, and content that the page's own style draws.
 *
 * @import { Action, Appearance, Toast } from "../wire.d.ts"
 * @import { Card } from "../card.js"
 * @import { Say } from "../text.js"
 *
 * @typedef {import("../../toast-viewer.d.ts").Configuration} Configuration
 * @typedef {import("../../toast-viewer.d.ts").OwnStyle} OwnStyle
 * @typedef {import("../../toast-viewer.d.ts").Rendering} Rendering
 *
 * @typedef {object} Own - how a page's own style has drawn a toast, and what to call when the toast changes
 * @property {OwnStyle["render"]} render
 * @property {Say} say
 * @property {((configuration: Configuration) => void) | undefined} update
 */

import { make, makeSVG, safeURL, text, titleOf } from "../text.js";

/**
 * @param {string} url - one that may be shown
 * @param {string} alt
 * @param {string} part
 */
function image(url, alt, part) {
  const picture = make("img", part);
  picture.referrerPolicy = "no-referrer";
  picture.alt = alt;
  picture.src = url;
  return picture;
}

/** An icon from a URL. @param {string} icon @param {() => Node} make - makes what is drawn if it does not load */
export function picture(icon, make) {
  const url = safeURL(icon);
  const it = url && image(url, "", "picture");
  if (it) {
    it.onerror = () => {
      it.parentElement?.removeAttribute("data-own");
      it.replaceWith(make());
    };
  }
  return it;
}

/** @param {Toast} toast @returns {HTMLElement | undefined} its image, if it has one */
export function pictureOf(toast) {
  const url = safeURL(toast.image?.url);
  return url && image(url, toast.image?.alt ?? "", "image") || undefined;
}

/**
 * The body of a toast with a link.
 *
 * @param {Toast} toast
 * @param {() => void} follow - called when the link is followed
 */
export function linked(toast, follow) {
  const url = safeURL(toast.link);
  if (!url) { return undefined; }
  const body = make("a", "body");
  Object.assign(body, { href: url, target: "_blank", rel: "noopener noreferrer" });
  body.addEventListener("click", follow);
  return body;
}

/** @param {Say} say */
export function progress(say) {
  const part = make("div", "progress");
  part.role = "progressbar";
  part.ariaLabel = say("progress");
  part.ariaValueMin = "0";
  const svg = makeSVG("svg");
  svg.setAttribute("viewBox", "0 0 40 40");
  svg.ariaHidden = "true";
  for (let index = 0; index < 2; index++) {
    const circle = svg.appendChild(makeSVG("circle"));
    for (const [name, value] of Object.entries({ cx: 20, cy: 20, r: 18.5, pathLength: 1 })) {
      circle.setAttribute(name, String(value));
    }
  }
  part.append(svg, document.createElement("span"));
  return part;
}

/** @param {HTMLElement} surface @param {Toast["progress"]} progress */
export function measure(surface, progress) {
  const part = surface.querySelector("[part=progress]");
  if (!progress || !(part instanceof HTMLElement)) { return; }
  const isMeasured = "value" in progress;
  part.toggleAttribute("data-indeterminate", !isMeasured);
  part.ariaValueMax = isMeasured ? String(progress.total) : null;
  part.ariaValueNow = isMeasured ? String(progress.value) : null;
  part.style.setProperty("--value", isMeasured ? String(progress.value / progress.total) : "");
}

/** @param {Action[] | undefined} actions @param {(action: Action) => void} act */
export function buttons(actions, act) {
  if (!actions?.length) { return undefined; }
  const part = make("div", "actions");
  for (const action of actions) {
    const url = safeURL(action.url);
    const button = make(url ? "a" : "button", action.role ? `action ${action.role}` : "action");
    const label = button.appendChild(make("span", "", text(action.title)));
    label.dir = "auto";
    if (button instanceof HTMLAnchorElement) {
      Object.assign(button, { href: url, target: "_blank", rel: "noopener noreferrer" });
    }
    if (action.pending) {
      // Not `disabled`: a disabled button loses the focus.
      button.setAttribute("part", `${button.getAttribute("part")} pending`);
      button.ariaDisabled = button.ariaBusy = "true";
      button.prepend(make("span", "spinner"));
    }
    button.addEventListener("click", (event) => {
      if (action.pending) { return event.preventDefault(); }
      act(action);
    });
    part.append(button);
  }
  return part;
}

/**
 * Remember what has the focus in content that is about to be built anew.
 *
 * @param {Card} card
 * @returns {() => void} call it afterwards: focuses the element of the same part and place, else the toast
 */
export function keepFocus(card) {
  const { surface } = card;
  const all = () => [.../** @type {NodeListOf<HTMLElement>} */ (surface.querySelectorAll("button, a"))];
  // Only the first part name: the others may change, as a pressed action becomes pending.
  const kind = (/** @type {HTMLElement | undefined} */ it) => it?.part[0];
  const index = all().findIndex((it) => it.matches(":focus"));
  const before = all()[index];
  return () => {
    if (!before || before.matches(":focus")) { return; }
    const next = all()[index];
    if (next && kind(next) === kind(before)) { next.focus(); } else { card.focus(); }
  };
}

/**
 * What a page's own style gets to draw a toast.
 *
 * @param {Toast} toast
 * @param {object} means
 * @param {Appearance} means.appearance
 * @param {Configuration["icon"]} means.icon
 * @param {(action: Action) => void} means.act
 * @param {() => void} means.close
 * @param {Say} means.say
 * @returns {Configuration}
 */
function configurationOf(toast, { appearance, icon, act, close, say }) {
  const { role, style, placement, duration, data, progress } = toast;
  const url = safeURL(toast.image?.url);
  return {
    toast, role, style, placement, duration, data, appearance, icon, close,
    title: titleOf(toast, say),
    message: text(toast.message),
    actions: (toast.actions ?? []).map((action) => ({
      id: action.id, title: text(action.title), role: action.role, url: safeURL(action.url), pending: action.pending ?? false,
      press: () => { if (!action.pending) { act(action); } },
    })),
    progress: progress && "value" in progress ? { ...progress, fraction: progress.value / progress.total } : progress,
    image: url ? { url, alt: toast.image?.alt ?? "" } : undefined,
  };
}

/**
 * The result of a style's `render` as a node and a function for changes. A string is refused: a style makes its
 * elements itself, so that nothing in a toast is ever read as HTML.
 *
 * @param {Rendering} rendering
 * @returns {{ node: Node, update?: (configuration: Configuration) => void }}
 */
export function checked(rendering) {
  const result = rendering instanceof Node ? { node: rendering } : rendering;
  if (!(result?.node instanceof Node)) { throw new TypeError("A style's render gives a Node, or { node, update }"); }
  return result;
}

/**
 * Let a style of the page's own draw the content. If it throws, the usual parts are drawn.
 *
 * @param {Card} card
 * @param {NonNullable<OwnStyle["render"]>} render
 * @param {Toast} toast
 * @param {Parameters<typeof configurationOf>[1]} means
 * @returns {boolean} whether it did
 */
export function render(card, render, toast, means) {
  const configuration = configurationOf(toast, means);
  try {
    const { own } = card;
    if (own?.update && own.render === render && own.say === means.say) {
      own.update(configuration);
      card.name(toast);
    } else {
      const { node, update } = checked(render(configuration));
      card.own = { render, say: means.say, update };
      card.fill(toast, node);
    }
    return true;
  } catch (error) {
    reportError(error);
    return false;
  }
}
