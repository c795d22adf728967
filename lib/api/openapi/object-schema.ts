// Objects of answers as OpenAPI shows them: each of their properties is there, unless it is named as optional.
import type { JsonSchema } from "../../options/option.ts";

export const object = (
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema => ({
  type: "object",
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
});
