// Chromium's command line: flags that it must have and flags that it must never have.
import { expect, test } from "vitest";
import { CHROMIUM_MAJOR, chromiumFlags } from "../../../lib/engine/browser/chromium-flags.ts";

const flags = chromiumFlags({ profile: "/tmp/profile", proxyPort: 4711, frameMode: "continuous" });

test("chromium flags: send everything through the proxy, including loopback", () => {
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
])("chromium flags: never include %s", (flag) => {
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
])("chromium flags: include %s", (flag) => {
  expect(flags).toContain(flag);
});

test("chromium flags: have no duplicates, of which Chromium would use only the last", () => {
  const names = flags.map((flag) => flag.split("=", 1)[0]);
  expect(new Set(names).size).toBe(names.length);
});

test.each(["LocalNetworkAccess", "BlockInsecure", "MixedContent", "Cookie", "Isolat", "Sandbox", "Safe"])(
  "chromium flags: disable no protection whose name contains %s",
  (word) => {
    const turnedOff = flags.find((flag) => flag.startsWith("--disable-features="))?.split(/[=,]/) ?? [];
    // Sites are processes of their own only where the browser has more than one.
    expect(turnedOff.filter((feature) => feature.includes(word) && feature !== "IsolateOrigins")).toEqual([]);
  },
);

test("chromium flags: state Chrome's user agent, English, and a window of the default viewport", () => {
  expect(flags).toContainEqual(
    expect.stringMatching(`^--user-agent=Mozilla/5\\.0 .* Chrome/${CHROMIUM_MAJOR}\\.0\\.0\\.0 `),
  );
  expect(flags).toContain("--accept-lang=en-US,en");
  expect(flags).toContain("--window-size=1280,1024");
  expect(flags.filter((flag) => /headlesschrome/i.test(flag))).toEqual([]);
});

test("chromium flags: open the one page that a capture uses", () => {
  expect(flags.filter((flag) => !flag.startsWith("--"))).toEqual(["about:blank"]);
});

test("chromium flags: enable BeginFrameControl only in begin-frame-control mode", () => {
  const filmed = chromiumFlags({ profile: "/tmp/profile", proxyPort: 4711, frameMode: "begin-frame-control" });
  const flag = "--enable-begin-frame-control";
  expect([flags.includes(flag), filmed.includes(flag)]).toEqual([false, true]);
  expect(flags.filter((given) => !filmed.includes(given))).toEqual([]);
});
