/**
 * All of the viewer's own words, in the languages that it knows. A toast's words come from its publisher.
 */

import { first, speaker } from "../text.js";

const en = {
  ...first,
  more: "Show {n} more",
  less: "Show less",
  waiting: "{n} waiting",
  controls: "Notification controls",
  pause: "Pause",
  resume: "Resume",
  clear: "Dismiss all",
  history: "History",
  unread: "History, {n} new",
  preferences: "Settings",
  close: "Close",
  nothing: "No notifications yet.",
  time: "Time on screen",
  asSent: "As sent",
  times: "{n} times as long",
  never: "Until I dismiss them",
  pauseAll: "Pause notifications",
  pauseHelp: "What is shown stays, what comes waits.",
  quiet: "Do not disturb",
  quietHelp: "Only errors are shown. The rest is in the history.",
  vibration: "Vibration",
  position: "Position",
  top: "Top",
  center: "Center",
  bottom: "Bottom",
  style: "Style",
};

/** @typedef {keyof typeof en} Word */
/** @typedef {(word: Word, values?: Record<string, string | number>) => string} Say */
/** @typedef {Partial<Record<Word, string>>} Learned */

/** @type {Record<Word, string>} */
const de = {
  lang: "de",
  region: "Mitteilungen",
  hotkey: "{key} drücken",
  summary: "{n} Mitteilungen",
  missed: "{n} Mitteilungen, während Sie weg waren",
  disconnected: "Mitteilungen unterbrochen",
  reconnected: "Mitteilungen wieder verbunden",
  reconnecting: "Verbindung wird wiederhergestellt …",
  more: "{n} weitere zeigen",
  less: "Weniger zeigen",
  waiting: "{n} wartend",
  controls: "Mitteilungen steuern",
  pause: "Anhalten",
  resume: "Fortsetzen",
  clear: "Alle schließen",
  history: "Verlauf",
  unread: "Verlauf, {n} neu",
  preferences: "Einstellungen",
  close: "Schließen",
  nothing: "Noch keine Mitteilungen.",
  time: "Anzeigedauer",
  asSent: "Wie gesendet",
  times: "{n}-mal so lang",
  never: "Bis ich sie schließe",
  pauseAll: "Mitteilungen anhalten",
  pauseHelp: "Was zu sehen ist, bleibt; was kommt, wartet.",
  quiet: "Nicht stören",
  quietHelp: "Nur Fehler werden gezeigt. Alles andere steht im Verlauf.",
  vibration: "Vibration",
  position: "Position",
  top: "Oben",
  center: "Mitte",
  bottom: "Unten",
  style: "Stil",
  errorRole: "Fehler",
  warningRole: "Warnung",
  successRole: "Erfolg",
  infoRole: "Info",
  dismiss: "Schließen: {name}",
  progress: "Fortschritt",
  now: "jetzt",
};

/** @type {Record<string, Record<Word, string>>} */
const languages = { en, de };

/**
 * @param {string} language - a language tag; English if we have no words in it
 * @param {Learned} [learned] - the server's words, which replace ours
 * @returns {Say}
 */
export function wordsIn(language, learned = {}) {
  return speaker({ ...ours(language) ?? en, ...learned });
}

/** Our words in a language, if we have any. @param {string} language */
export function ours(language) {
  const [name] = language.toLowerCase().split("-");
  return Object.hasOwn(languages, name) ? languages[name] : undefined;
}
