/** Requests that few pages make: with a token, about what was refused, to publish. Together, because each is small. */

export { publish } from "./publish.js";
export { explain } from "./refusals.js";
export { authorization, ticketed } from "./tickets.js";
