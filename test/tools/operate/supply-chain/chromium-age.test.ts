// What an operator is to do about the age of the shipped Chromium.
import { expect, test } from "vitest";
import { judgeAge } from "../../../../lib/tools/operate/supply-chain/chromium-age.ts";

const version = "1.2.0";

test.each([
  ["the newest package that is young enough", { newest: version, ageDays: 60 }, 0, /newest package/],
  ["the newest package that is too old", { newest: version, ageDays: 61 }, 1, /security fixes/],
  ["a package that has a newer one, however young it is", { newest: "1.3.0", ageDays: 0 }, 1, /upgrade:chromium/],
  ["a registry that does not answer", { newest: undefined, ageDays: 0 }, 2, /did not answer/],
])("audit of Chromium: %s", (_, facts, exitCode, advice) => {
  expect(judgeAge({ version, maxAgeDays: 60, ...facts })).toEqual({ exitCode, advice: expect.stringMatching(advice) });
});
