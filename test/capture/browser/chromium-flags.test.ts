// The command line of Chromium: what it must say and what it must never say.
import { expect, test } from "vitest";
import { CHROMIUM_MAJOR, chromiumFlags } from "../../../lib/capture/browser/chromium-flags.ts";

const flags = chromiumFlags({ profile: "/tmp/profile", proxyPort: 4711, painting: "continuous" });

test("sends everything through the proxy, loopback too", () => {
  expect(flags).toContain("--proxy-server=http://127.0.0.1:4711");
  expect(flags).toContain("--proxy-bypass-list=<-loopback>");
});

test.each([
  "--disable-web-security",
  "--allow-running-insecure-content",
  "--ignore-certificate-errors",
  "--allow-file-access-from-files",
  "--remote-debugging-port",
])("never says %s", (flag) => {
  expect(flags.filter((given) => given.startsWith(flag))).toEqual([]);
});

test("says that a Chrome visits, in English and in a window as large as a page is unless told", () => {
  expect(flags).toContainEqual(
    expect.stringMatching(`^--user-agent=Mozilla/5\\.0 .* Chrome/${CHROMIUM_MAJOR}\\.0\\.0\\.0 `),
  );
  expect(flags).toContain("--accept-lang=en-US,en");
  expect(flags).toContain("--window-size=1280,1024");
  expect(flags.filter((flag) => /headlesschrome/i.test(flag))).toEqual([]);
});

test("opens the one page that a capture uses", () => {
  expect(flags.filter((flag) => !flag.startsWith("--"))).toEqual(["about:blank"]);
});

test("paints only when it is told to where it is to be filmed", () => {
  const filmed = chromiumFlags({ profile: "/tmp/profile", proxyPort: 4711, painting: "on-demand" });
  const flag = "--enable-begin-frame-control";
  expect([flags.includes(flag), filmed.includes(flag)]).toEqual([false, true]);
  expect(flags.filter((given) => !filmed.includes(given))).toEqual([]);
});
