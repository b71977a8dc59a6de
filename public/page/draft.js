/**
 * A form's fields as a toast, and a toast as the command line that posts it.
 *
 * @typedef {Record<string, string>} Fields - by name; a box that is not ticked is absent
 */

/** Durations that are sent by name. */
const namedDurations = ["short", "long", "indefinite"];

/**
 * The document to post, without the members that the form leaves open.
 *
 * @param {Fields} fields
 * @returns {Record<string, unknown>}
 */
export function draft(fields) {
  const number = (/** @type {string} */ text) => text === "" ? undefined : Number(text);
  const rows = actionRows(fields);
  const ids = identifiers(rows.map((index) => fields[`action${index}`]));
  const actions = rows.map((index, place) => prune({
    id: ids[place],
    title: fields[`action${index}`].trim(),
    role: fields[`actionRole${index}`] || undefined,
    url: fields[`actionURL${index}`] || undefined,
  }));
  return prune({
    message: fields.messageKind === "key" ? localized(fields) : fields.message,
    title: { custom: fields.title, none: null }[fields.titleKind],
    role: fields.role,
    icon: fields.icon || undefined,
    style: fields.style,
    placement: fields.placement,
    duration: namedDurations.includes(fields.durationKind) ? fields.durationKind : number(fields.duration ?? ""),
    haptic: fields.haptic || undefined,
    actions: actions.length ? actions : undefined,
    progress: {
      determinate: measured(fields),
      indeterminate: { indeterminate: true },
    }[fields.progressKind],
    image: fields.image ? prune({ url: fields.image, alt: fields.alt || undefined }) : undefined,
    reuseIdentifier: fields.reuseIdentifier || undefined,
    requiresInteraction: "requiresInteraction" in fields || undefined,
    dimsBackground: "dimsBackground" in fields || undefined,
    expiresAfter: number(fields.expiresAfter ?? ""),
    appearance: parsed(fields.appearance ?? ""),
    data: parsed(fields.data ?? ""),
  });
}

/**
 * The field that a member of the toast came from.
 *
 * @param {string} pointer - to the member, RFC 6901
 * @param {Fields} fields
 * @returns {string | undefined} undefined if no field made it
 */
export function fieldOf(pointer, fields) {
  const [member, ...rest] = pointer.split("/").slice(1);
  const inner = rest.at(-1) ?? "";
  switch (member) {
    case "message":
      return fields.messageKind !== "key" ? "message" : { arguments: "arguments", default: "fallback" }[rest[0]] ?? "key";
    case "actions": {
      const index = actionRows(fields)[Number(rest[0] ?? 0)] ?? 0;
      return `${{ role: "actionRole", url: "actionURL" }[inner] ?? "action"}${index}`;
    }
    case "progress":
      return { total: "total", dismissAfter: "dismissAfter" }[inner] ?? "progress";
    case "image":
      return inner === "alt" ? "alt" : "image";
    case "duration":
      return fields.durationKind === "custom" ? "duration" : "durationKind";
    case "title":
      return fields.titleKind === "custom" ? "title" : "titleKind";
    default:
      return [
        "role", "style", "placement", "icon", "haptic", "expiresAfter", "reuseIdentifier",
        "requiresInteraction", "dimsBackground", "appearance", "data",
      ].find((name) => name === member);
  }
}

/**
 * The rows of the form that hold an action.
 *
 * @param {Fields} fields
 */
function actionRows(fields) {
  return [0, 1, 2].filter((index) => fields[`action${index}`]?.trim());
}

/** @param {Fields} fields */
function measured({ progress, total, dismissAfter }) {
  const whole = Number(total || 1);
  const value = Math.round(Number(progress) * whole * 1000) / 1000;
  return prune({ value, total: whole, dismissAfter: dismissAfter ? Number(dismissAfter) : undefined });
}

/**
 * A text that is looked up in the reader's language.
 *
 * @param {Fields} fields
 */
function localized({ key, arguments: values, fallback }) {
  const list = (values ?? "").split(",").map((value) => value.trim()).filter(Boolean);
  return prune({ key, arguments: list.length ? list : undefined, default: fallback || undefined });
}

/** The option of curl for a key, with a space after it; empty if requests need no key. */
export const authorization = (/** @type {boolean} */ needsKey) => needsKey ? '-H "Authorization: Bearer $TOASTD_TOKEN" ' : "";

/**
 * A command line that posts a toast. A toast with only a message is sent as plain text.
 *
 * @param {string | URL} address
 * @param {Record<string, unknown>} toast
 * @param {boolean} [needsKey] - whether the server requires one
 */
export function curl(address, toast, needsKey = false) {
  const { message } = toast;
  const shown = authorization(needsKey);
  // curl reads "@name" as the content of a file.
  if (Object.keys(toast).length === 1 && typeof message === "string" && message && !message.startsWith("@")) {
    return `curl ${shown}-d ${quoted(message)} ${address}`;
  }
  return `curl ${shown}--json ${quoted(JSON.stringify(toast, null, 2))} ${address}`;
}

/**
 * A quoted word for a POSIX shell.
 *
 * @param {string} word
 */
export function quoted(word) {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/**
 * @template {object} Value
 * @param {Value} value
 * @returns {Record<string, unknown>}
 */
function prune(value) {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));
}

/**
 * An id for each action, from its title; titles that make the same id get a number.
 *
 * @param {string[]} titles
 */
function identifiers(titles) {
  /** @type {string[]} */
  const ids = [];
  for (const title of titles) {
    // The server accepts 64 characters: 60 leave room for the number.
    const stem = title.toLowerCase().replace(/[^a-z0-9]+/g, "-").slice(0, 60).replace(/^-|-$/g, "") || "action";
    let id = stem;
    for (let number = 2; ids.includes(id); number += 1) { id = `${stem}-${number}`; }
    ids.push(id);
  }
  return ids;
}

/**
 * The value of a JSON text; undefined if it is empty, the text itself if it is invalid.
 *
 * @param {string} text
 */
export function parsed(text) {
  try {
    return text.trim() ? JSON.parse(text) : undefined;
  } catch {
    return text;
  }
}
