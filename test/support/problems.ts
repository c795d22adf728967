// Captures pages for what is wrong with them.
import type { ProblemCode } from "../../lib/contract/problems/problem-kinds.ts";
import type { Capture } from "../../lib/engine/pipeline/capture-output.ts";
import { captureWith } from "./chromium.ts";

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
  const { problems } = await captureHtml(html, options);
  const problem = problems.find((each) => each.code === code);
  if (!problem)
    throw new Error(`No ${code} was found, but ${problems.map((each) => each.code).join(", ") || "nothing"}.`);
  return problem;
}

/** Sentences of a page that is right. */
export const prose = `<p>${"The lighthouse was built in 1874, and its keeper counted birds. ".repeat(12)}</p>`;
