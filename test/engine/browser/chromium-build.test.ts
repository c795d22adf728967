// Which Chromium is shipped: what is written of it is true, because `npm run audit:chromium` and the bill of materials rely on it.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ageInDays, chromium, MAX_AGE_DAYS } from "../../../lib/engine/browser/chromium-build.ts";
import { mainPosition } from "../../../lib/tools/operate/supply-chain/chromium-release.ts";
import { readLockfile } from "../../../lib/tools/operate/supply-chain/lockfile.ts";
import { chromiumFiles } from "../../support/chromium.ts";
import { slowTest } from "../../support/slow-run.ts";

test("shipped Chromium: the recorded version is that of the package", () => {
  const lockfile = readLockfile(join(import.meta.dirname, "../../.."));
  expect(lockfile[`node_modules/${chromium.package}`]?.version).toBe(chromium.version);
});

test("shipped Chromium: the recorded version is that of the browser", async () => {
  const { executable, libraries } = await chromiumFiles();
  const said = execFileSync(executable, ["--version"], { env: { LD_LIBRARY_PATH: libraries } });
  expect(said.toString().trim()).toBe(`Chromium ${chromium.browser}`);
});

slowTest("shipped Chromium: the recorded position is that of the browser", async () => {
  const { executable } = await chromiumFiles();
  expect(mainPosition(readFileSync(executable))).toBe(chromium.position);
});

test("shipped Chromium: the version branched off before the package was published", () => {
  expect(Date.parse(chromium.branched)).toBeLessThan(Date.parse(chromium.published));
});

test("shipped Chromium: the age is in whole days since the version branched off", () => {
  const branched = Date.parse(chromium.branched);
  const DAY_MS = 24 * 60 * 60 * 1000;
  expect([0, DAY_MS - 1, MAX_AGE_DAYS * DAY_MS].map((ms) => ageInDays(branched + ms))).toEqual([0, 0, MAX_AGE_DAYS]);
});
