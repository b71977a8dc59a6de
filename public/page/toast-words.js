/**
 * The text that stands for a toast in lists.
 *
 * @import { Toast } from "../viewer/wire.d.ts"
 */

import { text, titleOf } from "../viewer/text.js";
import { wordsIn } from "../viewer/lazy/messages.js";
import { language } from "./language.js";

const say = wordsIn(language);

/** Its message; its title when it has none. @param {Toast} toast */
export const wordsOf = (toast) => text(toast.message) || titleOf(toast, say);
