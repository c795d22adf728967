// The record of the shipped Chromium is rewritten by an upgrade.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { chromium } from "../../../../lib/engine/browser/chromium-build.ts";
import {
  browserVersion,
  dateOfPosition,
  mainPosition,
  withRelease,
} from "../../../../lib/tools/operate/supply-chain/chromium-release.ts";

const source = readFileSync(join(import.meta.dirname, "../../../../lib/engine/browser/chromium-build.ts"), "utf8");

test("Chromium upgrade: records version, browser, and date, and nothing else", () => {
  const { package: _, ...release } = chromium;
  const { version, browser, published } = release;
  expect(withRelease(source, release)).toBe(source);
  const next = withRelease(source, {
    version: "160.0.1",
    browser: "160.0.1.2",
    published: "2027-01-02",
    position: "1900000",
    branched: "2026-12-01",
  });
  expect(next).toBe(
    source
      .replace(`version: "${version}"`, 'version: "160.0.1"')
      .replace(`browser: "${browser}"`, 'browser: "160.0.1.2"')
      .replace(`published: "${published}"`, 'published: "2027-01-02"')
      .replace(`position: "${release.position}"`, 'position: "1900000"')
      .replace(`branched: "${release.branched}"`, 'branched: "2026-12-01"'),
  );
});

test("Chromium upgrade: a source without the record fails with the field that it lacks", () => {
  expect(() => withRelease("", chromium)).toThrow(/^The field '\w+' is in the source 0 times, not once\.$/);
});

test("Chromium upgrade: reads the version that the browser prints", () => {
  expect(browserVersion("Chromium 153.0.8010.0 \n")).toBe("153.0.8010.0");
  expect(() => browserVersion("error while loading shared libraries")).toThrow(/instead of its version/);
});

test("Chromium upgrade: reads the position of main that the browser was built from", () => {
  expect(mainPosition(Buffer.from("\x7fELF…0123abcd-refs/heads/main@{#1681091}\0"))).toBe("1681091");
  expect(() => mainPosition(Buffer.from("\x7fELF…-refs/branch-heads/8010@{#1}"))).toThrow(/doesn't say which position/);
});

test("Chromium upgrade: dates a position by the last DevTools protocol that isn't newer", () => {
  const times = {
    created: "2013-01-01T00:00:00.000Z",
    "0.0.1680125": "2026-08-15T08:35:16.508Z",
    "0.0.1681094": "2026-08-18T08:33:49.093Z",
    "0.0.1679354": "2026-08-14T06:17:44.375Z",
  };
  expect(["1679354", "1681091", "1681094"].map((position) => dateOfPosition(position, times))).toEqual([
    "2026-08-14",
    "2026-08-15",
    "2026-08-18",
  ]);
  expect(() => dateOfPosition("1000000", times)).toThrow(/as old as position 1000000/);
});
