// The draft with the options of a fix: each where the draft has it, in the source, the request, or one of several results.
import { draftOutputs, withOutputOption } from "./draft-outputs.ts";
import { type Draft, type RequestOptions, type Source, sources, withOption } from "./request-options.ts";

interface Place {
  /** Tells the options of one result from those of the whole request. */
  readonly isOwn: (name: string) => boolean;
  /** The result that own options are for; undefined for all of them. */
  readonly output?: number | undefined;
}

/** An option that is undefined is removed. */
export function withOptions(draft: Draft, options: RequestOptions, place: Place): Draft {
  return Object.entries(options).reduce((changed, [name, value]) => withValue(changed, name, value, place), draft);
}

function withValue(draft: Draft, name: string, value: unknown, { isOwn, output }: Place): Draft {
  if (sources.includes(name as Source)) return { ...draft, inputs: Object.assign({}, draft.inputs, { [name]: value }) };
  const outputs = draftOutputs(draft);
  if (outputs.length === 0 || !isOwn(name)) return withOption(draft, name, value);
  const indexes = output === undefined ? [...outputs.keys()] : [output];
  return indexes.reduce((each, index) => withOutputOption(each, index, name, value), draft);
}
