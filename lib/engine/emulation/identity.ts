// Who a page believes it is visited by: a user agent, client hints that say the same, a platform and languages.
import type { Protocol } from "puppeteer-core";
import type { Device } from "../../options/values/devices.ts";
import { CHROMIUM_MAJOR, USER_AGENT } from "../browser/chromium-flags.ts";

type ClientHints = Protocol.Emulation.UserAgentMetadata;

/** What Emulation.setUserAgentOverride takes. */
export interface UserAgentIdentity {
  readonly userAgent: string;
  /** Languages in order, without weights: Chromium adds those to the header, and would show given ones to pages. */
  readonly acceptLanguage: string;
  /** `navigator.platform` */
  readonly platform: string;
  /** Client hints; absent for a browser that has none. */
  readonly metadata?: ClientHints;
}

/** The visitor of a user agent, else of a device, else a plain Chrome on Linux. `userAgent` may be an alias. */
export function resolveIdentity({
  userAgent,
  device,
  locale,
}: {
  userAgent?: string | undefined;
  device?: Device | undefined;
  /** A canonical language tag. */
  locale: string;
}): UserAgentIdentity {
  const stated =
    userAgent === undefined ? deviceUserAgent(device) : (aliases.get(userAgent.toLowerCase()) ?? userAgent);
  const system = systemOf(stated);
  const metadata = clientHints(stated, system);
  return {
    userAgent: stated,
    acceptLanguage: languages(locale).join(","),
    platform: system.navigator,
    ...(metadata && { metadata }),
  };
}

const MOBILE_USER_AGENT = USER_AGENT.replace("X11; Linux x86_64", "Linux; Android 10; K").replace(
  " Safari/",
  " Mobile Safari/",
);

const aliases: ReadonlyMap<string, string> = new Map([
  ["desktop", USER_AGENT],
  ["mobile", MOBILE_USER_AGENT],
]);

/** A device's Chrome is of our version: pages choose by it what to send, and it is the one that shows it. */
function deviceUserAgent(device: Device | undefined): string {
  if (!device) return USER_AGENT;
  return chromiumOf(device.userAgent)
    ? device.userAgent.replace(CHROME, `Chrome/${CHROMIUM_MAJOR}.0.0.0`)
    : device.userAgent;
}

const CHROME = /\bChrome\/(\d+(?:\.\d+){0,3})/;

/** Version of the Chromium that a user agent states; undefined for other engines and for what calls itself a robot. */
function chromiumOf(userAgent: string): string | undefined {
  const isOther = /\bEdge\/|\bcompatible;|bot\b|crawler|spider/i.test(userAgent);
  return isOther ? undefined : CHROME.exec(userAgent)?.[1];
}

interface System {
  readonly navigator: string;
  /** Name and version as client hints tell them. */
  readonly platform: string;
  readonly version: string;
}

/** The first of these that a user agent names is its system. */
const systems: readonly [RegExp, (match: RegExpExecArray) => System][] = [
  [/\b(?:iPhone|iPad|iPod)\b/, ([device]) => ({ navigator: device, platform: "iOS", version: "" })],
  [/\bWindows Phone\b/, () => ({ navigator: "Win32", platform: "Windows", version: "" })],
  [
    /\bAndroid(?: ([\d.]+))?/,
    ([, version]) => ({ navigator: "Linux armv81", platform: "Android", version: full(version) }),
  ],
  [
    /\bWindows(?: NT ([\d.]+))?/,
    ([, version]) => ({ navigator: "Win32", platform: "Windows", version: full(version) }),
  ],
  [
    /\bMac OS X(?: ([\d_.]+))?/,
    ([, version]) => ({ navigator: "MacIntel", platform: "macOS", version: full(version) }),
  ],
  [
    /\bCrOS \w+ ([\d.]+)/,
    ([, version]) => ({ navigator: "Linux x86_64", platform: "Chrome OS", version: full(version) }),
  ],
  [/\bLinux (aarch64|armv\w+|i686)/, ([, cpu]) => ({ navigator: `Linux ${cpu}`, platform: "Linux", version: "" })],
  [/\b(?:Linux|X11)\b/, () => ({ navigator: "Linux x86_64", platform: "Linux", version: "" })],
];

function systemOf(userAgent: string): System {
  for (const [pattern, system] of systems) {
    const match = pattern.exec(userAgent);
    if (match) return system(match);
  }
  return { navigator: "Linux x86_64", platform: "Unknown", version: "" };
}

