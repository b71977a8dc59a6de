/** The server refused a request, and says why. `type` is the name without `urn:toastd:problem:`. */
export class ProblemError extends Error {
  /** @param {number} status @param {Record<string, any>} problem */
  constructor(status, problem) {
    const type = String(problem.type ?? "about:blank").replace("urn:toastd:problem:", "");
    const faults = (problem.errors ?? []).map((/** @type {any} */ fault) => `${fault.pointer}: ${fault.detail}`);
    super(`${status} ${type}: ${faults.join("; ") || problem.detail || problem.title || ""}`);
    this.name = "ProblemError";
    this.status = status;
    this.problem = problem;
    this.type = type;
  }
}

/** The server could not be reached. Try again later. */
export class ConnectionLost extends Error {
  /** @param {unknown} cause */
  constructor(cause) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = "ConnectionLost";
  }
}

/**
 * The problem of a response; one without a document, if a proxy answered.
 *
 * @param {Response} response @param {string} text - the body
 */
export function problemOf(response, text) {
  const document = parsed(text);
  const problem = document && typeof document === "object" ? document : { title: response.statusText };
  return new ProblemError(response.status, problem);
}

/** @param {string} text */
function parsed(text) {
  try { return JSON.parse(text); } catch { return undefined; }
}
