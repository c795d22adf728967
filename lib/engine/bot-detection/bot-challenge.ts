// Pages that stand before the page that was asked for: challenges and refusals of bot walls.

import { pageBlocked } from "../errors/target-errors.ts";
import { readShortPage, type ShortPage } from "../injected/bot-challenge.ts";
import type { CapturedPage } from "../page/captured-page.ts";
import { evaluateInIsolatedWorld } from "../page/isolated-world.ts";
import { hardAllowance, softAllowance } from "../timing/budget.ts";
import {
  type BotChallengeSignature,
  botChallengeSignatures,
  captchaSelectors,
  captchaWords,
} from "./bot-challenge-signatures.ts";

/** What happens to a capture whose page is behind a bot challenge. */
export interface ChallengePolicy {
  /** True when the challenge page is captured, with a warning. */
  readonly tolerated: boolean;
  /** Options that may help and are not set. */
  readonly untried: readonly string[];
}

/** Walls say at most this much; the longest of those that are known, about 1,000 characters. Articles say more. */
const MOST_CHARACTERS = 1_500;

/** A page that says no more than this is nothing but the phrase by which a wall is known. */
const FEW_CHARACTERS = 400;

/** Many walls look at the browser for a few seconds, and let it through. */
const PASSING_MS = 5_000;
const LOOK_AGAIN_MS = 250;

/** Statuses with which walls answer: a page with one of them is looked at before it is refused for its status. */
const wallStatuses: ReadonlySet<number> = new Set([403, 405, 406, 418, 429, 430, 456, 503]);

export function isChallengeStatus(status: number): boolean {
  return wallStatuses.has(status);
}

/** A wall that the window shows instead of the page. */
export interface BotChallenge {
  readonly name: string;
  /** False for a mere refusal, with nothing on it that could let a visitor through. */
  readonly canOpen: boolean;
}

/**
 * Waits for a wall to let the page through, if there is one. Throws `TARGET_BLOCKED` when it does not, unless the caller
 * takes whatever is there: then it is a warning. True where there was a wall that is gone.
 */
export async function waitForChallenge(
  capturing: CapturedPage,
  { tolerated, untried }: ChallengePolicy,
): Promise<boolean> {
  const { activity, budget, now, warnings } = capturing;
  const first = await detectChallenge(capturing);
  const expiry = now() + softAllowance(budget, now(), PASSING_MS);
  let wall = first;
  while (wall?.canOpen && now() < expiry) {
    const { documentId } = activity;
    await activity.until(() => activity.documentId !== documentId, Math.min(LOOK_AGAIN_MS, expiry - now()));
    await activity.until(() => activity.document.parsed, expiry - now());
    wall = await detectChallenge(capturing);
  }
  if (!wall) return first !== undefined;
  const { url, response } = activity.document;
  const blocked = pageBlocked({ challenge: wall.name, url, status: response?.status ?? null, untried });
  if (!tolerated) throw blocked;
  warnings.push(`What was captured is the wall of ${wall.name} against robots, not the page behind it.`);
  return false;
}

/** The wall that the window shows instead of the page; undefined where there is none. */
export async function detectChallenge(capturing: CapturedPage): Promise<BotChallenge | undefined> {
  const { activity, budget, now } = capturing;
  const { documentId } = activity;
  const page = await evaluateInIsolatedWorld(capturing, readShortPage, selectors, MOST_CHARACTERS);
  // What answered need not be the newest document where the page has gone on meanwhile.
  if (activity.documentId !== documentId && hardAllowance(budget, now()) > 0) return detectChallenge(capturing);
  const { response } = activity.document;
  const headers = response?.headers ?? {};
  const announced = botChallengeSignatures.find((wall) => isAnnounced(wall, headers))?.name;
  const name = announced ?? (page ? shownBy(page, response?.status) : undefined);
  return name === undefined ? undefined : { name, canOpen: page?.canChange ?? true };
}

function shownBy(page: ShortPage, status: number | undefined): string | undefined {
  const isPlain = status !== 200 || page.text.length <= FEW_CHARACTERS;
  const shown = botChallengeSignatures.find((wall) => isShown(wall, page, isPlain));
  return shown?.name ?? (isPlain ? puzzleOn(page) : undefined);
}

/** Everything that is looked for by selector: a page is asked for all of it at once. */
const selectors = [
  ...botChallengeSignatures.flatMap(({ marks = [] }) => marks),
  ...captchaSelectors.map(({ selector }) => selector),
];

function isAnnounced(
  { headers: known = {} }: BotChallengeSignature,
  headers: Readonly<Record<string, string>>,
): boolean {
  return Object.entries(known).some(([name, value]) => value.test(headers[name] ?? ""));
}

function isShown({ marks, loads, says }: BotChallengeSignature, page: ShortPage, isPlain: boolean): boolean {
  if (marks !== undefined && isMatched(marks, page)) return true;
  if (loads?.test(page.loads)) return true;
  return isPlain && (says?.test(`${page.title}\n${page.text}`) ?? false);
}

function isMatched(selector: string, { matched }: ShortPage): boolean {
  return matched[selectors.indexOf(selector)] ?? false;
}

/** A puzzle with nothing beside it but words about robots. */
function puzzleOn(page: ShortPage): string | undefined {
  if (page.hasFields || !captchaWords.test(`${page.title}\n${page.text}`)) return undefined;
  return captchaSelectors.find(({ selector }) => isMatched(selector, page))?.name;
}
