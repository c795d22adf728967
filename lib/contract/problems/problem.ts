// What is wrong with a capture, as results, jobs, webhooks, logs and errors state it.
import * as v from "valibot";
import { type ProblemCode, problemCodes, problemKinds } from "./problem-kinds.ts";

/** A capture has at most this many problems, the worst first. */
export const MAX_PROBLEMS = 10;

/** Longest message, and longest text in the evidence. */
export const MAX_PROBLEM_CHARACTERS = 300;

const codeSchema = v.pipe(
  v.picklist(problemCodes),
  v.description(
    Object.entries(problemKinds)
      .map(([code, { meaning }]) => `- \`${code}\`: ${meaning}`)
      .join("\n"),
  ),
);

const EvidenceSchema = v.object({
  selector: v.exactOptional(v.pipe(v.string(), v.description("CSS selector of an element that shows the problem."))),
  text: v.exactOptional(v.pipe(v.string(), v.description("Text of the page that shows the problem."))),
  count: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0), v.description("How many were found."))),
  share: v.exactOptional(
    v.pipe(
      v.number(),
      v.minValue(0),
      v.maxValue(1),
      v.description("Affected fraction: of the window, or of the area of all images."),
    ),
  ),
  rectangle: v.exactOptional(
    v.pipe(
      v.object({ x: v.number(), y: v.number(), width: v.number(), height: v.number() }),
      v.description("Where it is on the page, in CSS pixels."),
    ),
  ),
  urls: v.exactOptional(
    v.pipe(v.array(v.string()), v.description("What failed or was still loading, without credentials and queries.")),
  ),
  frame: v.exactOptional(v.pipe(v.picklist(["first", "last"]), v.description("The frame of a video that shows it."))),
});

export const ProblemSchema = v.object({
  code: codeSchema,
  severity: v.pipe(
    v.picklist(["error", "warning", "info"]),
    v.description(
      "`error` if the result shows something else than the page, `warning` for a flaw, `info` if nothing is wrong with it.",
    ),
  ),
  message: v.pipe(v.string(), v.description("One or two sentences: what was seen, and what helps.")),
  fix: v.pipe(
    v.nullable(v.record(v.string(), v.unknown())),
    v.description("Options that are likely to help, with their values. `null` if no option is known to."),
  ),
  evidence: v.pipe(EvidenceSchema, v.description("What was seen, so that you can check it.")),
});

export const ProblemsSchema = v.pipe(
  v.array(ProblemSchema),
  v.description("What looks wrong in the result, the worst first. At most 10. Absent if nothing does."),
);

export const QualitySchema = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(0),
  v.maxValue(100),
  v.description(
    "100 minus what the problems take from it, not below 0. Set if there are problems, or with `min_quality` or " +
      "`metadata_report`.",
  ),
);

export type Evidence = v.InferOutput<typeof EvidenceSchema>;

/** Something that is wrong with a capture. */
export interface Problem extends v.InferOutput<typeof ProblemSchema> {
  readonly code: ProblemCode;
}

/** The quality of a capture: 100 minus the penalty of each problem, not below 0. */
export function quality(problems: readonly { readonly penalty: number }[]): number {
  return Math.max(0, 100 - problems.reduce((sum, { penalty }) => sum + penalty, 0));
}
