// The list `outputs` of a request, as the playground reads it from links and from its storage.

import { MAX_OUTPUTS } from "../../../contract/options/output-limits.ts";
import { parseJson } from "../shared/parse-json.ts";

/** One result: its name, and the options that are its own. */
export type EditedOutput = Readonly<Record<string, unknown>> & { readonly name: string };

/** True for a list that can be edited: the form shows what else is wrong with it. */
export function isOutputList(value: unknown): value is readonly EditedOutput[] {
  const isOutput = (each: unknown) => typeof (each as Partial<EditedOutput> | null)?.name === "string";
  return Array.isArray(value) && value.length > 0 && value.length <= MAX_OUTPUTS && value.every(isOutput);
}

/** Options whose outputs are a list, which can be sent as JSON text, too. A link can hold anything else, which is left out. */
export function withOutputList({ outputs, ...options }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const list = typeof outputs === "string" ? parseJson(outputs) : outputs;
  return isOutputList(list) ? { ...options, outputs: list } : options;
}
