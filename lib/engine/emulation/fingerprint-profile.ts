// Fingerprint profile: the property values by which scripts tell a desktop or mobile browser from a headless one.
import type { FingerprintProfile } from "../injected/stealth.ts";
import type { PageEnvironment } from "./emulation.ts";

type Engine = "blink" | "webkit" | "gecko";

/** Processors and gigabytes of an ordinary computer; a function's own would stand out. */
export const HARDWARE_CONCURRENCY = 4;
const DEVICE_MEMORY_GB = 8;

/**
 * Creates the profile for an environment. The engine stays Chromium's: for other engines only the most common checks
 * match.
 */
export function createFingerprintProfile({
  identity,
  mobile,
  touch,
  screenMetrics,
}: PageEnvironment): FingerprintProfile {
  const { userAgent, platform } = identity;
  const languages = identity.acceptLanguage.split(",");
  const engine = detectEngine(userAgent);
  const isHandheld = /\b(?:Android|iPhone|iPad|iPod|Mobile)\b/.test(userAgent);
  const isBlink = engine === "blink";
  return {
    values: {
      Navigator: { ...(isBlink && { deviceMemory: DEVICE_MEMORY_GB }), ...vendors[engine] },
      WorkerNavigator: {
        ...(isBlink && { deviceMemory: DEVICE_MEMORY_GB }),
        hardwareConcurrency: HARDWARE_CONCURRENCY,
        platform,
        userAgent,
        appVersion: userAgent.replace(/^Mozilla\//, ""),
        languages,
        language: languages[0] ?? "",
      },
      ...(screenMetrics && { Screen: { availHeight: screenMetrics.screen.height - screenMetrics.taskbar } }),
    },
    absent: isBlink ? {} : missingInOtherEngines,
    graphics: chooseGraphics(userAgent, engine),
    plugins: !isHandheld,
    chrome: isBlink ? (isHandheld ? "mobile" : "desktop") : "none",
    shares: isHandheld || (!/Linux|X11/.test(userAgent) && engine !== "gecko"),
    turns: mobile && touch,
  };
}

function detectEngine(userAgent: string): Engine {
  if (/\bGecko\/\d/.test(userAgent)) return "gecko";
  return /\bAppleWebKit\//.test(userAgent) && !/\bChrome\//.test(userAgent) ? "webkit" : "blink";
}

const vendors: Readonly<Record<Engine, Readonly<Record<string, string>>>> = {
  blink: {},
  webkit: { vendor: "Apple Computer, Inc." },
  gecko: { vendor: "", productSub: "20100101" },
};

/** Interfaces and properties that only Chromium has, of those that scripts use to identify a browser. */
const navigatorProperties = ["userAgentData", "connection", "deviceMemory", "gpu", "usb", "hid", "serial"];
const missingInOtherEngines = {
  "": ["NavigatorUAData", "NetworkInformation", "BatteryManager", "Notification", "EyeDropper", "LanguageModel"],
  Navigator: [...navigatorProperties, "getBattery", "keyboard", "bluetooth", "presentation", "getInstalledRelatedApps"],
  WorkerNavigator: navigatorProperties,
  Performance: ["memory"],
};

/** WebGL vendor and renderer, by the first match in the user agent. */
const graphicsByUserAgent: readonly (readonly [RegExp, vendor: string, renderer: string])[] = [
  [/\bPixel [6-9]|\bSM-|\bGT-/, "ARM", "Mali-G78"],
  [/\bAndroid\b/, "Qualcomm", "Adreno (TM) 640"],
  [
    /\bWindows\b/,
    "Google Inc. (Intel)",
    "ANGLE (Intel, Intel(R) UHD Graphics 630 (0x00003E92) Direct3D11 vs_5_0 ps_5_0, D3D11)",
  ],
  [/\bMac OS X\b/, "Google Inc. (Apple)", "ANGLE (Apple, ANGLE Metal Renderer: Apple M1, Unspecified Version)"],
  [/./, "Google Inc. (Intel)", "ANGLE (Intel, Mesa Intel(R) UHD Graphics 620 (KBL GT2), OpenGL 4.6)"],
];

function chooseGraphics(userAgent: string, engine: Engine): FingerprintProfile["graphics"] {
  if (engine === "webkit") return { vendor: "Apple Inc.", renderer: "Apple GPU" };
  if (engine === "gecko") return { vendor: "Intel", renderer: "Intel(R) HD Graphics, or similar" };
  const [, vendor = "", renderer = ""] = graphicsByUserAgent.find(([pattern]) => pattern.test(userAgent)) ?? [];
  return { vendor, renderer };
}
