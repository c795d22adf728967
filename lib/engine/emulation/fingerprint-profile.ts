// What scripts find in a browser that a person uses, where a headless one would tell otherwise: told by the user agent.
import type { PageEnvironment } from "./emulation.ts";

/** Plain data, as it travels into the page. */
export interface FingerprintProfile {
  /** What properties of the one object of an interface tell, where their own value is another. */
  readonly values: Readonly<Record<string, Readonly<Record<string, string | number | readonly string[]>>>>;
  /** What the browser does not have: by interface, and under `""` what is global. */
  readonly absent: Readonly<Record<string, readonly string[]>>;
  readonly graphics: { readonly vendor: string; readonly renderer: string };
  /** The plugins of a browser that shows PDFs. */
  readonly plugins: boolean;
  /** The object `chrome`, which has one member more at a desk. */
  readonly chrome: "desktop" | "mobile" | "none";
  /** Can hand things on to other applications. */
  readonly shares: boolean;
  /** Tells by `orientation` how it is held. */
  readonly turns: boolean;
}

type Engine = "blink" | "webkit" | "gecko";

/** Processors and gigabytes of a usual machine; those of a function would be few. */
export const PROCESSORS = 4;
const MEMORY = 8;

/** The person's browser of an environment. The engine stays Chromium's: of others only what is asked most is like theirs. */
export function createFingerprintProfile({ identity, mobile, touch, desk }: PageEnvironment): FingerprintProfile {
  const { userAgent, platform } = identity;
  const languages = identity.acceptLanguage.split(",");
  const engine = engineOf(userAgent);
  const isHandheld = /\b(?:Android|iPhone|iPad|iPod|Mobile)\b/.test(userAgent);
  const isBlink = engine === "blink";
  return {
    values: {
      Navigator: { ...(isBlink && { deviceMemory: MEMORY }), ...vendors[engine] },
      WorkerNavigator: {
        ...(isBlink && { deviceMemory: MEMORY }),
        hardwareConcurrency: PROCESSORS,
        platform,
        userAgent,
        appVersion: userAgent.replace(/^Mozilla\//, ""),
        languages,
        language: languages[0] ?? "",
      },
      ...(desk && { Screen: { availHeight: desk.screen.height - desk.taskbar } }),
    },
    absent: isBlink ? {} : otherEngines,
    graphics: graphicsOf(userAgent, engine),
    plugins: !isHandheld,
    chrome: isBlink ? (isHandheld ? "mobile" : "desktop") : "none",
    shares: isHandheld || (!/Linux|X11/.test(userAgent) && engine !== "gecko"),
    turns: mobile && touch,
  };
}

function engineOf(userAgent: string): Engine {
  if (/\bGecko\/\d/.test(userAgent)) return "gecko";
  return /\bAppleWebKit\//.test(userAgent) && !/\bChrome\//.test(userAgent) ? "webkit" : "blink";
}

const vendors: Readonly<Record<Engine, Readonly<Record<string, string>>>> = {
  blink: {},
  webkit: { vendor: "Apple Computer, Inc." },
  gecko: { vendor: "", productSub: "20100101" },
};

/** What only Chromium has, of what scripts tell browsers apart by. */
const ofNavigator = ["userAgentData", "connection", "deviceMemory", "gpu", "usb", "hid", "serial"];
const otherEngines = {
  "": ["NavigatorUAData", "NetworkInformation", "BatteryManager", "Notification", "EyeDropper", "LanguageModel"],
  Navigator: [...ofNavigator, "getBattery", "keyboard", "bluetooth", "presentation", "getInstalledRelatedApps"],
  WorkerNavigator: ofNavigator,
  Performance: ["memory"],
};

/** Graphics hardware by what a user agent names first. */
const hardware: readonly (readonly [RegExp, vendor: string, renderer: string])[] = [
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

function graphicsOf(userAgent: string, engine: Engine): FingerprintProfile["graphics"] {
  if (engine === "webkit") return { vendor: "Apple Inc.", renderer: "Apple GPU" };
  if (engine === "gecko") return { vendor: "Intel", renderer: "Intel(R) HD Graphics, or similar" };
  const [, vendor = "", renderer = ""] = hardware.find(([pattern]) => pattern.test(userAgent)) ?? [];
  return { vendor, renderer };
}
