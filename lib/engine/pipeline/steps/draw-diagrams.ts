// Draws the Mermaid diagrams of the caller's Markdown in the page.
import * as v from "valibot";
import { truncateReport } from "../../errors/target-report.ts";
import type * as diagrams from "../../injected/diagrams.ts";
import type { CapturedPage } from "../../page/captured-page.ts";
import { evaluateInIsolatedWorld, runInIsolatedWorld } from "../../page/isolated-world.ts";
import { type PageFunction, pageFunction } from "../../page/page-function.ts";
import { softAllowance } from "../../timing/budget.ts";
import { withTimeout } from "../../timing/with-timeout.ts";
import { type ReadyStep, readyStep, type StepFactory } from "../step.ts";

/** Longest time for all diagrams; those that are not drawn by then stay source. */
const MAX_DRAWING_MS = 10_000;

const MAX_WARNINGS = 3;

interface DrawDiagrams {
  /** `preferred` is what the page prefers. */
  readonly colors: diagrams.DiagramColors;
}

export const drawDiagrams: StepFactory<ReadyStep, DrawDiagrams> = readyStep({
  name: "draw-diagrams",
  awaits: () => "the diagrams to be drawn",
  runsOnce: true,
  run: async (page, { colors }) => {
    const count = await evaluateInIsolatedWorld(page, findDiagrams);
    if (count === 0) return;
    const { mermaidScript } = await import("../../inputs/mermaid-script.ts"); // most captures have no diagram
    await runInIsolatedWorld(page.session.cdp, await mermaidScript());
    await evaluateInIsolatedWorld(page, setUpDiagrams, colors);
    const failures = await drawAll(page, count);
    page.warnings.push(...failures.slice(0, MAX_WARNINGS));
    const others = failures.length - MAX_WARNINGS;
    if (others > 0) page.warnings.push(`${others} more diagrams aren't drawn.`);
  },
});

/** Returns what can't be drawn. */
async function drawAll(page: CapturedPage, count: number): Promise<string[]> {
  const { budget, now } = page;
  const end = now() + softAllowance(budget, now(), MAX_DRAWING_MS);
  const failures: string[] = [];
  for (let index = 0; index < count; index++) {
    const drawing = evaluateInIsolatedWorld(page, drawDiagram, index);
    const failure = await withTimeout(drawing, Math.max(0, end - now()));
    if (failure === undefined) {
      await stopDrawing(page);
      failures.push(`Diagrams from number ${index + 1} on took too long to draw, and their source is shown.`);
      break;
    }
    if (failure === null) continue;
    const reason = truncateReport(failure.replace(/\s+/g, " ").trim());
    failures.push(`Mermaid can't draw diagram ${index + 1}, and its source is shown: ${reason}`);
  }
  return failures;
}

/** Mermaid may place thousands of nodes in one piece of work, which keeps the page from everything else. */
async function stopDrawing(page: CapturedPage): Promise<void> {
  await page.session.cdp.send("Runtime.terminateExecution");
  const discard = () => evaluateInIsolatedWorld(page, discardDrawing);
  await discard().catch(discard); // between two pieces of work, the next script is what is terminated
}

const findDiagrams: PageFunction<typeof diagrams.findDiagrams> = pageFunction("diagrams", "findDiagrams", {
  result: v.number(),
});

const discardDrawing: PageFunction<typeof diagrams.discardDrawing> = pageFunction("diagrams", "discardDrawing");

const setUpDiagrams: PageFunction<typeof diagrams.setUpDiagrams> = pageFunction("diagrams", "setUpDiagrams");

const drawDiagram: PageFunction<typeof diagrams.drawDiagram> = pageFunction("diagrams", "drawDiagram", {
  waitsFor: "time",
  result: v.nullable(v.string()),
});
