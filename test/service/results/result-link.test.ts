// Signed result links: valid until they expire, invalid when changed.
import { describe, expect, test } from "vitest";
import { checkLink, resultLink } from "../../../lib/service/results/result-link.ts";

const secret = "c2VjcmV0";
const key = "1-day/a_B-c.png";
const EXPIRES_S = 1_800_000_000;
const link = linkOf(EXPIRES_S * 1000);

function linkOf(expiresAt: number, parts: { secret?: string; key?: string } = {}) {
  const url = new URL(resultLink({ baseUrl: "https://api.example", key, expiresAt, secret, ...parts }));
  return {
    key: url.pathname.slice("/storage/".length),
    ...(Object.fromEntries(url.searchParams) as { e: string; s: string }),
  };
}

function stateOf(parts: Partial<typeof link>, now = 0) {
  return checkLink({ ...link, ...parts }, { secrets: ["another", secret], now });
}

test("result link: is a URL below /storage with expiry and signature", () => {
  const url = resultLink({ baseUrl: "https://api.example/prod", key, expiresAt: EXPIRES_S * 1000, secret });
  expect(url).toMatch(/^https:\/\/api\.example\/prod\/storage\/1-day\/a_B-c\.png\?e=1800000000&s=[\w-]{43}$/);
});

describe("result link: an unchanged link", () => {
  test.each([
    [0, "valid"],
    [EXPIRES_S * 1000 - 1, "valid"],
    [EXPIRES_S * 1000, "expired"],
    [EXPIRES_S * 1000 + 1, "expired"],
  ])("at %d is %s", (now, state) => {
    expect(stateOf({}, now)).toBe(state);
  });

  test.each([
    [EXPIRES_S * 1000 - 999, "1800000000"],
    [EXPIRES_S * 1000, "1800000000"],
    [EXPIRES_S * 1000 + 1, "1800000001"],
  ])("expires at the next whole second after %d", (expiresAt, e) => {
    expect(linkOf(expiresAt).e).toBe(e);
  });
});

describe("result link: a changed character makes a link forged", () => {
  const parts = (["key", "e", "s"] as const).map((part) => ({ part, value: link[part] }));

  test.each(parts)("anywhere in $part", ({ part, value }) => {
    const others = [..."0189AZaz-_ .=é"];
    const changed = [...value].flatMap((character, at) =>
      others.filter((other) => other !== character).map((other) => value.slice(0, at) + other + value.slice(at + 1)),
    );
    expect(changed.filter((other) => stateOf({ [part]: other }) !== "forged")).toEqual([]);
  });

  test.each(parts)("that is missing or added in $part", ({ part, value }) => {
    const changed = [...value].flatMap((character, at) => [
      value.slice(0, at) + value.slice(at + 1),
      value.slice(0, at) + character + value.slice(at),
    ]);
    expect(changed.filter((other) => stateOf({ [part]: other }) !== "forged")).toEqual([]);
  });
});

// Each of these parses as the signed number, but is not the canonical form.
test.each([
  "",
  " 1800000000",
  "1800000000 ",
  "1800000000\n",
  "+1800000000",
  "01800000000",
  "1800000000.0",
  "1800000000.",
  "1.8e9",
  "0x6B49D200",
  "1_800_000_000",
  "１８００００００００",
  "-1800000000",
  "18000000000000",
  "NaN",
  "Infinity",
  "1800000000,1800000000",
])("result link: an expiry written as %j is forged", (e) => {
  expect(stateOf({ e })).toBe("forged");
});

test("result link: a forged link stays forged after its expiry", () => {
  expect(stateOf({ s: "x" }, EXPIRES_S * 2000)).toBe("forged");
});

test.each(["", "x".repeat(43), "é".repeat(43), "x".repeat(1_000_000), `${link.s}=`, link.s.toLowerCase()])(
  "result link: a made-up signature is forged",
  (s) => {
    expect(stateOf({ s })).toBe("forged");
  },
);

test.each([
  ["another secret", linkOf(EXPIRES_S * 1000, { secret: "b3RoZXI" })],
  ["another result", linkOf(EXPIRES_S * 1000, { key: "1-day/b.png" })],
  ["another expiry", linkOf(EXPIRES_S * 1000 + 1000)],
])("result link: the signature of %s is forged", (_, { s }) => {
  expect(stateOf({ s })).toBe("forged");
});
