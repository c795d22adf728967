// Property-based tests: number of runs, hostile inputs, and properties that hold for every input.
import fc from "fast-check";
import { expect } from "vitest";
import { type ApiError, errorBody } from "../../lib/contract/errors/api-error.ts";

/** `npm run fuzz` tries many more, and others each time. */
const numRuns = Number(process.env["FUZZ_RUNS"] ?? 100);
const seed = Number(process.env["FUZZ_SEED"] ?? 20261121);

export const isLongRun = process.env["FUZZ_RUNS"] !== undefined;

/** Tries a property; what it fails for is printed in its shortest form, with the seed that leads there again. */
export async function holds<T>(property: fc.IRawProperty<T>, share = 1): Promise<void> {
  await fc.assert(property, { numRuns: Math.max(1, Math.round(numRuns * share)), seed });
}

/** What has broken parsers of other people. */
export const nasty: readonly string[] = [
  ...["", " ", "\0", "\r\n", "\n", "\t", "\x1b[31m", "\x7f", "\x85", "\x9b", "\u2028", "\u2029", "\u202e", "\u2066"],
  ...["\ud800", "\udc00", "\ufeff", "\ufffe", "\uffff", "😀", "ﬃ", "İ", "ß", "é", "\u0301".repeat(50)],
  ...["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf", "__defineGetter__"],
  ...["null", "undefined", "true", "NaN", "Infinity", "-0", "1e999", "0x10", "1_0", "9007199254740993", "-1", "1,5"],
  ...[
    "%",
    "%00",
    "%ff",
    "%c0%af",
    "%u0041",
    "&",
    "=",
    "+",
    "#",
    "/",
    "\\",
    "..",
    "../..",
    "'",
    '"',
    "`",
    "<",
    ">",
    ";",
  ],
  ...[
    "[",
    "]",
    "{",
    "}",
    "[[",
    '{"a":',
    '["',
    "a[]",
    "a[b]",
    "*",
    "**",
    "(",
    ")",
    ":",
    "::",
    "https://",
    "javascript:",
  ],
  ...["{{1}}", "$&", "whsec_", "cap_", "signature", "key_id", "access_key", "a".repeat(300), "[".repeat(300)],
];

/** Text of whole characters, as URLs and UTF-8 can hold it. */
export const wellFormed = () =>
  fc
    .array(fc.oneof(fc.constantFrom(...nasty), fc.string({ unit: "binary" }), fc.string()), { maxLength: 4 })
    .map((parts) => parts.join("").toWellFormed());

/** Any text that JSON can hold, halves of characters too. */
export const anyText = () =>
  fc.oneof(
    fc.array(fc.oneof(fc.constantFrom(...nasty), fc.string()), { maxLength: 4 }).map((parts) => parts.join("")),
    fc.array(fc.integer({ max: 0xffff, min: 0 })).map((units) => String.fromCharCode(...units)),
  );

/** Any value that JSON can hold; `JSON.parse` makes properties called `__proto__`, so these are made by it, too. */
export const anyJson = (): fc.Arbitrary<unknown> =>
  fc
    .letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4, depthSize: "small" },
        anyText(),
        fc.constantFrom(null, true, false, -0, 1e300, 2 ** 53, 0.1),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.array(tie("value"), { maxLength: 4 }),
        fc.array(fc.tuple(anyText(), tie("value")), { maxLength: 4 }).map((pairs) => Object.fromEntries(pairs)),
      ),
    }))
    .value.map((value) => JSON.parse(JSON.stringify(value)) as unknown);

/** Words joined in any order: nests, opens and closes what a random text never would. */
export const madeOf = (words: readonly string[], maxLength = 60) =>
  fc
    .array(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...words) }, { weight: 1, arbitrary: anyText() }), {
      maxLength,
    })
    .map((parts) => parts.join(""));

/** Characters that the answer to a refused request has at most, including what it quotes. */
export const MAX_ERROR_BODY_LENGTH = 64_000;

/** What an error shows a caller, once it is certain that it is bounded and that any reader of JSON can read it. */
export function parseErrorBody(error: ApiError, longest = MAX_ERROR_BODY_LENGTH): Record<string, unknown> {
  const answer = JSON.stringify(errorBody(error, 1));
  expect(answer.length).toBeLessThan(longest);
  return wellFormedJson(answer);
}

/** What JSON says, none of which may have half of a character in it. */
export function wellFormedJson(json: string): Record<string, unknown> {
  return JSON.parse(json, (name, value) => {
    expect([name, value].every((each) => typeof each !== "string" || each.isWellFormed())).toBe(true);
    return value;
  });
}
