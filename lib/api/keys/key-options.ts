// What a caller may tell of an API key, when it is made and when it is changed.
import * as v from "valibot";
import { scopes } from "../../accounts/scopes.ts";
import { choice, coerced, flag, list, shown } from "../../options/coercion.ts";
import { option } from "../../options/option.ts";
import { parseOptions } from "../../options/parse-options.ts";

const MAX_LABEL_CHARACTERS = 100;

const label = option(
  coerced<string>({ type: "string", minLength: 1, maxLength: MAX_LABEL_CHARACTERS }, (sent) => {
    if (typeof sent !== "string") return { problem: `must be text, not ${shown(sent)}` };
    const value = sent.trim();
    const characters = charactersOf(value);
    if (characters === 0) return { problem: "must not be empty" };
    if (characters > MAX_LABEL_CHARACTERS) {
      return { problem: `must have at most ${MAX_LABEL_CHARACTERS} characters, not ${characters}` };
    }
    // Half of a pair of surrogates is no character, and no two programs agree on what to make of it. A mark that turns the
    // direction of text can make one key look like another in a list (CVE-2021-42574).
    const isPlain = value.isWellFormed() && !/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(value);
    if (!isPlain) return { problem: "must be one line of plain characters" };
    return { value };
  }),
  { description: `What the key is for, in 1 to ${MAX_LABEL_CHARACTERS} characters.` },
);

/** Counted one by one, since a list of millions of them would take the memory of a function. */
function charactersOf(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

const keyScopes = option(
  v.pipe(
    list(choice(scopes), scopes.length, { minimum: 1 }),
    v.transform((names) => scopes.filter((scope) => names.includes(scope))),
  ),
  {
    description:
      "What the key may be used for: `capture` takes captures, `usage` reads the account's state, captures and " +
      "invoices, `keys` manages its keys. A key gives only scopes that it has itself.",
  },
);

const requireSignature = option(flag(), {
  description:
    "Refuse the key where it stands in a query as `access_key`, for everybody to read: it then works in the header, and by " +
    "the links that are signed with its signing secret.",
});

const expiry = option(
  coerced<string | null>({ type: ["string", "null"], format: "date-time" }, (sent) => {
    if (sent === null || sent === "null") return { value: null };
    const value = typeof sent === "string" ? inUtc(sent) : undefined;
    if (value !== undefined) return { value };
    return { problem: `must be a moment with its offset such as 2026-01-31T12:00:00Z, or null, not ${shown(sent)}` };
  }),
  { description: "When the key stops working, as a moment in the future with its offset, or null for never." },
);

/** What a new key is told. */
export const newKeyEntries = {
  label,
  scopes: v.optional(keyScopes, ["capture", "usage"]),
  require_signature: v.optional(requireSignature, false),
  expires_at: v.optional(expiry, null),
};

/** What a key can be told later. */
export const keyChangeEntries = {
  label: v.exactOptional(label),
  scopes: v.exactOptional(keyScopes),
  require_signature: v.exactOptional(requireSignature),
  expires_at: v.exactOptional(expiry),
};

const newKeySchema = v.object(newKeyEntries, "must be sent");
const keyChangesSchema = v.object(keyChangeEntries);

export type NewKeyOptions = v.InferOutput<typeof newKeySchema>;
export type KeyChanges = v.InferOutput<typeof keyChangesSchema>;

/** Parses what a new key is told at `now` (milliseconds since 1970). Throws `VALIDATION_ERROR`. */
export function parseNewKey(sent: unknown, now: number): NewKeyOptions {
  return parseOptions({ schema: newKeySchema, rules: expired(now) }, sent);
}

/** Parses what of a key is to change at `now` (milliseconds since 1970). Throws `VALIDATION_ERROR`. */
export function parseKeyChanges(sent: unknown, now: number): KeyChanges {
  return parseOptions({ schema: keyChangesSchema, rules: expired(now) }, sent);
}

const expired = (now: number) =>
  function* ({ expires_at }: Partial<KeyChanges>): Generator<[string, string]> {
    if (typeof expires_at === "string" && Date.parse(expires_at) <= now) {
      yield ["expires_at", "must be in the future; revoke a key that is to stop working now"];
    }
  };

const MOMENT = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/i;

/** A timestamp with its offset as one in UTC, or undefined for anything else. */
function inUtc(text: string): string | undefined {
  const [, day] = MOMENT.exec(text) ?? [];
  const time = Date.parse(text);
  // Date takes the 30th of February for a day in March.
  if (day === undefined || Number.isNaN(time) || !new Date(Date.parse(day)).toISOString().startsWith(day)) return;
  const timestamp = new Date(time).toISOString();
  return MOMENT.test(timestamp) ? timestamp : undefined; // an offset can lead out of the years of four digits
}
