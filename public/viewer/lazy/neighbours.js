/**
 * Several viewers of a page share the screen: at an edge the toasts of the later ones stand behind those of the earlier
 * ones, instead of over them.
 */

/** The regions of the page's viewers that have shown something; one list for all copies of this module. */
const key = Symbol.for("toast-viewer regions");
const page = /** @type {Record<symbol, Set<HTMLElement>>} */ (/** @type {unknown} */ (globalThis));
page[key] ??= new Set();
const regions = page[key];

/** @param {HTMLElement} region */
const listsOf = (region) => /** @type {HTMLElement[]} */ ([...region.querySelectorAll("ol")]);

/** How much of an edge a list takes, with the space after it. @param {HTMLElement} list */
function extentOf(list) {
  if (list.hidden || !list.children.length) { return 0; }
  return list.offsetHeight + parseFloat(getComputedStyle(list).rowGap || "0");
}

function arrange() {
  const inOrder = [...regions].filter((it) => it.isConnected).sort((one, other) => {
    const [a, b] = [one, other].map((it) => /** @type {ShadowRoot} */ (it.getRootNode()).host);
    return a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
  });
  const all = inOrder.flatMap((region) => listsOf(region).map((list) => ({ list, edge: list.dataset.placement ?? "", extent: extentOf(list) })));
  /** @type {Map<string, number>} */
  const taken = new Map();
  for (const { edge, extent } of all) { taken.set(edge, (taken.get(edge) ?? 0) + extent); }
  /** @type {Map<string, number>} */
  const used = new Map();
  for (const { list, edge, extent } of all) {
    const before = used.get(edge) ?? 0;
    used.set(edge, before + extent);
    // In the middle they stand around it.
    const beside = edge === "center" ? before + extent / 2 - (taken.get(edge) ?? 0) / 2 : before;
    if (extent) { list.style.setProperty("--beside", `${beside}px`); }
  }
}

const watching = new ResizeObserver(arrange);

/** @param {HTMLElement} region */
export function join(region) {
  regions.add(region);
  for (const list of listsOf(region)) { watching.observe(list); }
  arrange();
}

/** @param {HTMLElement} region */
export function leave(region) {
  regions.delete(region);
  for (const list of listsOf(region)) { watching.unobserve(list); }
  arrange();
}
