// The options of an API key, when it is created and when it is changed.
import * as v from "valibot";
import { choice, coerced, flag, integer, list, shown, toNumber } from "../../contract/options/coercion.ts";
import { option } from "../../contract/options/option.ts";
import { optionParser, parseOptions } from "../../contract/options/parse-options.ts";
import { between, tooLong } from "../../contract/options/wording.ts";
import { MAX_TESTS_PER_DAY } from "../../contract/plans.ts";
import { scopes } from "../account/account.ts";
import { MAX_LINK_GRACE_SECONDS, MAX_OVERLAP_SECONDS } from "./key-ring.ts";
import { limitProblem } from "./monthly-limit.ts";

const MAX_LABEL_CHARACTERS = 100;

/** The option of a label: one line of text. `meaning` is what the label is, without a full stop. */
export const labelOption = (meaning: string) =>
  option(
    coerced<string>({ type: "string", minLength: 1, maxLength: MAX_LABEL_CHARACTERS }, (sent) => {
      if (typeof sent !== "string") return { problem: `must be text, not ${shown(sent)}` };
      const value = sent.trim();
      const characters = countCharacters(value);
      if (characters === 0) return { problem: "must not be empty" };
      if (characters > MAX_LABEL_CHARACTERS) {
        return { problem: tooLong(MAX_LABEL_CHARACTERS, "characters", characters) };
      }
      // Programs treat lone surrogates differently. Bidirectional control characters can make one key look like another in a
      // list (CVE-2021-42574).
      const isPlain = value.isWellFormed() && !/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(value);
      if (!isPlain) return { problem: "must be one line without control characters" };
      return { value };
    }),
    { description: `${meaning}, ${between(1, MAX_LABEL_CHARACTERS, "characters")}.` },
  );

const label = labelOption("Label of the key");

/** Number of code points. Iterates, because an array of millions of them would exhaust the memory of the function. */
function countCharacters(text: string): number {
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
      "What the key can be used for: `capture` captures pages, `usage` reads the account, its captures, and its invoices, " +
      "and `keys` manages API keys, and with `capture` webhook receivers. You can only give scopes that your own API key has.",
  },
);

const requireSignature = option(flag(), {
  description:
    "Reject the key as the query parameter `access_key`, where others can read it. It then works in the header, and for " +
    "links that are signed with its signing secret.",
});

const expiry = option(
  coerced<string | null>({ type: ["string", "null"], format: "date-time" }, (sent) => {
    if (sent === null || sent === "null") return { value: null };
    const value = typeof sent === "string" ? toUtc(sent) : undefined;
    if (value !== undefined) return { value };
    return { problem: `must be a timestamp with an offset such as 2026-01-31T12:00:00Z, or null, not ${shown(sent)}` };
  }),
  { description: "When the key expires: a timestamp in the future with an offset, or `null` for never." },
);

/** More captures than any plan makes in a month. */
const MAX_MONTHLY_LIMIT = 1_000_000_000;

const monthlyLimit = option(
  coerced<number | null>({ type: ["integer", "null"], minimum: 0, maximum: MAX_MONTHLY_LIMIT }, (sent) => {
    if (sent === null || sent === "null") return { value: null };
    const value = toNumber(sent);
    if (value !== undefined && Number.isInteger(value) && value >= 0 && value <= MAX_MONTHLY_LIMIT) return { value };
    return { problem: `must be a whole number from 0 to ${MAX_MONTHLY_LIMIT}, or null, not ${shown(sent)}` };
  }),
  {
    description:
      "How many captures with the key can succeed in a billing period, screenshots and videos together; `null` for no limit. Beyond " +
      "it, captures are refused with 402 `QUOTA_EXCEEDED`. Captures that run when you set the limit aren't counted. A key for tests, " +
      "or with the scope `keys`, can't have one.",
  },
);

