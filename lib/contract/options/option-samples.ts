// A sample of each option: its value with the options that it needs, for the documentation.
import type { SchemaParts } from "./allowed-values.ts";
import { captureOptionNames } from "./groups/all.ts";
import { type OptionReference, optionReference } from "./option-reference.ts";

type Sample = Readonly<Record<string, string>>;

/** A format of each kind, for options that do not apply to images. */
const formatOfKind: Readonly<Record<string, string>> = { video: "mp4", pdf: "pdf", document: "html" };

const options = new Map(optionReference().flatMap((group) => group.options.map((option) => [option.name, option])));

export const optionSamples: Readonly<Record<string, Sample>> = Object.fromEntries(
  captureOptionNames.map((name) => [name, sampleOf(name)]),
);

/** The option itself first, then what it needs. `already` are options that the sample has: some need each other. */
function sampleOf(name: string, already: readonly string[] = []): Sample {
  const option = options.get(name);
  if (!option || already.includes(name)) return {};
  const { only, needs: [need = ""] = [], sample = valueFromSchema(option), sampleWith } = option;
  const kind = only && !only.includes("image") ? formatOfKind[only[0] ?? ""] : undefined;
  return {
    [name]: sample,
    ...(kind !== undefined && { format: kind }),
    ...omit(sampleWith ?? sampleOf(need, [...already, name]), name),
  };
}

function omit(sample: Sample, name: string): Sample {
  return Object.fromEntries(Object.entries(sample).filter(([each]) => each !== name));
}

function valueFromSchema({ jsonSchema, defaultText }: OptionReference): string {
  const schema = jsonSchema as SchemaParts;
  const { type, enum: names = [], minimum, maximum, examples } = schema.items ?? schema.oneOf?.[0] ?? schema;
  if (type === "boolean") return defaultText === "true" ? "false" : "true";
  const [example] = examples ?? names.filter((each) => String(each) !== defaultText && each !== "");
  if (example !== undefined) return String(example);
  if (minimum !== undefined && maximum !== undefined) return String(Math.min(maximum, Math.max(minimum, 3)));
  return "text";
}
