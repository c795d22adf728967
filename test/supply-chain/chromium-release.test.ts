// The record of the shipped Chromium is rewritten by an upgrade.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { chromium } from "../../lib/engine/browser/chromium-build.ts";
import { browserVersion, withRelease } from "../../lib/supply-chain/chromium-release.ts";

const source = readFileSync(join(import.meta.dirname, "../../lib/engine/browser/chromium-build.ts"), "utf8");

test("Chromium upgrade: records version, browser, and date, and nothing else", () => {
  const { version, browser, published } = chromium;
  expect(withRelease(source, { version, browser, published })).toBe(source);
  const next = withRelease(source, { version: "160.0.1", browser: "160.0.1.2", published: "2027-01-02" });
  expect(next).toBe(
    source
      .replace(`version: "${version}"`, 'version: "160.0.1"')
      .replace(`browser: "${browser}"`, 'browser: "160.0.1.2"')
      .replace(`published: "${published}"`, 'published: "2027-01-02"'),
  );
});

test("Chromium upgrade: a source without the record fails with the field that it lacks", () => {
  expect(() => withRelease("", chromium)).toThrow(/^The field '\w+' is in the source 0 times, not once\.$/);
});

test("Chromium upgrade: reads the version that the browser prints", () => {
  expect(browserVersion("Chromium 153.0.8010.0 \n")).toBe("153.0.8010.0");
  expect(() => browserVersion("error while loading shared libraries")).toThrow(/instead of its version/);
});