/** Options of a new key. */
export const newKeyEntries = {
  label,
  scopes: v.optional(keyScopes, ["capture", "usage"]),
  require_signature: v.optional(requireSignature, false),
  expires_at: v.optional(expiry, null),
  monthly_limit: v.optional(monthlyLimit, null),
  test: v.optional(
    option(flag(), {
      description:
        `Create a key for tests, \`cap_test_…\`: its captures are real but free, carry a mark across the picture or a line of text, ` +
        `and are at most ${MAX_TESTS_PER_DAY} a day for the account. It can't have the scope \`keys\`.`,
    }),
    false,
  ),
};

/** Options of a change to a key. */
export const keyChangeEntries = {
  label: v.exactOptional(label),
  scopes: v.exactOptional(keyScopes),
  require_signature: v.exactOptional(requireSignature),
  expires_at: v.exactOptional(expiry),
  monthly_limit: v.exactOptional(monthlyLimit),
};

/** Options of a rotation. */
export const rotationEntries = {
  overlap: v.optional(
    option(integer(0, MAX_OVERLAP_SECONDS, " seconds"), {
      description:
        "For how many seconds the previous text of the key keeps working, and links that its signing secret signed. With 0, the " +
        "previous text ends immediately: use 0 if it may have leaked.",
    }),
    0,
  ),
  link_grace_period: v.optional(
    option(integer(0, MAX_LINK_GRACE_SECONDS, " seconds"), {
      description:
        "For how many seconds links that the previous signing secret signed keep working, if longer than `overlap`. A link doesn't say when it was " +
        "signed, so anyone with the previous secret can sign new links for as long: keep 0 if it may have leaked.",
    }),
    0,
  ),
};

const newKeySchema = v.object(newKeyEntries, "must be sent");
const keyChangesSchema = v.object(keyChangeEntries);

const rotationSchema = v.object(rotationEntries);

export type NewKeyOptions = v.InferOutput<typeof newKeySchema>;
export type KeyChanges = v.InferOutput<typeof keyChangesSchema>;
export type RotationOptions = v.InferOutput<typeof rotationSchema>;

/** Parses the options of a new key at `now` (milliseconds since 1970). Throws `VALIDATION_ERROR`. */
export function parseNewKey(rawOptions: unknown, now: number): NewKeyOptions {
  return parseOptions({ schema: newKeySchema, rules: newKeyRules(now) }, rawOptions);
}

/** Parses the changes of a key at `now` (milliseconds since 1970). Throws `VALIDATION_ERROR`. */
export function parseKeyChanges(rawOptions: unknown, now: number): KeyChanges {
  return parseOptions({ schema: keyChangesSchema, rules: expired(now) }, rawOptions);
}

/** Parses the options of a rotation. Throws `VALIDATION_ERROR`. */
export const parseRotation = optionParser({ schema: rotationSchema });

const newKeyRules = (now: number) =>
  function* (options: Partial<NewKeyOptions>): Generator<[string, string]> {
    yield* expired(now)(options);
    const { scopes = [], monthly_limit = null, test: isTest = false } = options;
    if (isTest && scopes.includes("keys"))
      yield ["scopes", "of a key for tests can't include 'keys', with which it could create other keys"];
    const problem = limitProblem({ monthly_limit, scopes, isTest });
    if (problem !== undefined) yield ["monthly_limit", problem];
  };

const expired = (now: number) =>
  function* ({ expires_at }: Partial<KeyChanges>): Generator<[string, string]> {
    if (expires_at && Date.parse(expires_at) <= now) {
      yield ["expires_at", "must be in the future; to stop a key now, revoke it"];
    }
  };

const TIMESTAMP_WITH_OFFSET = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/i;

/** A timestamp with its offset as one in UTC, or undefined for anything else. */
function toUtc(text: string): string | undefined {
  const [, day] = TIMESTAMP_WITH_OFFSET.exec(text) ?? [];
  const time = Date.parse(text);
  // `Date` accepts 30 February and makes it a day in March.
  if (day === undefined || Number.isNaN(time) || !new Date(Date.parse(day)).toISOString().startsWith(day)) return;
  const timestamp = new Date(time).toISOString();
  return TIMESTAMP_WITH_OFFSET.test(timestamp) ? timestamp : undefined; // an offset can lead to a year that does not have four digits
}
