/**
 * The page that the service worker shows while the server is away, in the reader's language, until it is back. It
 * imports nothing, because only the stored files are there.
 */

const tags = [new URLSearchParams(location.search).get("lang"), ...navigator.languages];
const language = tags.map((it) => it?.toLowerCase().split("-")[0]).find((it) => it === "de" || it === "en") ?? "en";
document.documentElement.lang = language;
for (const section of document.querySelectorAll("section")) { section.hidden = section.lang !== language; }
document.title = `${document.querySelector(`section[lang=${language}] h1`)?.textContent?.replace(/\.$/, "")} – toastd`;

/** Milliseconds between two checks whether the server is back. */
const rhythm = 15_000;

async function look() {
  const response = await fetch("livez", { cache: "no-store", signal: AbortSignal.timeout(rhythm) }).catch(() => undefined);
  if (response?.ok) { location.reload(); }
}

for (const button of document.querySelectorAll("[data-again]")) { button.addEventListener("click", () => location.reload()); }
addEventListener("online", () => location.reload());
setInterval(() => { if (!document.hidden) { look(); } }, rhythm);
