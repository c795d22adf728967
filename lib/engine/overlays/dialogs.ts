// Boxes that lie over a page and that no list knows: told by their looks and their words, closed or taken away.
import { setTimeout as sleep } from "node:timers/promises";
import {
  closeOverlays,
  findOverlays,
  normalizeText,
  type OverlayPatterns,
  pageContent,
  pageTools,
  readLabels,
  removeOverlays,
  restoreScroll,
} from "../injected/dialogs.ts";
import { evaluateInIsolatedWorld } from "../page/isolated-world.ts";
import { waitForLoad } from "../page/load-conditions.ts";
import { softAllowance } from "../timing/budget.ts";
import { withTimeout } from "../timing/with-timeout.ts";
import type { OverlayPage } from "./overlay-page.ts";
import { assertNotNavigated, currentDocument, recordDismissal } from "./page-left.ts";
import { gate, names, paid, vocabulary, type Words } from "./vocabulary.ts";

/** Longest time for all of it, in which nothing new is begun afterwards; what was begun may end a little later. */
const DIALOGS_MS = 1_500;
const GRACE_MS = 1_000;

/** Longest wait for a box that was clicked away to fade out; what is still there is hidden. */
const FADE_MS = 600;
const POLL_MS = 30;

/** What waited for the first box to go has appeared after this time. */
const SECOND_LOOK_MS = 300;

/** What is closed, and how. */
export interface OverlayClosing {
  /** Cookie walls only, or any dialog. */
  readonly what: "consent" | "any";
  /** True where nothing is clicked, since a click has led away from the page before. @default false */
  readonly onlyHides?: boolean | undefined;
}

/**
 * Closes what lies over the page: by a click that affirms, refuses or closes, else by hiding. What the page does against
 * it is not an error, but throws `PageLeft` when a click leads to another page.
 */
export async function closeDialogs(capturing: OverlayPage, closing: OverlayClosing): Promise<void> {
  const { activity, budget, now } = capturing;
  let end = now() + softAllowance(budget, now(), DIALOGS_MS);
  for (const isFirst of [true, false]) {
    const { departures, documentId } = activity;
    const isClosed = await bounded(closeNow(capturing, closing, end), end + GRACE_MS - now());
    if (!isClosed || !isFirst) return;
    await sleep(SECOND_LOOK_MS);
    const isThere = activity.departures === departures && activity.documentId === documentId;
    if (isThere && now() >= end) return;
    if (isThere) continue;
    assertNotNavigated(capturing);
    await waitForLoad(capturing); // the answer has led to the page once more
    end = now() + softAllowance(budget, now(), DIALOGS_MS);
  }
}

/** Closes what is there now; false where that is nothing, or time was up: then the page may be another step's. */
async function closeNow(
  capturing: OverlayPage,
  { what, onlyHides = false }: OverlayClosing,
  end: number,
): Promise<boolean> {
  const { blocked, now, overlays } = capturing;
  const { dismissal } = overlays;
  recordDismissal(capturing, currentDocument(capturing));
  const { closed, clicked } = await evaluateInIsolatedWorld(
    capturing,
    closeOverlays,
    { what, onlyHides, afterConsent: blocked.cookie_banner !== undefined, patterns: patterns() },
    normalizeText,
    pageTools,
    pageContent,
    readLabels,
    findOverlays,
  );
  const isSameDocument = overlays.dismissal?.documentId === capturing.activity.documentId;
  if (!clicked && isSameDocument) overlays.dismissal = dismissal;
  if (closed === 0 || now() >= end + GRACE_MS) return false;
  blocked.dialogs += closed;
  const faded = Math.min(end, now() + FADE_MS);
  while (clicked && now() < faded && (await evaluateInIsolatedWorld(capturing, removeOverlays, false, pageTools)) > 0)
    await sleep(POLL_MS);
  if (now() >= end + GRACE_MS) return false;
  await evaluateInIsolatedWorld(capturing, removeOverlays, true, pageTools);
  return true;
}

/** Lets a page scroll again that could not because of what lay over it, and takes away its blur. */
export async function unlockPage(capturing: OverlayPage): Promise<void> {
  const { budget, now, blocked } = capturing;
  const hasClosed = blocked.dialogs > 0 || blocked.cookie_banner !== undefined;
  const unlocking = evaluateInIsolatedWorld(
    capturing,
    restoreScroll,
    { hasClosed, consentNames: named(names.consent) },
    pageTools,
  );
  const isUnlocked = await bounded(unlocking, softAllowance(budget, now(), DIALOGS_MS));
  if (isUnlocked) blocked.unlocked = true;
}

/** A page that is too busy, or goes away, is left as it is. */
async function bounded<T>(work: Promise<T>, allowance: number): Promise<T | undefined> {
  return withTimeout(work, Math.max(0, allowance)).catch(() => undefined);
}

let compiled: OverlayPatterns | undefined;

function patterns(): OverlayPatterns {
  compiled ??= {
    cookie: spoken("cookie"),
    privacy: spoken("privacy"),
    context: spoken("context"),
    reject: spoken("reject"),
    all: spoken("all"),
    only: spoken("only"),
    needed: spoken("needed"),
    accept: spoken("accept"),
    settings: spoken("settings"),
    close: spoken("close"),
    later: spoken("later"),
    offer: spoken("offer"),
    paid: patternOf(paid.split(", ")),
    age: patternOf(gate.age.split(", ")),
    yes: patternOf(gate.yes.split(", ")),
    no: patternOf(gate.no.split(", ")),
    leave: patternOf(gate.leave.split(", ")),
    boxNames: named(names.box),
    gateNames: named(names.gate),
    chatNames: named(names.chat),
    consentNames: named(names.consent),
  };
  return compiled;
}

/** In all languages: a page may be in another one than it says. */
function spoken(kind: keyof Words): string {
  return patternOf(Object.values(vocabulary).flatMap((words) => words[kind].split(", ")));
}

/** What words consist of: where `plain` has left no punctuation, whatever is no space. Classes of letters cost too much. */
const INNER = "[^ ]";

/** The pattern of words, which stand for themselves in scripts that leave no space between them. */
function patternOf(words: readonly string[]): string {
  const unspaced: string[] = [];
  const spaced: string[] = [];
  for (const word of new Set(words.map(normalizeText))) {
    if (/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u.test(word))
      unspaced.push(escaped(word));
    else spaced.push(prefixes(word) + escaped(word).replaceAll("\\*\\*", ".*").replaceAll("\\*", `${INNER}*`));
  }
  // The longest comes first, so that it is what is found.
  spaced.sort((one, other) => other.length - one.length);
  return [`(?<!${INNER})(?:${spaced.join("|")})(?!${INNER})`, ...unspaced].join("|");
}

/** In some languages "and", "the" or "of" is the beginning of the next word. */
function prefixes(word: string): string {
  if (/^\p{Script=Arabic}/u.test(word)) return "(?:[وبل]?(?:ال)?|لل)";
  if (/^\p{Script=Hebrew}/u.test(word)) return "[והבלמשכ]{0,2}";
  return "";
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}

/** Names in ids and classes are parts of words with dashes, or with capitals. */
function named(alternatives: string): string {
  return `(?<![a-z])(?:${alternatives})(?![a-z])`;
}
