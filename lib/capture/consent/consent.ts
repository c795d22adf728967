// Cookie banners of the platforms that are known: rejected by a click, as a visitor would.
import { setTimeout as sleep } from "node:timers/promises";
import { softAllowance } from "../budget.ts";
import type { Capturing } from "../capturing.ts";
import { ask } from "../page/isolated-world.ts";
import { loadConditions } from "../page/load-conditions.ts";
import { isBannerDue, isFrameSeen, untilGone } from "../scripts/consent.ts";
import { within } from "../within.ts";
import type { ConsentFrame, Stage } from "./autoconsent-frame.ts";
import { bannerParts, platformName } from "./autoconsent-rules.ts";
import { ConsentWatch } from "./autoconsent-watch.ts";

/** Longest wait for a banner that has been found to be closed. */
const CLOSE_MS = 4_000;

/** Longest time each stage is waited for: a look at the page, a platform to show its banner, another frame to go on. */
const STAGES_MS: Partial<Record<Stage, number>> = {
  looking: 1_000,
  found: 1_000,
  closing: CLOSE_MS,
  "passed-on": 1_500,
};

/** Longest wait for a banner that its platform announces. */
const DUE_MS = 1_000;
const DUE_PAUSE_MS = 150;

/** Longest wait for a closed banner to fade out. */
const FADE_MS = 1_500;

const POLL_MS = 10;

/** Looks out for banners from now on, in all frames of all documents to come. */
export async function watchForConsent(capturing: Capturing, { accept }: { readonly accept: boolean }): Promise<void> {
  const files = await capturing.lists.consent();
  capturing.consent = { watch: new ConsentWatch(capturing.session.cdp, files), accept };
}

/** Waits until the banner that has come up, if one has, is closed: for a short time of its own. */
export async function closeConsent(capturing: Capturing): Promise<void> {
  const { consent, activity, budget, now } = capturing;
  if (!consent) return;
  const end = now() + softAllowance(budget, now(), CLOSE_MS);
  const rounds = 2; // the answer may lead to another document, which is looked at, too
  for (let round = 0; round < rounds; round++) {
    const { departures, documentId } = activity;
    const frame = await finished(capturing, consent.watch, end);
    const closedBy = frame && (await within(closing(capturing, frame, end), Math.max(0, end + FADE_MS - now())));
    tell(capturing, closedBy ? { frame, closedBy } : undefined);
    if (activity.departures === departures && activity.documentId === documentId) return;
    await loadConditions.auto(capturing);
  }
}

type ClosedBy = "rejecting" | "accepting" | "hiding";

/** A banner whose answer led to another document is gone with its own. */
function tell({ blocked, consent }: Capturing, closed: { frame: ConsentFrame; closedBy: ClosedBy } | undefined): void {
  const before = consent?.watch.closed;
  const { frame, closedBy } = closed ?? { frame: before, closedBy: before?.isHidden ? "hiding" : "rejecting" };
  if (frame?.rule === undefined || (!closed && !before?.isGone)) return;
  blocked.cookie_banner = { platform: platformName(frame.rule), closed_by: closedBy };
}

/** The frame that has answered a banner, or has failed to; undefined where there is none. */
async function finished(
  { session, now }: Capturing,
  watch: ConsentWatch,
  end: number,
): Promise<ConsentFrame | undefined> {
  const due = Math.min(end, now() + DUE_MS);
  for (;;) {
    await watch.look();
    while (now() < end && watch.frames.some(isBusy) && !watch.frames.some(isClosed)) await sleep(POLL_MS);
    const frame =
      watch.frames.find(isClosed) ?? watch.frames.find(({ stage }) => stage === "failed" || stage === "passed-on");
    if (frame || watch.frames.some(({ stage }) => stage === "found")) return frame;
    if (now() >= due) return undefined;
    const asking = session.cdp.send("Runtime.evaluate", {
      expression: `(${isBannerDue})()`,
      awaitPromise: true,
      returnByValue: true,
    });
    const answer = await within(asking, due - now()).catch(() => undefined);
    if (answer?.result.value !== true) return undefined;
    await sleep(DUE_PAUSE_MS);
  }
}

const isClosed = ({ stage }: ConsentFrame) => stage === "closed";

function isBusy({ stage, since }: ConsentFrame): boolean {
  return performance.now() - since < (STAGES_MS[stage] ?? 0);
}

/** How the banner of a frame was closed, once it is not to be seen any more; undefined where it stays. */
async function closing(capturing: Capturing, frame: ConsentFrame, end: number): Promise<ClosedBy | undefined> {
  const { consent, now } = capturing;
  if (frame.stage !== "failed" && (await isGone(capturing, frame))) return frame.isHidden ? "hiding" : "rejecting";
  if (!consent?.accept) return undefined;
  frame.accept();
  while (now() < end && frame.stage === "closing" && !frame.isGone) await sleep(POLL_MS);
  return (await isGone(capturing, frame)) ? "accepting" : undefined;
}

/** Waits until a banner has faded out. */
async function isGone(capturing: Capturing, { document, rule = "" }: ConsentFrame): Promise<boolean> {
  const { consent, session, now } = capturing;
  if (!consent) return true;
  if (document.isTop) {
    const { box, around } = bannerParts(consent.watch.files.rules, rule);
    return (await ask(capturing, untilGone, [...box, ...around], FADE_MS)) || ask(capturing, untilGone, [...box], 0);
  }
  const expiry = now() + FADE_MS;
  for (;;) {
    if (!(await isFrameShown(session.cdp, document.frameId))) return true;
    if (now() >= expiry) return false;
    await sleep(30);
  }
}

/** False where the frame is gone, or is not to be seen. */
async function isFrameShown(cdp: Capturing["session"]["cdp"], frameId: string): Promise<boolean> {
  try {
    const { backendNodeId } = await cdp.send("DOM.getFrameOwner", { frameId });
    const { object } = await cdp.send("DOM.resolveNode", { backendNodeId });
    const { result } = await cdp.send("Runtime.callFunctionOn", {
      objectId: object.objectId ?? "",
      functionDeclaration: String(isFrameSeen),
      returnByValue: true,
    });
    return result.value === true;
  } catch {
    return false;
  }
}
