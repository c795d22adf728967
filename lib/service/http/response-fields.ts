// Field schemas that the responses of several resources share. They describe responses; nothing parses with them.
import * as v from "valibot";
import { formats } from "../../contract/options/formats.ts";

/** All properties, at every depth, are read-only. */
export type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

/** What a response looks like to its reader: the type that a valibot schema describes, read-only throughout. */
export type ResponseBody<Schema extends v.GenericSchema> = DeepReadonly<v.InferOutput<Schema>>;

/** Adds a description to a schema that is a component of the OpenAPI document: a `$ref` with a description next to it. */
export const described = <Schema extends v.GenericSchema>(component: Schema, description: string) =>
  v.pipe(
    v.lazy(() => component),
    v.description(description),
  );

const utcPattern = (fractionDigits: number) => `^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{${fractionDigits}}Z$`;

const timestampWith = (fractionDigits: number) =>
  v.pipe(v.string(), v.isoTimestamp(), v.metadata({ pattern: utcPattern(fractionDigits) }));

/** A time in UTC with milliseconds, as `Date.prototype.toISOString` writes it (RFC 3339, section 5.6). */
export const timestamp = timestampWith(3);

/** A time in UTC with microseconds, which only capture logs have. */
export const microsecondTimestamp = timestampWith(6);

export const integerField = v.pipe(v.number(), v.integer());

/** A whole number from 0. */
export const countField = v.pipe(v.number(), v.integer(), v.minValue(0));

/** An absolute URL. */
export const url = v.pipe(v.string(), v.url());

/** The format of a capture. What is stored outlives the formats: it may have the name of one that no longer exists. */
export const formatField = v.pipe(v.string(), v.metadata({ enum: [...formats] }));

/** Where a webhook goes, without what may be a secret. */
export const webhookTargetField = v.pipe(
  v.nullable(v.string()),
  v.description(
    "The scheme, host, and port of `webhook_url`, such as `https://you.example`, or the `webhook_receiver`. `null` without a webhook.",
  ),
);

/** The number of a request, which is also the id of its capture. */
export const requestId = integerField;
