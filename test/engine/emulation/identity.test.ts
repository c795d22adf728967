// Browser identity: user agents, and the client hints, platforms and languages that match them.
import { describe, expect, test } from "vitest";
import { deviceNames, findDevice } from "../../../lib/contract/options/values/devices.ts";
import { CHROMIUM_MAJOR, USER_AGENT } from "../../../lib/engine/browser/chromium-flags.ts";
import { resolveIdentity } from "../../../lib/engine/emulation/identity.ts";

const locale = "en-US";
const hintsOf = (userAgent: string) => resolveIdentity({ userAgent, locale }).metadata;
const version = String(CHROMIUM_MAJOR);

const chrome = (platform: string, end = "Chrome/131.0.0.0 Safari/537.36") =>
  `Mozilla/5.0 (${platform}) AppleWebKit/537.36 (KHTML, like Gecko) ${end}`;

test("identity: the default is Chrome on Linux", () => {
  expect(resolveIdentity({ locale })).toEqual({
    userAgent: USER_AGENT,
    acceptLanguage: "en-US,en",
    platform: "Linux x86_64",
    metadata: {
      brands: expect.arrayContaining([
        { brand: "Google Chrome", version },
        { brand: "Chromium", version },
      ]),
      fullVersionList: expect.arrayContaining([{ brand: "Google Chrome", version: `${version}.0.0.0` }]),
      fullVersion: `${version}.0.0.0`,
      platform: "Linux",
      platformVersion: "",
      architecture: "x86",
      bitness: "64",
      model: "",
      mobile: false,
      wow64: false,
      formFactors: ["Desktop"],
    },
  });
});

// As these versions of Chrome send them.
test.each([
  ["120", ["Not_A Brand/8", "Chromium/120", "Google Chrome/120"]],
  ["131", ["Google Chrome/131", "Chromium/131", "Not_A Brand/24"]],
  ["138", ["Not)A;Brand/8", "Chromium/138", "Google Chrome/138"]],
])("identity: the brands of Chrome %s have its order and its GREASE entry", (major, brands) => {
  const hints = hintsOf(chrome("X11; Linux x86_64", `Chrome/${major}.0.0.0 Safari/537.36`));
  expect(hints?.brands?.map(({ brand, version }) => `${brand}/${version}`)).toEqual(brands);
});

test.each([
  ["Windows NT 10.0; Win64; x64", "Win32", "Windows", "10.0.0"],
  ["Macintosh; Intel Mac OS X 10_15_7", "MacIntel", "macOS", "10.15.7"],
  ["X11; Linux x86_64", "Linux x86_64", "Linux", ""],
  ["X11; CrOS x86_64 14541.0.0", "Linux x86_64", "Chrome OS", "14541.0.0"],
  ["Linux; Android 13; Pixel 7", "Linux armv81", "Android", "13.0.0"],
])("identity: Chrome on %s has the platform %s, and %s %s in its hints", (system, platform, name, platformVersion) => {
  expect(resolveIdentity({ userAgent: chrome(system), locale })).toMatchObject({
    platform,
    metadata: { platform: name, platformVersion },
  });
});

test.each([
  ["Linux; Android 13; Pixel 7", "Pixel 7"],
  ["Linux; Android 7.0; Moto G (4)", "Moto G (4)"],
  ["Linux; Android 8.0.0; SM-G965U Build/R16NW", "SM-G965U"],
  ["Linux; U; Android 4.4.2; en-us; LGMS323 Build/KOT49I.MS32310c", "LGMS323"],
  ["Linux; Android 10; K", ""],
  ["Linux; Android 10; Löwe", ""],
  ["Linux; Android 10", ""],
  ["X11; Linux x86_64", ""],
])("identity: the model in %j is %j", (system, model) => {
  expect(hintsOf(chrome(system))?.model).toBe(model);
});

