// Steps that bring the document into the browser: from an address, from HTML, from Markdown.
import { ApiError } from "../../../errors/api-error.ts";
import { isChallengeStatus, waitForChallenge } from "../../bot-detection/bot-challenge.ts";
import { MarkdownTooComplexError, renderMarkdown } from "../../inputs/markdown.ts";
import { openVirtualDocument } from "../../inputs/virtual-document.ts";
import { confirmDocument, isWithin } from "../../page/confirm-document.ts";
import { callIsolated, evaluateInIsolatedWorld, precreateIsolatedWorlds } from "../../page/isolated-world.ts";
import { hardAllowance, softAllowance } from "../budget.ts";
import { type CaptureState, StepTimeout } from "../capture-context.ts";
import { isContextLost, urlNotAllowed } from "../capture-failure.ts";
import { withTimeout } from "../with-timeout.ts";
import type { Actions } from "./actions.ts";

/** A failed navigation is told before the events of its request, which know what the target answered. */
const REQUEST_EVENTS_MS = 250;

/** Longest wait for a page that will be refused, unless it is a wall. */
const PARSING_MS = 2_000;

const MARKDOWN_MS = 10_000;

export const arriveActions = {
  "open-url": async (capturing, { url, referer, timeoutMs, refused, wall }) => {
    const { href, protocol } = new URL(url);
    if (protocol !== "http:" && protocol !== "https:") throw urlNotAllowed(url);
    const { session, activity, budget, now } = capturing;
    capturing.address = href;
    activity.expectDocument(href);
    precreateIsolatedWorlds(session.cdp);
    const navigation = session.cdp.send("Page.navigate", {
      url: href,
      // As a link there would send it, whatever the page's own policy.
      ...(referer !== undefined && { referrer: referer, referrerPolicy: "unsafeUrl" as const }),
    });
    const arrived = await withTimeout(navigation, hardAllowance(budget, now(), timeoutMs));
    if (!arrived) throw new StepTimeout("the page to answer");
    if (arrived.errorText) await activity.until(() => activity.document.netError !== undefined, REQUEST_EVENTS_MS);
    confirmDocument(capturing, [], arrived.errorText);
    // A page that will be refused for its status is first looked at for a wall, which may let it through.
    const status = activity.document.response?.status ?? 0;
    if (isChallengeStatus(status) && isWithin(refused, status) && !arrived.errorText) {
      await activity.until(() => activity.document.parsed, softAllowance(budget, now(), PARSING_MS));
      await waitForChallenge(capturing, wall);
    }
    confirmDocument(capturing, refused, arrived.errorText);
  },

  "write-html": (capturing, { html, baseUrl }) => show(capturing, html, baseUrl),

  "write-markdown": async (capturing, { markdown, theme, css, baseUrl }) => {
    const timeoutMs = hardAllowance(capturing.budget, capturing.now(), MARKDOWN_MS);
    const html = await renderMarkdown(markdown, { timeoutMs, theme, css }).catch((error) => {
      if (!(error instanceof MarkdownTooComplexError)) throw error;
      throw new ApiError("VALIDATION_ERROR", error.message, { details: { markdown: [error.message] }, cause: error });
    });
    await show(capturing, html, baseUrl);
  },
} satisfies Actions;

async function show(capturing: CaptureState, html: string, baseUrl: string | undefined): Promise<void> {
  if (baseUrl !== undefined) return openVirtualDocument(capturing, html, baseUrl);
  const { session, activity } = capturing;
  if (await evaluateInIsolatedWorld(capturing, "prefersDark")) await openLightPage(capturing);
  activity.expectDocument("about:blank");
  await callIsolated(session.cdp, "writeDocument", html).catch((error) => {
    if (!isContextLost(error)) throw error; // else it has been written, and leads elsewhere
  });
}

/**
 * To a visitor who prefers dark, Chromium shows about:blank on dark ground whatever is written there, under text that
 * stays black; any other page has a white ground unless it says more.
 */
async function openLightPage({ session, activity, budget, now }: CaptureState): Promise<void> {
  await session.cdp.send("Page.navigate", { url: "data:text/html," });
  await activity.until(() => activity.document.loaded, hardAllowance(budget, now()));
}
