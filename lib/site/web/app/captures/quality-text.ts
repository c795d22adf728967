// The quality of a capture by its problems, as far as the log has it.
import type { Problem } from "../../../../../clients/typescript/src/generated/types.ts";
import { problemKinds } from "../../../../contract/problems/problem-kinds.ts";

/** `100`, or such as `60 to 85` where what a problem takes depends on how much is affected, which the log doesn't keep. */
export function qualityText(problems: readonly Pick<Problem, "code">[]): string {
  const penalties = problems.map(({ code }) => [problemKinds[code].penalty].flat());
  const without = (index: number) =>
    Math.max(0, 100 - penalties.reduce((sum, range) => sum + (range.at(index) ?? 0), 0));
  const [lowest, highest] = [without(-1), without(0)];
  return lowest === highest ? String(highest) : `${lowest} to ${highest}`;
}
