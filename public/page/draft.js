/**
 * A form's fields as a toast, and a toast as the line that posts it.
 *
 * @typedef {Record<string, string>} Fields - by name; a box that is not ticked is absent
 */

/** The seconds of the preset durations: they go out by name. */
const namedDurations = ["short", "long", "indefinite"];

/**
 * The document to post: only what differs from leaving it out.
 *
 * @param {Fields} fields
 * @returns {Record<string, unknown>}
 */
export function draft(fields) {
  const number = (/** @type {string} */ text) => text === "" ? undefined : Number(text);
  const actions = [0, 1, 2]
    .map((index) => ({ title: fields[`action${index}`]?.trim(), role: fields[`actionRole${index}`] || undefined }))
    .filter(({ title }) => title)
    .map(({ title, role }) => prune({ id: identifier(title), title, role }));
  return prune({
    message: fields.message,
    title: { custom: fields.title, none: null }[fields.titleKind],
    role: fields.role,
    icon: fields.icon || undefined,
    style: fields.style,
    placement: fields.placement,
    duration: namedDurations.includes(fields.durationKind) ? fields.durationKind : number(fields.duration ?? ""),
    haptic: fields.haptic || undefined,
    actions: actions.length ? actions : undefined,
    progress: {
      determinate: { value: Number(fields.progress), total: 1 },
      indeterminate: { indeterminate: true },
    }[fields.progressKind],
    image: fields.image ? prune({ url: fields.image, alt: fields.alt || undefined }) : undefined,
    reuseIdentifier: fields.reuseIdentifier || undefined,
    requiresInteraction: "requiresInteraction" in fields || undefined,
    dimsBackground: "dimsBackground" in fields || undefined,
    expiresAfter: number(fields.expiresAfter ?? ""),
    data: parsed(fields.data ?? ""),
  });
}

/**
 * A line for a shell. A toast that is nothing but its message goes as plain text.
 *
 * @param {string | URL} address
 * @param {Record<string, unknown>} toast
 */
export function curl(address, toast) {
  const { message } = toast;
  // curl reads "@name" as the content of a file.
  if (Object.keys(toast).length === 1 && typeof message === "string" && message && !message.startsWith("@")) {
    return `curl -d ${quoted(message)} ${address}`;
  }
  return `curl --json ${quoted(JSON.stringify(toast, null, 2))} ${address}`;
}

/**
 * A word for a POSIX shell.
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

/** @param {string} title */
function identifier(title) {
  return title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "action";
}

/**
 * What somebody typed as JSON; as it stands, while it is none.
 *
 * @param {string} text
 */
function parsed(text) {
  try {
    return text.trim() ? JSON.parse(text) : undefined;
  } catch {
    return text;
  }
}
