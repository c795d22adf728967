// The command line of Chromium: what it must say and what it must never say.
import { expect, test } from "vitest";
import { chromiumFlags } from "../../lib/capture/chromium-flags.ts";

const flags = chromiumFlags({ profile: "/tmp/profile", proxyPort: 4711 });

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
