// What a capture log keeps for the page of a single capture: times by phase, warnings, what was blocked, and the stored result.
import * as v from "valibot";

const milliseconds = v.number();

export const CaptureDetailsSchema = v.object({
  /** Milliseconds by phase, whole. */
  phases: v.optional(v.record(v.string(), milliseconds), {}),
  warnings: v.optional(v.array(v.string()), []),
  /** Report of what was blocked, where the caller asked to block anything. */
  blocked: v.optional(v.record(v.string(), v.unknown())),
  final_url: v.optional(v.string()),
  /** The stored result, while it exists: its object, and when its links expire in milliseconds since 1970. */
  result: v.optional(v.object({ key: v.string(), mime_type: v.string(), expires_at: v.number() })),
});
export type CaptureDetails = v.InferOutput<typeof CaptureDetailsSchema>;

/** A log is one item of a table, which costs by its size. */
const MAX_WARNINGS = 10;
const MAX_CHARACTERS = 300;

export interface DetailedFacts {
  /** Milliseconds by phase. */
  readonly phases: Readonly<Record<string, number>>;
  readonly warnings?: readonly string[];
  readonly blocked?: object | undefined;
  /** Only kept when it is another address than `url`. */
  readonly finalUrl?: string | null;
  readonly url: string;
  readonly result?: CaptureDetails["result"];
}

/** Returns the details to store: rounded, shortened, and without what is empty. */
export function captureDetails({
  phases,
  warnings = [],
  blocked,
  finalUrl,
  url,
  result,
}: DetailedFacts): Partial<CaptureDetails> {
  const times = Object.entries(phases).map(([name, duration]) => [name, Math.round(duration)] as const);
  const isElsewhere = finalUrl != null && finalUrl !== url && finalUrl.length <= MAX_CHARACTERS;
  return {
    ...(times.length > 0 && { phases: Object.fromEntries(times) }),
    ...(warnings.length > 0 && { warnings: warnings.slice(0, MAX_WARNINGS).map(shortened) }),
    ...(blocked && { blocked: { ...blocked } }),
    ...(isElsewhere && { final_url: finalUrl.toWellFormed() }),
    ...(result && { result }),
  };
}

function shortened(text: string): string {
  return text.length <= MAX_CHARACTERS ? text.toWellFormed() : `${text.slice(0, MAX_CHARACTERS).toWellFormed()}…`;
}
