/** The server refused a request. `problem` is the document, `type` its type without `urn:toastd:problem:`. */
export class ProblemError extends Error {
  /** @param {number} status @param {Record<string, any>} problem */
  constructor(status, problem) {
    const type = String(problem.type ?? "about:blank").replace("urn:toastd:problem:", "");
    // A proxy's document may have the same members with other values.
    const errors = Array.isArray(problem.errors) ? problem.errors : [];
    const faults = errors.map((/** @type {any} */ fault) => `${fault?.pointer}: ${fault?.detail}`);
    super(`${status} ${type}: ${faults.join("; ") || problem.detail || problem.title || ""}`);
    this.name = "ProblemError";
    this.status = status;
    this.problem = problem;
    this.type = type;
  }
}

/** The server could not be reached, or did not answer in time. Try again later. */
export class ConnectionLost extends Error {
  /** @param {unknown} cause */
  constructor(cause) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = "ConnectionLost";
  }
}

/** The answer is not one of toastd, but of another server or a proxy. The address may be wrong. */
export class UnexpectedAnswer extends Error {
  /** @param {string} difference - how the answer differs from one of toastd */
  constructor(difference) {
    super(`the answer is not one of toastd: ${difference}`);
    this.name = "UnexpectedAnswer";
  }
}

/**
 * The problem in a response. For a response without a JSON object, such as a proxy's page, it has only the status text
 * as its title. Redirects are not followed; browsers reveal neither their status nor their target.
 *
 * @param {Response} response @param {string} text - the body
 */
export function problemOf(response, text) {
  if (response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400)) {
    const target = response.headers.get("Location") ?? "another address";
    return new ProblemError(response.status, { title: `The server redirects to ${target}: use that address.` });
  }
  const document = parsed(text);
  const problem = document && typeof document === "object" ? document : { title: response.statusText };
  return new ProblemError(response.status, problem);
}

/** The value of a JSON text; undefined if it is none. @param {string} text @returns {any} */
export function parsed(text) {
  try { return JSON.parse(text); } catch { return undefined; }
}
