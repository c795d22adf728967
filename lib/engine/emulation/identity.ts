// Browser identity: user agent, matching client hints, platform and languages.
import type { Protocol } from "puppeteer-core";
import type { Device } from "../../contract/options/values/devices.ts";
import { CHROMIUM_MAJOR, USER_AGENT } from "../browser/chromium-flags.ts";

type ClientHints = Protocol.Emulation.UserAgentMetadata;

/** Parameters of `Emulation.setUserAgentOverride`. */
export interface UserAgentIdentity {
  readonly userAgent: string;
  /** Languages in order, without q-values: Chromium adds those to the header, and would expose given ones to pages. */
  readonly acceptLanguage: string;
  /** `navigator.platform` */
  readonly platform: string;
  /** Client hints; absent for browsers that send none. */
  readonly metadata?: ClientHints;
}

/** Returns the identity for a user agent or its alias, else for a device, else for Chrome on Linux. */
export function resolveIdentity({
  userAgent,
  device,
  locale,
}: {
  userAgent?: string | undefined;
  device?: Device | undefined;
  /** A canonical BCP 47 language tag. */
  locale: string;
}): UserAgentIdentity {
  const effectiveUserAgent =
    userAgent === undefined ? deviceUserAgent(device) : (aliases.get(userAgent.toLowerCase()) ?? userAgent);
  const system = detectSystem(effectiveUserAgent);
  const metadata = clientHints(effectiveUserAgent, system);
  return {
    userAgent: effectiveUserAgent,
    acceptLanguage: acceptedLanguages(locale).join(","),
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

/** The Chrome version of a device's user agent becomes ours: pages choose features by it. */
function deviceUserAgent(device: Device | undefined): string {
  if (!device) return USER_AGENT;
  return chromiumVersion(device.userAgent)
    ? device.userAgent.replace(CHROME, `Chrome/${CHROMIUM_MAJOR}.0.0.0`)
    : device.userAgent;
}

const CHROME = /\bChrome\/(\d+(?:\.\d+){0,3})/;

/** Chromium version in a user agent; undefined for other engines and for self-declared bots. */
function chromiumVersion(userAgent: string): string | undefined {
  const isOtherEngine = /\bEdge\/|\bcompatible;|bot\b|crawler|spider/i.test(userAgent);
  return isOtherEngine ? undefined : CHROME.exec(userAgent)?.[1];
}

interface OperatingSystem {
  readonly navigator: string;
  /** Name and version for client hints. */
  readonly platform: string;
  readonly version: string;
}

/** The first pattern that matches a user agent determines its system. */
const systems: readonly [RegExp, (match: RegExpExecArray) => OperatingSystem][] = [
  [/\b(?:iPhone|iPad|iPod)\b/, ([device]) => ({ navigator: device, platform: "iOS", version: "" })],
  [/\bWindows Phone\b/, () => ({ navigator: "Win32", platform: "Windows", version: "" })],
  [
    /\bAndroid(?: ([\d.]+))?/,
    ([, version]) => ({ navigator: "Linux armv81", platform: "Android", version: threePartVersion(version) }),
  ],
  [
    /\bWindows(?: NT ([\d.]+))?/,
    ([, version]) => ({ navigator: "Win32", platform: "Windows", version: threePartVersion(version) }),
  ],
  [
    /\bMac OS X(?: ([\d_.]+))?/,
    ([, version]) => ({ navigator: "MacIntel", platform: "macOS", version: threePartVersion(version) }),
  ],
  [
    /\bCrOS \w+ ([\d.]+)/,
    ([, version]) => ({ navigator: "Linux x86_64", platform: "Chrome OS", version: threePartVersion(version) }),
  ],
  [/\bLinux (aarch64|armv\w+|i686)/, ([, cpu]) => ({ navigator: `Linux ${cpu}`, platform: "Linux", version: "" })],
  [/\b(?:Linux|X11)\b/, () => ({ navigator: "Linux x86_64", platform: "Linux", version: "" })],
];

function detectSystem(userAgent: string): OperatingSystem {
  for (const [pattern, system] of systems) {
    const match = pattern.exec(userAgent);
    if (match) return system(match);
  }
  return { navigator: "Linux x86_64", platform: "Unknown", version: "" };
}

/** Pads or cuts a version to three parts: `10_15_7` becomes `10.15.7`, `11` becomes `11.0.0`. */
function threePartVersion(version = ""): string {
  const parts = version.split(/[._]/).filter(Boolean);
  return parts.length === 0 ? "" : [...parts, "0", "0"].slice(0, 3).join(".");
}

/** The first version of Chromium that sends client hints. */
const FIRST_WITH_HINTS = 89;

function clientHints(userAgent: string, { platform, version }: OperatingSystem): ClientHints | undefined {
  const chromium = chromiumVersion(userAgent);
  if (chromium === undefined || Number.parseInt(chromium, 10) < FIRST_WITH_HINTS) return undefined;
  const brands = greasedBrands(userAgent, chromium);
  const mobile = /\bMobile\b/.test(userAgent);
  const isAndroid = platform === "Android";
  return {
    brands: brands.map(({ brand, version }) => ({ brand, version: String(Number.parseInt(version, 10)) })),
    fullVersionList: brands,
    fullVersion: chromium,
    platform,
    platformVersion: version,
    // Chrome on Android sends its model, but not its processor.
    architecture: isAndroid ? "" : /\b(?:aarch64|armv)/.test(userAgent) ? "arm" : "x86",
    bitness: isAndroid ? "" : /\b(?:i686|armv7)/.test(userAgent) ? "32" : "64",
    model: isAndroid ? deviceModel(userAgent) : "",
    mobile,
    wow64: false,
    formFactors: [mobile ? "Mobile" : isAndroid ? "Tablet" : "Desktop"],
  };
}

/** Chromium-based browsers that state a version of their own. */
const products: readonly [RegExp, string][] = [
  [/\bEdgA?\/([\d.]+)/, "Microsoft Edge"],
  [/\bOPR\/([\d.]+)/, "Opera"],
  [/\bSamsungBrowser\/([\d.]+)/, "Samsung Internet"],
  [/\bVersion\/[\d.]+ Chrome\/([\d.]+)/, "Android WebView"],
  [CHROME, "Google Chrome"],
];

/**
 * The brand list with its GREASE entry, as GetGreasedUserAgentBrandVersion in Chromium's user_agent_utils.cc creates
 * it: order and GREASE name follow from the version.
 */
function greasedBrands(userAgent: string, chromium: string): { brand: string; version: string }[] {
  const seed = Number.parseInt(chromium, 10);
  const separators = " (:-./);=?_";
  const [first, second] = [separators[seed % 11], separators[(seed + 1) % 11]];
  const grease = { brand: `Not${first}A${second}Brand`, version: `${["8", "99", "24"][seed % 3]}.0.0.0` };
  const [product, name] = products.find(([pattern]) => pattern.test(userAgent)) ?? [CHROME, "Google Chrome"];
  const productBrand = { brand: name, version: product.exec(userAgent)?.[1] ?? chromium };
  const list = [grease, { brand: "Chromium", version: chromium }, productBrand];
  const order = ["012", "021", "102", "120", "201", "210"][seed % 6] ?? "012";
  // Each digit is the position of a brand: `120` puts the first one second.
  return list.map((_, position) => list[order.indexOf(String(position))] ?? grease);
}

/** The device model between Android's version and the build. Reduced user agents say `K` instead of a model. */
function deviceModel(userAgent: string): string {
  const model = /Android [\d.]+;(?: \w\w-\w\w;)? ([\x20-\x7e]+?)(?: Build\/[^)]*)?(?:; wv)?\) AppleWebKit/.exec(
    userAgent,
  )?.[1];
  return model === undefined || model === "K" ? "" : model;
}

/** Default languages of Chrome in that locale: English comes last. */
function acceptedLanguages(locale: string): string[] {
  const [language = locale] = locale.split("-");
  return [...new Set([locale, ...(language === "en" ? [] : [language]), "en-US", "en"])];
}

/**
 * Returns the identity with the browser's exact version (`HeadlessChrome/153.0.8010.0`) in the client hints that so far
 * repeat the reduced version of the user agent.
 */
export function withExactVersion(identity: UserAgentIdentity, browser: string): UserAgentIdentity {
  const { metadata } = identity;
  const exact = /\/([\d.]+)$/.exec(browser)?.[1];
  if (!metadata || exact === undefined) return identity;
  const rounded = `${CHROMIUM_MAJOR}.0.0.0`;
  const toExact = (version = "") => (version === rounded ? exact : version);
  return {
    ...identity,
    metadata: {
      ...metadata,
      fullVersion: toExact(metadata.fullVersion),
      ...(metadata.fullVersionList && {
        fullVersionList: metadata.fullVersionList.map(({ brand, version }) => ({ brand, version: toExact(version) })),
      }),
    },
  };
}
