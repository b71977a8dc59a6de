/**
 * The timeline of a channel, drawn: a row for each toast, a bar for each of its spans, and a line at the present.
 *
 * Nothing is drawn from frame to frame: bars stand at their times by the server's clock, and an animation moves each
 * row's strip to the left. Right of the line bars are veiled, because they are expected.
 *
 * @import { Envelope } from "../viewer/wire.d.ts"
 * @import { Channel } from "./channel.js"
 * @import { Row, Span } from "./timeline.js"
 */

import { unlessGone } from "./channel.js";
import { find, make } from "./elements.js";
import { report } from "./issues.js";
import { t } from "./language.js";
import { stateOf, Timeline } from "./timeline.js";
import { wordsOf } from "./toast-words.js";

/** Milliseconds: how long dismissed toasts keep their rows, how far bars are drawn ahead, how long a strip moves. */
const past = 30_000;
const horizon = 120_000;
const lap = 600_000;

/** The most rows of dismissed toasts, and of all. */
const limits = { gone: 4, all: 12 };

export class Inspector {
  #section;
  #channel;
  #timeline = new Timeline();
  /** @type {Map<string, HTMLLIElement>} */
  #items = new Map();
  /** The server's time less `performance.now()`, by the event with the least delay, in ms. */
  #skew = -Infinity;
  /** The server's time at which all strips begin, in ms. */
  #origin = 0;
  #isRequested = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #asking;
  /** The ids of toasts that this viewer shows. @type {Set<string>} */
  #here = new Set();

