// A mutation (mutation testing): a small patch that breaks one rule, and the tests that must notice.

export interface Mutation {
  /** What it breaks a rule of; the name by which it is run alone. */
  readonly name: string;
  /** The rule that the patch breaks, as it holds without the patch. */
  readonly breaks: string;
  /** Relative to the project. */
  readonly file: string;
  /** Text that the file has exactly once. */
  readonly before: string;
  readonly after: string;
  /** The project of the tests, as in `vitest.config.ts`. */
  readonly project: "units" | "service" | "web" | "start";
  readonly tests: readonly string[];
}

/** Returns a file's text with the patch; undefined when the text before isn't there exactly once. */
export function applyMutation(text: string, { before, after }: Pick<Mutation, "before" | "after">): string | undefined {
  const [start, end, ...more] = text.split(before);
  return start === undefined || end === undefined || more.length > 0 ? undefined : start + after + end;
}

/** The mutations of these names, or all of them without names. Throws a RangeError for a name that none has. */
export function selectMutations(all: readonly Mutation[], names: readonly string[]): readonly Mutation[] {
  const unknown = names.find((name) => !all.some((mutation) => mutation.name === name));
  if (unknown !== undefined) {
    throw new RangeError(`No mutation is named '${unknown}'. There are: ${all.map(({ name }) => name).join(", ")}.`);
  }
  return names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
}
