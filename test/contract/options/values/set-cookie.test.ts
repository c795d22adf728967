import fc from "fast-check";
import { parseDate } from "tough-cookie";
import { describe, expect, test } from "vitest";
import { parseSetCookie } from "../../../../lib/contract/options/values/set-cookie.ts";
import { holds } from "../../../support/fuzzing.ts";

const now = Date.UTC(2026, 0, 31);
const seconds = (...date: [number, number, number, number, number, number]) => Date.UTC(...date) / 1000;
const parse = (text: string) => parseSetCookie(text, now);

describe("Set-Cookie", () => {
  test("has all attributes of its text", () => {
    const text =
      "id=a3fWa; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Domain=Example.com; Path=/app; Secure; HttpOnly; SameSite=Lax";
    expect(parse(text)).toEqual({
      name: "id",
      value: "a3fWa",
      expires: seconds(2026, 9, 21, 7, 28, 0),
      domain: "example.com",
      path: "/app",
      secure: true,
      httpOnly: true,
      sameSite: "Lax",
    });
  });

  test.each([
    ["a=b", { name: "a", value: "b" }],
    [" a = b ; ", { name: "a", value: "b" }],
    ["a=", { name: "a", value: "" }],
    ["a=b=c==", { name: "a", value: "b=c==" }],
    ['a="b c, d"', { name: "a", value: '"b c, d"' }],
    ["__Host-a=b; secure; path=/", { name: "__Host-a", value: "b", secure: true, path: "/" }],
    ["a=日本", { name: "a", value: "日本" }],
    ["a=b; Path=/x; path=/y", { name: "a", value: "b", path: "/y" }],
    ["a=b; Path=/x; path=y", { name: "a", value: "b" }],
    ["a=b; Path", { name: "a", value: "b" }],
    ["a=b; Domain=.example.com", { name: "a", value: "b", domain: "example.com" }],
    ["a=b; Domain=", { name: "a", value: "b" }],
    ["a=b; SameSite=none", { name: "a", value: "b", sameSite: "None" }],
    ["a=b; SameSite=STRICT", { name: "a", value: "b", sameSite: "Strict" }],
    ["a=b; SameSite=whatever", { name: "a", value: "b" }],
    ["a=b; SameSite=constructor", { name: "a", value: "b" }],
    ["a=b; Partitioned; Priority=High; __proto__=x", { name: "a", value: "b" }],
    [`a=b; Path=/${"x".repeat(1024)}`, { name: "a", value: "b" }],
  ])("parses %s", (text, expected) => {
    expect(parse(text)).toEqual(expected);
  });

  test.each([[""], ["a"], ["=b"], [";a=b"], ["; Path=/"], ["a=b\r\nX: y"], ["a=b\u0000"], [`a=${"x".repeat(4096)}`]])(
    "is not %j",
    (text) => {
      expect(parse(text)).toBeUndefined();
    },
  );
});

describe("Set-Cookie expiry", () => {
  test.each([
    ["Max-Age=60", now / 1000 + 60],
    ["Max-Age=60; Expires=Wed, 21 Oct 2026 07:28:00 GMT", now / 1000 + 60],
    ["Expires=Wed, 21 Oct 2026 07:28:00 GMT; Max-Age=60", now / 1000 + 60],
    ["Max-Age=99999999999999", now / 1000 + 400 * 86_400],
    ["Max-Age=0", 0],
    ["Max-Age=-1", 0],
    ["Max-Age=soon", undefined],
    ["Max-Age=", undefined],
    ["Expires=Sun Nov  6 08:49:37 2094", seconds(2094, 10, 6, 8, 49, 37)],
    ["Expires=Sunday, 06-Nov-94 08:49:37 GMT", seconds(1994, 10, 6, 8, 49, 37)],
    ["Expires=Wed, 09-Jun-2027 10:18:14 GMT", seconds(2027, 5, 9, 10, 18, 14)],
    ["Expires=1 jan 30 1:2:3", seconds(2030, 0, 1, 1, 2, 3)],
    ["Expires=2027 Feb 29 00:00:00", undefined],
    ["Expires=29 Feb 2028 00:00:00", seconds(2028, 1, 29, 0, 0, 0)],
    ["Expires=1 Jan 2027 24:00:00", undefined],
    ["Expires=1 Jan 1600 00:00:00", undefined],
    ["Expires=1 Jan 2027", undefined],
    ["Expires=tomorrow", undefined],
    ["Expires=Wed, 21 Oct 2026 07:28:00 GMT; Expires=never", seconds(2026, 9, 21, 7, 28, 0)],
  ])("with %s", (attributes, expected) => {
    expect(parse(`a=b; ${attributes}`)?.expires).toBe(expected);
  });
});

test("a date of any tokens is read as tough-cookie reads it", async () => {
  const clock = fc.tuple(fc.nat(25), fc.nat(61), fc.nat(61)).map((parts) => parts.join(":"));
  const word = fc.constantFrom(
    ..."jan Feb MARCH sept oct1 GMT Wed x 0 007 69 70 1600 1601 2028 1:2 1:2:3x 1:2:3é".split(" "),
  );
  const token = fc.oneof(clock, word, fc.nat(40).map(String), fc.nat(12_000).map(String));
  const separator = fc.constantFrom(" ", " ", "-", ", ", "/", "\t", "_", ":", "é", "\u00a0");
  const anyTokens = fc.array(fc.tuple(token, separator), { maxLength: 8 }).map((parts) => parts.flat().join(""));
  const usual = ["21", "Oct", "2026", "07:28:00", "Wed", "GMT", "29", "feb", "99"];
  const inAnyOrder = fc
    .tuple(fc.shuffledSubarray(usual, { minLength: 4 }), separator)
    .map(([some, by]) => some.join(by));
  const property = fc.property(fc.oneof(anyTokens, inAnyOrder), (text) => {
    const date = parseDate(text.trim());
    expect(parse(`a=b; Expires=${text}`)?.expires).toBe(date && date.getTime() / 1000);
  });
  await holds(property, 20);
});
