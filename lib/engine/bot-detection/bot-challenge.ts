// Detects bot challenges: pages of bot protection, which challenge or refuse a visit in place of the page.
import * as v from "valibot";
import { pageBlocked } from "../errors/target-errors.ts";
import type * as botChallenge from "../injected/bot-challenge.ts";
import type { ShortPage } from "../injected/bot-challenge.ts";
import type { CapturedPage } from "../page/captured-page.ts";
import { evaluateInIsolatedWorld } from "../page/isolated-world.ts";
import { type PageFunction, pageFunction } from "../page/page-function.ts";
import { addProblem } from "../problems/problem-record.ts";
import { botChallengeFinding } from "../problems/rules/bot-challenge.ts";
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
  /** True when the caller's own `fail_on_status` conflicts with `ignore_host_errors`. */
  readonly isOwnRule: boolean;
}

/** The option that hides the signs of automation, as it is sent. */
export const STEALTH = "stealth=true";

/** The longest known challenge has about 1,000 characters. Articles have more. */
const MAX_CHARACTERS = 1_500;

/** A page of at most this length consists of little but the text that identifies a challenge. */
const SHORT_CHARACTERS = 400;

/** Many challenges check the browser for a few seconds, and let it through. */
const PASSING_MS = 5_000;
const POLL_MS = 250;

/** Statuses of challenges: a page with one of them is checked for a challenge before it is refused for its status. */
const challengeStatuses: ReadonlySet<number> = new Set([403, 405, 406, 418, 429, 430, 456, 503]);

export function isChallengeStatus(status: number): boolean {
  return challengeStatuses.has(status);
}

export interface BotChallenge {
  /** The vendor's name. */
  readonly name: string;
  /** False for a refusal, which no visitor can pass. */
  readonly canOpen: boolean;
}

/**
 * Waits until a challenge, if there is one, lets the page through. When it does not, throws `TARGET_BLOCKED`, or adds a
 * warning if the caller tolerates challenges. Returns true when there was a challenge that is gone.
 */
export async function waitForChallenge(
  capturing: CapturedPage,
  { tolerated, untried, isOwnRule }: ChallengePolicy,
): Promise<boolean> {
  const { activity, budget, now } = capturing;
  const first = await detectChallenge(capturing);
  if (first) activity.followRealTime();
  const expiry = now() + softAllowance(budget, now(), PASSING_MS);
  let challenge = first;
  while (challenge?.canOpen && now() < expiry) {
    const { documentId } = activity;
    await activity.until(() => activity.documentId !== documentId, Math.min(POLL_MS, expiry - now()));
    await activity.until(() => activity.document.parsed, expiry - now());
    challenge = await detectChallenge(capturing);
  }
  if (!challenge) return first !== undefined;
  const { name } = challenge;
  const { url, response } = activity.document;
  if (!tolerated) throw pageBlocked({ challenge: name, url, status: response?.status ?? null, untried, isOwnRule });
  addProblem(capturing, "BOT_CHALLENGE", botChallengeFinding(name, untried.includes(STEALTH)));
  return false;
}

/** The challenge that the page shows; undefined when there is none. */
export async function detectChallenge(capturing: CapturedPage): Promise<BotChallenge | undefined> {
  const { activity, budget, now } = capturing;
  const { documentId } = activity;
  const page = await evaluateInIsolatedWorld(capturing, readShortPage, selectors, MAX_CHARACTERS);
  // If the page has navigated meanwhile, the result may be that of the previous document.
  if (activity.documentId !== documentId && hardAllowance(budget, now()) > 0) return detectChallenge(capturing);
  const { response } = activity.document;
  const headers = response?.headers ?? {};
  const byHeaders = botChallengeSignatures.find((signature) => matchesHeaders(signature, headers))?.name;
  const name = byHeaders ?? (page ? findByContent(page, response?.status) : undefined);
  return name === undefined ? undefined : { name, canOpen: page?.canChange ?? true };
}

function findByContent(page: ShortPage, status: number | undefined): string | undefined {
  const doesTextCount = status !== 200 || page.text.length <= SHORT_CHARACTERS;
  const signature = botChallengeSignatures.find((each) => matchesContent(each, page, doesTextCount));
  return signature?.name ?? (doesTextCount ? findCaptcha(page) : undefined);
}

/** All selectors, which the page script matches in one call. */
const selectors = [
  ...botChallengeSignatures.flatMap(({ selector = [] }) => selector),
  ...captchaSelectors.map(({ selector }) => selector),
];

function matchesHeaders(
  { headers: known = {} }: BotChallengeSignature,
  headers: Readonly<Record<string, string>>,
): boolean {
  return Object.entries(known).some(([name, value]) => value.test(headers[name] ?? ""));
}

function matchesContent(
  { selector, loads, text }: BotChallengeSignature,
  page: ShortPage,
  doesTextCount: boolean,
): boolean {
  if (selector !== undefined && isMatched(selector, page)) return true;
  if (loads?.test(page.loads)) return true;
  return doesTextCount && (text?.test(`${page.title}\n${page.text}`) ?? false);
}

function isMatched(selector: string, { matched }: ShortPage): boolean {
  return matched[selectors.indexOf(selector)] ?? false;
}

/** A CAPTCHA on a page without fields that speaks of robots. */
function findCaptcha(page: ShortPage): string | undefined {
  if (page.hasFields || !captchaWords.test(`${page.title}\n${page.text}`)) return undefined;
  return captchaSelectors.find(({ selector }) => isMatched(selector, page))?.name;
}

const readShortPage: PageFunction<typeof botChallenge.readShortPage> = pageFunction("core", "readShortPage", {
  result: v.nullable(
    v.object({
      title: v.string(),
      text: v.string(),
      loads: v.string(),
      matched: v.array(v.boolean()),
      hasFields: v.boolean(),
      canChange: v.boolean(),
    }),
  ),
});
