// Plans how the document comes into the browser, and how it is confirmed.

import { isDeepStrictEqual } from "node:util";
import type { CaptureOptions } from "../../../options/capture-options.ts";
import { ERROR_STATUSES } from "../../../options/groups/waiting.ts";
import type { ChallengePolicy } from "../../bot-detection/bot-challenge.ts";
import type { PhaseStep } from "../step-registry.ts";

export function navigateToInput(options: CaptureOptions): PhaseStep<"navigate"> {
  const { url = "", html, markdown, base_url, referer } = options;
  const base = base_url === undefined ? {} : { baseUrl: base_url };
  if (html !== undefined) return { name: "write-html", html, ...base };
  if (markdown !== undefined) {
    const { markdown_theme: theme, markdown_css: css = "" } = options;
    return { name: "write-markdown", markdown, theme, css, ...base };
  }
  return {
    name: "navigate",
    url,
    timeoutMs: options.navigation_timeout * 1000,
    refused: options.fail_on_status,
    challenge: challengePolicy(options),
    ...(referer !== undefined && { referer }),
  };
}

/** Only a page that comes from a server can have a bot challenge before it. */
export function* waitForChallenge(options: CaptureOptions): Generator<PhaseStep<"ready">> {
  const { url, wait_until: conditions } = options;
  if (url !== undefined) yield { name: "wait-for-challenge", challenge: challengePolicy(options), conditions };
}

export function confirmDocument(options: CaptureOptions): PhaseStep<"confirm"> {
  const refused = options.fail_on_status;
  const { url } = options;
  return { name: "confirm-document", refused, ...(url !== undefined && { challenge: challengePolicy(options) }) };
}

function challengePolicy(options: CaptureOptions): ChallengePolicy {
  const { ignore_host_errors: tolerated, fail_on_status: refused, stealth, proxy, cookies } = options;
  const untried = [
    ...(stealth ? [] : ["stealth=true"]),
    ...(proxy === undefined ? ["a proxy"] : []),
    ...(cookies === undefined ? ["the cookies of a visitor who passed the challenge"] : []),
  ];
  return { tolerated, untried, isOwnRule: !tolerated && !isDeepStrictEqual(refused, ERROR_STATUSES) };
}
