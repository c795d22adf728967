// API keys: format, checksum, hash and redaction.
import { describe, expect, test } from "vitest";
import {
  createApiKey,
  displayPrefix,
  hashApiKey,
  isTestPrefix,
  isWellFormed,
  KEY_ENTROPY_BYTES,
  redactKeys,
} from "../../../lib/service/keys/api-key.ts";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const bytes = Uint8Array.from({ length: KEY_ENTROPY_BYTES }, (_, index) => index);
const key = createApiKey(bytes);

function replaced(at: number, by: string): string {
  return key.slice(0, at) + by + key.slice(at + 1);
}

describe("API key: a new key", () => {
  // A changed format would reject all issued keys.
  test("has a prefix, 40 characters and a checksum", () => {
    expect(key).toBe("cap_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcd3F3jHL");
  });

  test("is well-formed", () => {
    expect(isWellFormed(key)).toBe(true);
  });

  test("discards bytes that would make some characters likelier (rejection sampling)", () => {
    const unusable = Uint8Array.from({ length: 8 }, (_, index) => 248 + index);
    expect(createApiKey(Uint8Array.from([...unusable, ...bytes]))).toBe(key);
  });

  test("maps the same number of byte values to every character", () => {
    const countOf = new Map<string, number>();
    for (let byte = 0; byte < 248; byte++) {
      const character = createApiKey(new Uint8Array(40).fill(byte)).charAt(4);
      countOf.set(character, (countOf.get(character) ?? 0) + 1);
    }
    expect(Object.fromEntries(countOf)).toEqual(Object.fromEntries([...BASE62].map((character) => [character, 4])));
  });

  test.each([
    ["no bytes", new Uint8Array(0)],
    ["39 bytes", new Uint8Array(39)],
    ["bytes of which too few are usable", Uint8Array.from({ length: 96 }, (_, index) => (index < 39 ? index : 250))],
  ])("cannot be made from %s", (_, random) => {
    expect(() => createApiKey(random)).toThrow(new RangeError(`${random.length} random bytes are too few for a key.`));
  });
});

describe("API key: a typo is rejected", () => {
  const positions = Array.from(key, (_, index) => index);

  test.each(positions)("at position %d, for every other character", (at) => {
    const typos = [...BASE62, "_", "-", " ", "é", ""].filter((other) => other !== key[at]);
    expect(typos.filter((other) => isWellFormed(replaced(at, other)))).toEqual([]);
  });

  test.each(positions.slice(1))("when the characters before and at position %d are swapped", (at) => {
    const swapped = key.slice(0, at - 1) + key.charAt(at) + key.charAt(at - 1) + key.slice(at + 1);
    expect(swapped !== key && isWellFormed(swapped)).toBe(false);
  });

  test.each(["", " ", "cap_", ` ${key}`, `${key} `, `${key}\n`, key + key, key.toUpperCase(), key.slice(4), `x${key}`])(
    "%j",
    (typo) => {
      expect(isWellFormed(typo)).toBe(false);
    },
  );

  test("of a million characters", () => {
    expect(isWellFormed(`cap_${"a".repeat(1_000_000)}`)).toBe(false);
  });
});

describe("API key: what is stored of it", () => {
  test("is its SHA-256", () => {
    expect(hashApiKey("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });

  test("is its first 12 characters, for display", () => {
    expect(displayPrefix(key)).toBe("cap_01234567");
  });
});

test.each([
  [`/api/v1/keys/${key}`, "/api/v1/keys/cap_01234567…"],
  [`/${key}/${key}x/rotate`, "/cap_01234567…/cap_01234567…/rotate"],
  ["/api/v1/keys/whsec_x1+a/b=/rotate", "/api/v1/keys/whsec_…"],
  ["/api/v1/keys/whsec_x1%2Ba%2Fb%3D", "/api/v1/keys/whsec_…"],
  ["/api/v1/keys/cap_0123/rotate", "/api/v1/keys/cap_0123/rotate"],
  [`/sessions/ses_77_${"x-_".repeat(14)}1/a`, "/sessions/ses_…/a"],
  [`/sign-in/sgn_${"x-_".repeat(14)}1`, "/sign-in/sgn_…"],
  ["/handicap_accessible/courses_list", "/handicap_accessible/courses_list"],
  ["/storage/1-day/RXU47NPP9ZFmKHNIzFNqX38Em-MW6JyN.png", "/storage/1-day/RXU47NPP9ZFmKHNIzFNqX38Em-MW6JyN.png"],
])("API key: redaction removes every secret from a path, %s", (path, reported) => {
  expect(redactKeys(path)).toBe(reported);
});

describe("API key for tests", () => {
  const random = new Uint8Array(KEY_ENTROPY_BYTES).fill(5);
  const key = createApiKey(random, "test");

  test("has a prefix of its own, which the checksum covers", () => {
    expect(key).toMatch(/^cap_test_[0-9A-Za-z]{46}$/);
    expect(isWellFormed(key)).toBe(true);
    const usual = createApiKey(random);
    expect([key.replace("cap_test_", "cap_"), usual.replace("cap_", "cap_test_")].map(isWellFormed)).toEqual([
      false,
      false,
    ]);
    expect([isTestPrefix(key), isTestPrefix(usual)]).toEqual([true, false]);
  });

  test("is recognised by the prefix and eight characters, and redacted to them", () => {
    expect(displayPrefix(key)).toBe(key.slice(0, 17));
    expect(redactKeys(`?access_key=${key}&x=1`)).toBe(`?access_key=${key.slice(0, 17)}…&x=1`);
  });
});