/** A version of three parts: `10_15_7` is `10.15.7`, `11` is `11.0.0`. */
function full(version = ""): string {
  const parts = version.split(/[._]/).filter(Boolean);
  return parts.length === 0 ? "" : [...parts, "0", "0"].slice(0, 3).join(".");
}

/** The first version of Chromium that sends client hints. */
const FIRST_WITH_HINTS = 89;

function clientHints(userAgent: string, { platform, version }: System): ClientHints | undefined {
  const chromium = chromiumOf(userAgent);
  if (chromium === undefined || Number.parseInt(chromium, 10) < FIRST_WITH_HINTS) return undefined;
  const brands = brandsOf(userAgent, chromium);
  const mobile = /\bMobile\b/.test(userAgent);
  const isAndroid = platform === "Android";
  return {
    brands: brands.map(({ brand, version }) => ({ brand, version: String(Number.parseInt(version, 10)) })),
    fullVersionList: brands,
    fullVersion: chromium,
    platform,
    platformVersion: version,
    // A phone tells its model; of its processor it tells nothing.
    architecture: isAndroid ? "" : /\b(?:aarch64|armv)/.test(userAgent) ? "arm" : "x86",
    bitness: isAndroid ? "" : /\b(?:i686|armv7)/.test(userAgent) ? "32" : "64",
    model: isAndroid ? modelOf(userAgent) : "",
    mobile,
    wow64: false,
    formFactors: [mobile ? "Mobile" : isAndroid ? "Tablet" : "Desktop"],
  };
}

/** Browsers that are made of Chromium and say so with a version of their own. */
const products: readonly [RegExp, string][] = [
  [/\bEdgA?\/([\d.]+)/, "Microsoft Edge"],
  [/\bOPR\/([\d.]+)/, "Opera"],
  [/\bSamsungBrowser\/([\d.]+)/, "Samsung Internet"],
  [/\bVersion\/[\d.]+ Chrome\/([\d.]+)/, "Android WebView"],
  [CHROME, "Google Chrome"],
];

/**
 * The brands of a browser, as GetGreasedUserAgentBrandVersion of Chromium's user_agent_utils.cc makes them: their order
 * and the name of the one that stands for nothing follow from the version.
 */
function brandsOf(userAgent: string, chromium: string): { brand: string; version: string }[] {
  const seed = Number.parseInt(chromium, 10);
  const separators = " (:-./);=?_";
  const [first, second] = [separators[seed % 11], separators[(seed + 1) % 11]];
  const nothing = { brand: `Not${first}A${second}Brand`, version: `${["8", "99", "24"][seed % 3]}.0.0.0` };
  const [product, name] = products.find(([pattern]) => pattern.test(userAgent)) ?? [CHROME, "Google Chrome"];
  const named = { brand: name, version: product.exec(userAgent)?.[1] ?? chromium };
  const list = [nothing, { brand: "Chromium", version: chromium }, named];
  const order = ["012", "021", "102", "120", "201", "210"][seed % 6] ?? "012";
  // Each digit is the place of the brand: `120` puts the first one second.
  return list.map((_, place) => list[order.indexOf(String(place))] ?? nothing);
}

/** The model between Android's version and the build; `K` is what every Chrome says instead of one. */
function modelOf(userAgent: string): string {
  const model = /Android [\d.]+;(?: \w\w-\w\w;)? ([\x20-\x7e]+?)(?: Build\/[^)]*)?(?:; wv)?\) AppleWebKit/.exec(
    userAgent,
  )?.[1];
  return model === undefined || model === "K" ? "" : model;
}

/** A visitor's languages as a Chrome of that locale has them from the start: English comes last. */
function languages(locale: string): string[] {
  const [language = locale] = locale.split("-");
  return [...new Set([locale, ...(language === "en" ? [] : [language]), "en-US", "en"])];
}

/**
 * The same visitor, whose client hints tell the exact version of the browser (`HeadlessChrome/153.0.8010.0`) where they
 * only know that of the user agent, which has zeros in its place.
 */
export function exactly(identity: UserAgentIdentity, browser: string): UserAgentIdentity {
  const { metadata } = identity;
  const exact = /\/([\d.]+)$/.exec(browser)?.[1];
  if (!metadata || exact === undefined) return identity;
  const rounded = `${CHROMIUM_MAJOR}.0.0.0`;
  const exactOf = (version = "") => (version === rounded ? exact : version);
  return {
    ...identity,
    metadata: {
      ...metadata,
      fullVersion: exactOf(metadata.fullVersion),
      ...(metadata.fullVersionList && {
        fullVersionList: metadata.fullVersionList.map(({ brand, version }) => ({ brand, version: exactOf(version) })),
      }),
    },
  };
}
