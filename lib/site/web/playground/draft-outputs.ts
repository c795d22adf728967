// Several results in the draft: the list `outputs` of its options, as the visitor adds, edits, and removes them.
import { type EditedOutput, isOutputList } from "./output-list.ts";
import type { Draft, RequestOptions } from "./request-options.ts";

/** Tells the options of one result from those of the whole request. */
type IsOwn = (name: string) => boolean;

/** Formats of further results, the first that no result has. */
const suggestedFormats = ["png", "pdf", "markdown", "webp", "html", "text", "json", "jpeg"];

/** The outputs; none for a draft of one result. */
export function draftOutputs({ options: { outputs } }: Pick<Draft, "options">): readonly EditedOutput[] {
  return isOutputList(outputs) ? outputs : [];
}

/** The draft with another result. For the second one, what the draft has of one result becomes the first. */
export function addOutput(draft: Draft, isOwn: IsOwn): Draft {
  const outputs = draftOutputs(draft);
  const { outputs: _, ...options } = draft.options;
  const own = (wanted: boolean) =>
    Object.fromEntries(Object.entries(options).filter(([name]) => isOwn(name) === wanted));
  const before = outputs.length > 0 ? outputs : [{ name: "result-1", ...own(true) }];
  const used = before.map((output) => output["format"] ?? "png");
  const format = suggestedFormats.find((each) => !used.includes(each)) ?? "png";
  return { ...draft, options: { ...own(false), outputs: [...before, { name: unusedName(before), format }] } };
}

function unusedName(outputs: readonly EditedOutput[]): string {
  for (let number = outputs.length + 1; ; number++) {
    const name = `result-${number}`;
    if (outputs.every((output) => output.name !== name)) return name;
  }
}

/** The draft without a result. The last one that remains is a request without outputs. */
export function removeOutput(draft: Draft, index: number): Draft {
  const rest = draftOutputs(draft).toSpliced(index, 1);
  const { outputs: _, ...options } = draft.options;
  const [only] = rest;
  if (rest.length > 1 || !only) return { ...draft, options: rest.length > 1 ? { ...options, outputs: rest } : options };
  const { name: __, ...own } = only;
  return { ...draft, options: { ...options, ...own } };
}

/** The draft with another value of an option of one result, or with another name of it; undefined removes an option. */
export function withOutputOption(draft: Draft, index: number, option: string, value: unknown): Draft {
  const outputs = draftOutputs(draft).map((output, position) => {
    if (position !== index) return output;
    const { [option]: _, ...others } = output;
    const { name, ...own } = (value === undefined ? others : { ...others, [option]: value }) as EditedOutput;
    return { name, ...own };
  });
  return { ...draft, options: { ...draft.options, outputs } };
}

/** The options that apply to one result: its own, and those of the whole request. */
export function optionsOfOutput(draft: Pick<Draft, "options">, index: number): RequestOptions {
  const { outputs: _, ...shared } = draft.options;
  const { name: __, ...own } = draftOutputs(draft)[index] ?? { name: "" };
  return { ...shared, ...own };
}

/** The output and the option that the API names as `outputs[1].format`; undefined for other names. */
export function outputField(name: string): { readonly index: number; readonly option: string } | undefined {
  const [, index, option] = /^outputs\[(\d)\]\.(\w+)$/.exec(name) ?? [];
  return option === undefined ? undefined : { index: Number(index), option };
}
