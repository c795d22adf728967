// The type of parsed capture options, apart from the parser, so that the rules between options can use it.
import type * as v from "valibot";
import type { captureOptionEntries } from "./groups/all.ts";

/** All capture options, each of them valid. */
export type ParsedOptions = v.InferOutput<v.ObjectSchema<typeof captureOptionEntries, undefined>>;
