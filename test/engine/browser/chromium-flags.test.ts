// The command line of Chromium: what it must say and what it must never say.
import { expect, test } from "vitest";
import { CHROMIUM_MAJOR, chromiumFlags } from "../../../lib/engine/browser/chromium-flags.ts";

const flags = chromiumFlags({ profile: "/tmp/profile", proxyPort: 4711, frameMode: "continuous" });

test("sends everything through the proxy, loopback too", () => {
  expect(flags).toContain("--proxy-server=http://127.0.0.1:4711");
  expect(flags).toContain("--proxy-bypass-list=<-loopback>");
});

/** Each of them takes away something that pages are kept from, or opens a door into the browser. */
test.each([
  "--allow-file-access",
  "--allow-insecure-localhost",
  "--allow-running-insecure-content",
  "--auto-accept",
  "--auto-grant",
  "--auto-open-devtools",
  "--auto-select",
  "--disable-cors",
  "--disable-permissions-api",
  "--disable-popup-blocking",
  "--disable-site-isolation",
  "--disable-web-security",
  "--enable-automation",
  "--enable-local-file-accesses",
  "--enable-logging",
  "--enable-net-benchmarking",
  "--enable-unsafe-webgpu",
  "--explicitly-allowed-ports",
  "--ignore-certificate-errors",
  "--ignore-urlfetcher-cert-requests",
  "--js-flags",
  "--load-extension",
  "--log-net-log",
  "--no-proxy-server",
  "--proxy-auto-detect",
  "--proxy-pac-url",
  "--remote-allow-origins",
  "--remote-debugging-address",
  "--remote-debugging-port",
  "--unsafely-treat-insecure-origin-as-secure",
  "--use-fake-device-for-media-stream",
  "--use-fake-ui-for-media-stream",
  "--webrtc-ip-handling-policy",
])("never says %s", (flag) => {
  expect(flags.filter((given) => given.startsWith(flag))).toEqual([]);
});

/** What keeps the browser from speaking, asking or writing by itself, where no page could show that it does not. */
test.each([
  "--block-new-web-contents",
  "--disable-background-networking",
  "--disable-breakpad",
  "--disable-component-update",
  "--disable-crash-reporter",
  "--disable-domain-reliability",
  "--disable-extensions",
  "--disable-quic",
  "--disable-sync",
  "--dns-prefetch-disable",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
  "--metrics-recording-only",
  "--no-pings",
  "--password-store=basic",
])("says %s", (flag) => {
  expect(flags).toContain(flag);
});

test("says nothing twice, of which Chromium would heed the last one alone", () => {
  const names = flags.map((flag) => flag.split("=", 1)[0]);
  expect(new Set(names).size).toBe(names.length);
});

test.each(["LocalNetworkAccess", "BlockInsecure", "MixedContent", "Cookie", "Isolat", "Sandbox", "Safe"])(
  "turns no protection off whose name has %s in it",
  (word) => {
    const turnedOff = flags.find((flag) => flag.startsWith("--disable-features="))?.split(/[=,]/) ?? [];
    // Sites are processes of their own only where the browser has more than one.
    expect(turnedOff.filter((feature) => feature.includes(word) && feature !== "IsolateOrigins")).toEqual([]);
  },
);

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
  const filmed = chromiumFlags({ profile: "/tmp/profile", proxyPort: 4711, frameMode: "begin-frame-control" });
  const flag = "--enable-begin-frame-control";
  expect([flags.includes(flag), filmed.includes(flag)]).toEqual([false, true]);
  expect(flags.filter((given) => !filmed.includes(given))).toEqual([]);
});
