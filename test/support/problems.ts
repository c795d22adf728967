// Captures pages for what is wrong with them, or opens and judges them without a capture.

import type { Problem } from "../../lib/contract/problems/problem.ts";
import type { ProblemCode } from "../../lib/contract/problems/problem-kinds.ts";
import type { Capture } from "../../lib/engine/pipeline/capture-output.ts";
import { judgePage } from "../../lib/engine/problems/judge-page.ts";
import { captureWith } from "./chromium.ts";
import { openPage } from "./open-page.ts";

type Sent = Readonly<Record<string, unknown>>;

/** A capture of HTML in a small window, unless `options` say otherwise. */
export function captureHtml(html: string, options: Sent = {}): Promise<Capture> {
  const usual = { viewport_width: 640, viewport_height: 480 };
  return captureWith({ html: `<!doctype html>${html}`, ...usual, ...options });
}

/** The codes of the problems of a page, the worst first. */
export async function codesOf(html: string, options: Sent = {}): Promise<readonly ProblemCode[]> {
  return (await captureHtml(html, options)).problems.map(({ code }) => code);
}

/** A problem of a page, which must have it. */
export async function problemOf(code: ProblemCode, html: string, options: Sent = {}) {
  return requireProblem(code, (await captureHtml(html, options)).problems);
}

function requireProblem(code: ProblemCode, problems: readonly Problem[]) {
  const problem = problems.find((each) => each.code === code);
  if (!problem)
    throw new Error(`No ${code} was found, but ${problems.map((each) => each.code).join(", ") || "nothing"}.`);
  return problem;
}

/**
 * Judges HTML once it has loaded, as a capture does before it takes its picture: in a small window, or as a whole with
 * `full_page`. For pages that load at once, and problems that a look at the page alone can tell.
 */
async function judgeHtml(html: string, options: Sent = {}): Promise<readonly Problem[]> {
  const window = { width: 640, height: 480 };
  await using opened = await openPage(`<!doctype html>${html}`, { window, options });
  const { capturing } = opened;
  if (!(await judgePage(capturing, { isWhole: capturing.options.full_page })))
    throw new Error("The page does not answer.");
  return capturing.problems;
}

/** The codes of the problems of a page that is judged without a capture. */
export async function judgedCodesOf(html: string, options: Sent = {}): Promise<readonly ProblemCode[]> {
  return (await judgeHtml(html, options)).map(({ code }) => code);
}

/** A problem of a page that is judged without a capture, which must have it. */
export async function judgedProblemOf(code: ProblemCode, html: string, options: Sent = {}) {
  return requireProblem(code, await judgeHtml(html, options));
}

/** Sentences of a page that is right. */
export const prose = `<p>${"The lighthouse was built in 1874, and its keeper counted birds. ".repeat(12)}</p>`;