test.each([
  ["Linux; Android 10; K", "Chrome/131.0.0.0 Mobile Safari/537.36", true, "Mobile"],
  ["Linux; Android 10; K", "Chrome/131.0.0.0 Safari/537.36", false, "Tablet"],
  ["X11; Linux x86_64", "Chrome/131.0.0.0 Safari/537.36", false, "Desktop"],
])("identity: %s with %s is mobile: %j, a %s", (system, end, mobile, formFactor) => {
  expect(hintsOf(chrome(system, end))).toMatchObject({ mobile, formFactors: [formFactor] });
});

test.each([
  ["Chrome/120.0.6099.109 Safari/537.36 Edg/120.0.2210.61", "Microsoft Edge", "120.0.2210.61"],
  ["Chrome/124.0.0.0 Safari/537.36 OPR/110.0.0.0", "Opera", "110.0.0.0"],
  ["SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36", "Samsung Internet", "25.0"],
  ["Version/4.0 Chrome/121.0.0.0 Mobile Safari/537.36", "Android WebView", "121.0.0.0"],
])("identity: %s has the brand %s %s", (end, brand, version) => {
  expect(hintsOf(chrome("Linux; Android 10; K", end))?.fullVersionList).toContainEqual({ brand, version });
});

test.each([
  [
    "Safari",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15",
    "MacIntel",
  ],
  ["Firefox", "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0", "Win32"],
  [
    "Chrome on an iPhone",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/130.0 Mobile/15E148 Safari/604.1",
    "iPhone",
  ],
  [
    "a robot made of Chrome",
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Googlebot/2.1; +http://www.google.com/bot.html) Chrome/131.0.0.0 Safari/537.36",
    "Linux x86_64",
  ],
  [
    "the Edge that was no Chromium",
    chrome("Windows NT 10.0", "Chrome/64.0.3282.140 Safari/537.36 Edge/18.17763"),
    "Win32",
  ],
  [
    "a Chrome from before client hints",
    chrome("X11; Linux x86_64", "Chrome/88.0.4324.96 Safari/537.36"),
    "Linux x86_64",
  ],
  ["a tool", "curl/8.5.0", "Linux x86_64"],
  ["a name that objects have", "constructor", "Linux x86_64"],
])("identity: %s has no client hints", (_, userAgent, platform) => {
  expect(resolveIdentity({ userAgent, locale })).toEqual({ userAgent, platform, acceptLanguage: "en-US,en" });
});

test.each([
  ["Desktop", USER_AGENT, false],
  [
    "mobile",
    `Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Mobile Safari/537.36`,
    true,
  ],
])("identity: the alias %s stands for our version of Chrome", (alias, userAgent, mobile) => {
  expect(resolveIdentity({ userAgent: alias, locale })).toMatchObject({ userAgent, metadata: { mobile } });
});

test("identity: a user agent overrides that of the device", () => {
  expect(resolveIdentity({ userAgent: "curl/8.5.0", device: findDevice("Pixel 5"), locale }).userAgent).toBe(
    "curl/8.5.0",
  );
});

describe.each(deviceNames)("identity: %s", (name) => {
  const device = findDevice(name);
  const identity = resolveIdentity({ device, locale });

  test("has client hints if it is Chrome, at our version", () => {
    const stated = / Edge\//.test(identity.userAgent) ? undefined : /Chrome\/(\S+)/.exec(identity.userAgent)?.[1];
    expect(stated).toBe(identity.metadata && `${version}.0.0.0`);
    expect(identity.metadata?.mobile).toBe(identity.metadata && identity.userAgent.includes(" Mobile "));
  });

  test("has a desktop platform only by that name", () => {
    expect(identity.metadata?.formFactors?.[0] === "Desktop").toBe(name === "Desktop");
  });
});

test.each([
  ["en-US", "en-US,en"],
  ["en", "en,en-US"],
  ["en-GB", "en-GB,en-US,en"],
  ["de-DE", "de-DE,de,en-US,en"],
  ["fr", "fr,en-US,en"],
  ["zh-Hant-TW", "zh-Hant-TW,zh,en-US,en"],
])("identity: a visitor from %s reads %s", (locale, languages) => {
  expect(resolveIdentity({ locale }).acceptLanguage).toBe(languages);
});
