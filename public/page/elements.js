/**
 * Elements of the page.
 */

/**
 * The first element that matches a selector; throws if there is none.
 *
 * @template {HTMLElement} [Found=HTMLElement]
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {Found}
 */
export function find(selector, root = document) {
  const element = root.querySelector(selector);
  if (!element) { throw new Error(`The page has no ${selector}`); }
  return /** @type {Found} */ (element);
}

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {string} [text]
 * @param {Record<string, string>} [data] - its data attributes
 */
export function make(name, text = "", data = {}) {
  const element = document.createElement(name);
  element.textContent = text;
  Object.assign(element.dataset, data);
  return element;
}

/**
 * A publisher's words for use among the page's own: isolated, so that neither changes the other's direction.
 *
 * @param {string} words
 */
export function isolated(words) {
  // Without control characters for direction: one of them could end the isolate.
  return `\u2068${words.replace(/[\u202a-\u202e\u2066-\u2069]/g, "")}\u2069`;
}

/**
 * Let a button copy an element's text, and confirm it.
 *
 * @param {HTMLElement} button
 * @param {HTMLElement} source
 * @param {(key: string) => string} t
 */
export function makeCopying(button, source, t) {
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(source.textContent ?? "");
      button.textContent = t("copied");
    } catch {
      // Plain http has no clipboard API: select the line, so that the person can copy it.
      getSelection()?.selectAllChildren(source);
      button.textContent = t("selected");
    }
    setTimeout(() => { button.textContent = t("copy"); }, 1500);
  });
}
