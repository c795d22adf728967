// Plans how the document comes into the browser, and how it is confirmed.

import { isDeepStrictEqual } from "node:util";
import type { EngineOptions } from "../../../contract/options/engine-options.ts";
import { formatKind } from "../../../contract/options/formats.ts";
import { ERROR_STATUSES } from "../../../contract/options/groups/waiting.ts";
import { type ChallengePolicy, STEALTH } from "../../bot-detection/bot-challenge.ts";
import { showHtml } from "../../inputs/show-html.ts";
import { type ConfirmStep, type NavigateStep, navigateStep, type ReadyStep } from "../step.ts";
import { confirmDocumentStep } from "../steps/confirm-document.ts";
import { drawDiagrams } from "../steps/draw-diagrams.ts";
import { navigate } from "../steps/navigate.ts";
import { waitForChallengeStep } from "../steps/wait-for-challenge.ts";
import { writeMarkdown } from "../steps/write-markdown.ts";

export function planNavigation(options: EngineOptions): NavigateStep {
  const { url = "", html, markdown, base_url, referer } = options;
  const base = base_url === undefined ? {} : { baseUrl: base_url };
  if (html !== undefined) return writeHtml({ html, ...base });
  if (markdown !== undefined) {
    const { markdown_theme: theme, markdown_css: css = "" } = options;
    return writeMarkdown({ markdown, theme, css, drawsFormulas: drawsMarkdown(options), ...base });
  }
  return navigate({
    url,
    timeoutMs: options.navigation_timeout * 1000,
    refused: options.fail_on_status,
    challenge: challengePolicy(options),
    ...(referer !== undefined && { referer }),
  });
}

/** Formulas and diagrams that are read as text or as Markdown stay source. */
function drawsMarkdown({ format, markdown = "" }: EngineOptions): boolean {
  const isRead = format === "text" || format === "markdown";
  return !isRead || !/\$|\bmath\b|\bmermaid\b/.test(markdown); // those of other documents share a load
}

/** The diagrams of Markdown are drawn in the colours of the page. A PDF has dark ones only with the theme `dark`. */
export function* planDiagrams(options: EngineOptions): Generator<ReadyStep> {
  const { markdown, markdown_theme: theme, format } = options;
  if (markdown === undefined || !/\bmermaid\b/.test(markdown) || !drawsMarkdown(options)) return;
  const isLight = theme === "plain" || formatKind(format) === "pdf";
  yield drawDiagrams({ colors: theme === "dark" ? "dark" : isLight ? "light" : "preferred" });
}

/** Only a page that comes from a server can have a bot challenge before it. */
export function* planChallenge(options: EngineOptions): Generator<ReadyStep> {
  const { url, wait_until: conditions } = options;
  if (url !== undefined) yield waitForChallengeStep({ challenge: challengePolicy(options), conditions });
}

export function planConfirmation(options: EngineOptions): ConfirmStep {
  const refused = options.fail_on_status;
  const { url } = options;
  return confirmDocumentStep({ refused, ...(url !== undefined && { challenge: challengePolicy(options) }) });
}

function challengePolicy(options: EngineOptions): ChallengePolicy {
  const { ignore_host_errors: tolerated, fail_on_status: refused, stealth, proxy, cookies } = options;
  const untried = [
    ...(stealth ? [] : [STEALTH]),
    ...(proxy === undefined ? ["a proxy"] : []),
    ...(cookies === undefined ? ["the cookies of a visitor who passed the challenge"] : []),
  ];
  return { tolerated, untried, isOwnRule: !tolerated && !isDeepStrictEqual(refused, ERROR_STATUSES) };
}

interface WriteHtml {
  readonly html: string;
  readonly baseUrl?: string;
}

/** Writes the caller's HTML into the page, at the address of `base_url` if there is one. */
const writeHtml = navigateStep<WriteHtml>({
  name: "write-html",
  run: (page, { html, baseUrl }) => showHtml(page, html, baseUrl),
});