  /**
   * @param {HTMLElement} section
   * @param {() => Channel} channel
   */
  constructor(section, channel) {
    this.#section = section;
    this.#channel = channel;
    // Remove old rows, and extend bars without an end.
    setInterval(() => { if (!document.hidden && this.#items.size) { this.#requestDraw(); } }, 5000);
    setInterval(() => { if (!document.hidden) { this.#ask(); } }, 15_000);
    document.addEventListener("visibilitychange", () => this.#requestDraw());
    find("details", section).addEventListener("toggle", () => this.#requestDraw());
  }

  clear() {
    this.#timeline = new Timeline();
    this.#requestDraw();
  }

  /** @param {Envelope} envelope */
  take(envelope) {
    // Replayed events are old, so the event with the least delay gives the best estimate.
    this.#skew = Math.max(this.#skew, Date.parse(envelope.at) - performance.now());
    this.#timeline.take(envelope);
    if (["snapshot", "resumed", "presented"].includes(envelope.type)) { this.#ask(); }
    this.#requestDraw();
  }

  /** Note that this viewer shows a toast, or no longer does. @param {string} id @param {boolean} isHere */
  see(id, isHere) {
    if (isHere) { this.#here.add(id); } else { this.#here.delete(id); }
    this.#requestDraw();
  }

  /** Whether this viewer still shows a toast that is over for the server. @param {Row} row @param {number} now */
  #isHeldHere({ id, dismissed = Infinity, exit }, now) { return this.#here.has(id) && dismissed + exit < now; }

  get #now() {
    return performance.now() + this.#skew;
  }

  /** Fetch the number of viewers, which no event has: once for all events of a burst. */
  #ask() {
    if (this.#asking || this.#section.hidden) { return; }
    this.#asking = setTimeout(async () => {
      this.#asking = undefined;
      const channel = this.#channel();
      try {
        const { audience = {} } = await channel.describe();
        if (channel !== this.#channel()) { return; }
        this.#count("watching", Object.values(audience).reduce((sum, count) => sum + count, 0));
      } catch {
        // The header shows when the server is away.
      }
    }, 400);
  }

  #requestDraw() {
    if (this.#isRequested || document.hidden) { return; }
    this.#isRequested = true;
    requestAnimationFrame(() => {
      this.#isRequested = false;
      this.#draw();
    });
  }

  /**
   * @param {string} name
   * @param {number} count
   */
  #count(name, count) {
    find(`[data-count=${name}]`, this.#section).textContent = String(count);
  }

  #draw() {
    const now = this.#now;
    const timeline = this.#timeline;
    if (!(now - this.#origin < lap / 2)) {
      this.#origin = now;
      this.#items.clear();
    }
    this.#count("screen", timeline.shown);
    this.#count("waiting", timeline.waiting);
    const rows = this.#visible(now);
    find("[data-empty]", this.#section).hidden = rows.length > 0;
    find("[data-plot]", this.#section).hidden = rows.length === 0;
    const focused = document.activeElement?.closest("[data-queue] li");
    this.#arrange(rows);
    const plan = timeline.forecast(now);
    const queue = timeline.queue();
    for (const row of rows) {
      const item = /** @type {HTMLLIElement} */ (this.#items.get(row.id));
      const isHere = this.#isHeldHere(row, now);
      this.#label(item, row, queue.indexOf(row), isHere);
      this.#bars(item, row, timeline.spans(row, plan.get(row.id), isHere), now);
    }
    if (focused instanceof HTMLElement) { this.#keepFocus(focused); }
    const hidden = timeline.waiting - rows.filter((row) => stateOf(row) === "queued").length;
    const rest = find("[data-rest]", this.#section);
    rest.hidden = hidden <= 0;
    rest.textContent = t("timeline.more", { count: hidden });
    this.#tabulate(now);
  }

  /**
   * The rows to draw, up to a limit: of the last dismissed toasts, of those on screen, and of the next ones.
   *
   * @param {number} now
   */
  #visible(now) {
    const rows = this.#timeline.rows();
    const gone = rows.filter((row) => (row.dismissed ?? Infinity) + row.exit < now && !this.#isHeldHere(row, now));
    const recent = gone.filter(({ dismissed = 0 }) => now - dismissed < past).slice(-limits.gone);
    return rows.filter((row) => recent.includes(row) || !gone.includes(row)).slice(0, limits.all);
  }

  /**
   * Put the items into the lists of their lanes. Items in their places are not touched, so that the focus stays.
   *
   * @param {Row[]} rows
   */
  #arrange(rows) {
    const lanes = this.#timeline.settings.lanes === "placement" ? ["top", "center", "bottom"] : [""];
    const plot = find("[data-lanes]", this.#section);
    if (plot.childElementCount !== lanes.length) {
      this.#items.clear();
      plot.replaceChildren(...lanes.map((lane) => this.#lane(lane)));
    }
    const ids = new Set(rows.map(({ id }) => id));
    for (const id of [...this.#items.keys()]) {
      if (!ids.has(id)) { this.#items.delete(id); }
    }
    for (const lane of lanes) {
      const list = find(`[data-lane="${lane}"] ol`, plot);
      const mine = rows.filter((row) => row.lane === lane);
      const items = mine.map((row) => this.#items.get(row.id) ?? this.#item(row));
      for (const child of [...list.children]) {
        if (!items.includes(/** @type {HTMLLIElement} */ (child))) { child.remove(); }
      }
      items.forEach((item, index) => {
        if (list.children[index] !== item) { list.insertBefore(item, list.children[index] ?? null); }
      });
      find(`[data-lane="${lane}"]`, plot).hidden = lane !== "" && !mine.length;
    }
  }

  /** @param {string} lane */
  #lane(lane) {
    const group = make("div", "", { lane });
    if (lane) { group.append(make("h3", t("timeline.lane", { lane: t(`placement.${lane}`) }))); }
    const list = group.appendChild(make("ol", "", { queue: "" }));
    list.role = "list";
    return group;
  }

  /** @param {Row} row */
  #item({ id }) {
    const item = make("li");
    const label = item.appendChild(make("div", "", { about: "" }));
    const remove = make("button", "×");
    remove.type = "button";
    const line = find("[data-problem]", this.#section);
    remove.addEventListener("click", () => report(line, unlessGone(this.#channel().remove(id))));
    label.append(make("p"), make("small"), remove);
    const track = item.appendChild(make("div", "", { track: "" }));
    track.ariaHidden = "true";
    track.append(make("div", "", { strip: "" }));
    this.#items.set(id, item);
    return item;
  }

  /**
   * @param {HTMLLIElement} item
   * @param {Row} row
   * @param {number} index - its place in the queue
   * @param {boolean} isHere - whether this viewer still shows it, after the server has ended it
   */
  #label(item, row, index, isHere) {
    const words = wordsOf(row.toast);
    const state = stateOf(row);
    Object.assign(item.dataset, { state: isHere ? "here" : state, role: row.toast.role });
    Object.assign(find("p", item), { textContent: words, dir: "auto" });
    find("small", item).textContent = `${t(`role.${row.toast.role}`)} · ${isHere ? t("timeline.here") : this.#says(row, index)}`;
    const remove = find("button", item);
    remove.ariaLabel = t("timeline.dismiss", { words });
    remove.hidden = state === "dismissed";
  }

  /**
   * The focus is lost when its row moves or is removed. Give it back to the row, else to another row, else to the
   * button above them.
   *
   * @param {HTMLElement} item
   */
  #keepFocus(item) {
    if (item.isConnected && item.contains(document.activeElement) && !find("button", item).hidden) { return; }
    const buttons = [...this.#section.querySelectorAll("[data-queue] button")];
    const own = item.isConnected ? find("button", item) : undefined;
    const next = [own, ...buttons].find((it) => it instanceof HTMLElement && !it.hidden);
    /** @type {HTMLElement} */ (next ?? find("[data-clear]", this.#section)).focus();
  }

  /**
   * @param {Row} row
   * @param {number} index
   */
  #says(row, index) {
    if (row.dismissed !== undefined) { return t("timeline.gone", { reason: reasonOf(row) }); }
    if (row.presented === undefined) {
      return index === 0 ? t("timeline.next") : t("timeline.place", { number: index + 1 });
    }
    if (row.holders.length) { return t("timeline.held"); }
    if (row.end === undefined) { return t("timeline.stays"); }
    return t("timeline.shown", { seconds: (row.end - row.presented - held(row)) / 1000 });
  }

  /**
   * @param {HTMLLIElement} item
   * @param {Row} row
   * @param {Span[]} spans
   * @param {number} now
   */
  #bars(item, row, spans, now) {
    const strip = find("[data-strip]", item);
    const clipped = spans
      .map(({ kind, from, to }) => ({ kind, from: Math.max(from, now - 2 * past), to: Math.min(to, now + horizon) }))
      .filter(({ from, to }) => to > from);
    const bars = clipped.map(({ kind, from, to }) => {
      const bar = make("span", "", { kind });
      bar.style.setProperty("--from", String((from - this.#origin) / 1000));
      bar.style.setProperty("--for", String((to - from) / 1000));
      return bar;
    });
    if (row.dismissed !== undefined && !spans.some(({ kind }) => kind === "here")) {
      const end = make("span", reasonOf(row), { kind: "end" });
      end.style.setProperty("--from", String((row.dismissed + row.exit + row.pause - this.#origin) / 1000));
      bars.push(end);
    }
    strip.replaceChildren(...bars);
    if (!strip.getAnimations().length) {
      const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
      strip.animate(
        { translate: ["0", `calc(var(--second) * ${-lap / 1000})`] },
        { duration: lap, easing: isStill ? `steps(${lap / 1000})` : "linear" },
      );
    }
    for (const animation of strip.getAnimations()) { animation.currentTime = now - this.#origin; }
  }

  /**
   * Fill the table with the same data, if it is open.
   *
   * @param {number} now
   */
  #tabulate(now) {
    const details = /** @type {HTMLDetailsElement} */ (find("details", this.#section));
    if (!details.open) { return; }
    const rows = this.#timeline.rows().slice(-20).reverse().map((row) => {
      const { enqueued, presented, dismissed, toast } = row;
      const line = make("tr");
      const head = make("th", wordsOf(toast));
      head.scope = "row";
      head.dir = "auto";
      line.append(head, ...[
        t(`role.${toast.role}`),
        t(`state.${stateOf(row)}`),
        t("seconds", { seconds: ((presented ?? dismissed ?? now) - enqueued) / 1000 }),
        presented === undefined ? "–" : t("seconds", { seconds: ((dismissed ?? now) - presented) / 1000 }),
        row.holds.length ? t("seconds", { seconds: held(row, now) / 1000 }) : "–",
        dismissed === undefined ? "–" : reasonOf(row),
      ].map((words) => make("td", words)));
      return line;
    });
    find("tbody", details).replaceChildren(...rows);
  }
}

/** @param {Row} row */
function reasonOf({ reason = "api", action }) {
  return action ? t("reason.acted", { action }) : t(`reason.${reason}`);
}

/**
 * How long a toast was held, in ms.
 *
 * @param {Row} row
 * @param {number} [now]
 */
function held({ holds }, now = 0) {
  return holds.reduce((sum, { from, to = now }) => sum + Math.max(0, to - from), 0);
}
