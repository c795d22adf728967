/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// A page that asks the browser, in every place where scripts run, what sites ask to tell robots from people.
import type { ServerResponse } from "node:http";
import { type Pages, document as page, script } from "./page.ts";

/** What is odd about a browser, by the place where it was asked: the name of each check that failed, with what it found. */
export type Oddities = Readonly<Partial<Record<FingerprintPlace, readonly string[]>>>;

export const fingerprintPlaces = [
  "page",
  "empty frame",
  "srcdoc frame",
  "frame",
  "foreign frame",
  "worker",
  "blob worker",
  "shared worker",
  "service worker",
] as const;

export type FingerprintPlace = (typeof fingerprintPlaces)[number];

/** What the latest visitor of `/fingerprint` was found to be. Throws when not all places have been reported. */
export function odditiesIn(requests: readonly { readonly path: string }[]): Oddities {
  const found = fingerprintPlaces.map((place): [FingerprintPlace, string[]] => {
    const start = `${REPORT}?${encodeURIComponent(place)}=`;
    const report = requests.findLast(({ path }) => path.startsWith(start));
    if (!report) throw new Error(`The ${place} of a visitor of /fingerprint has not been reported.`);
    return [place, JSON.parse(decodeURIComponent(report.path.slice(start.length)))];
  });
  return Object.fromEntries(found);
}

const REPORT = "/fingerprint-report";

/** Declares the checks under the names they have here; as a list of these names for where they are to go on to. */
const names = "[examine, hears, oddFunctions, oddWindow, oddPlugins]";
const checks = () => [examine, hears, oddFunctions, oddWindow, oddPlugins].join("\n");

const serveScript = (text: () => string) => (_: URLSearchParams, answer: ServerResponse) =>
  void answer.setHeader("content-type", "text/javascript").end(text());

export const fingerprintPages: Pages = {
  /** Examines all places and reports what is odd; `foreign` is the origin of one of the frames. */
  "/fingerprint": (query) => {
    const foreign = new URL("/fingerprint-frame", query.get("foreign") ?? "http://127.0.0.1/").href;
    return page(
      `<pre id="shown">examining</pre>${script(`${checks()}
      const told = (target) => new Promise((resolve) => {
        setTimeout(resolve, 8000, ["does not answer"]);
        target.addEventListener("message", ({ data }) => data.odd && resolve(data.odd));
      });
      const add = (properties) => {
        const frame = Object.assign(document.createElement("iframe"), properties);
        const loaded = new Promise((resolve) => frame.addEventListener("load", resolve));
        document.body.append(frame);
        return { frame, loaded };
      };
      const examined = ({ contentWindow }) => contentWindow.eval(${names}.join(" ") + " examine()");
      const places = {
        "page": examine,
        "empty frame": () => examined(add({}).frame),
        "srcdoc frame": async () => {
          const { frame, loaded } = add({ srcdoc: "<p>Here</p>" });
          await loaded;
          return examined(frame);
        },
        "frame": async () => {
          const { frame, loaded } = add({ src: "/fingerprint-blank" });
          await loaded;
          return examined(frame);
        },
        "foreign frame": () => {
          add({ src: ${JSON.stringify(foreign)} });
          return told(window);
        },
        "worker": () => told(new Worker("/fingerprint-worker.js")),
        "blob worker": () => {
          const source = "importScripts('" + origin + "/fingerprint-worker.js')";
          return told(new Worker(URL.createObjectURL(new Blob([source]))));
        },
        "shared worker": () => {
          const { port } = new SharedWorker("/fingerprint-worker.js");
          port.start();
          return told(port);
        },
        "service worker": async () => {
          navigator.serviceWorker.startMessages();
          const { installing, active } = await navigator.serviceWorker.register("/fingerprint-worker.js");
          (installing ?? active).postMessage("");
          return told(navigator.serviceWorker);
        },
      };
      (async () => {
        shown.textContent = "";
        await Promise.all(Object.entries(places).map(async ([place, ask]) => {
          const odd = await Promise.try(ask).catch((error) => [String(error.stack)]);
          const report = odd.slice(0, 40);
          shown.textContent += place + ": " + JSON.stringify(report, null, 1) + "; ";
          await fetch("${REPORT}?" + encodeURIComponent(place) + "=" + encodeURIComponent(JSON.stringify(report)));
        }));
        document.body.className = "examined";
      })();`)}`,
    );
  },
  [REPORT]: (_, answer) => void answer.writeHead(204).end(),
  "/fingerprint-blank": () => page(""),
  "/fingerprint-frame": () => page(script(`${checks()} examine().then((odd) => parent.postMessage({ odd }, "*"));`)),
  "/fingerprint-worker.js": serveScript(
    () => `${checks()}
      onconnect = async ({ ports: [port] }) => port.postMessage({ odd: await examine() });
      onmessage = async ({ source }) => source.postMessage({ odd: await examine() });
      if (self.DedicatedWorkerGlobalScope) examine().then((odd) => postMessage({ odd }));`,
  ),
};

interface NavigatorOfChromium extends Navigator {
  readonly deviceMemory?: number;
  readonly connection?: { readonly rtt: number };
  readonly userAgentData?: {
    readonly platform: string;
    readonly mobile: boolean;
    readonly brands: readonly { readonly brand: string; readonly version: string }[];
    getHighEntropyValues(names: string[]): Promise<{ fullVersionList?: readonly { version: string }[] }>;
  };
}

/** Names the checks that find something odd in a window or a worker. Goes along with the others into the page. */
async function examine(): Promise<string[]> {
  const odd: string[] = [];
  const check = (name: string, isFine: boolean, found: unknown = "") => {
    if (!isFine) odd.push(found === "" ? name : `${name}: ${String(found).slice(0, 120)}`);
  };
  const visitor = navigator as NavigatorOfChromium;
  const { userAgent, platform, languages, hardwareConcurrency, deviceMemory, connection, userAgentData } = visitor;
  const isChromium = /\bChrome\//.test(userAgent);
  const isHandheld = /Android|iPhone|iPad/.test(userAgent);

  check("user agent", !/headless/i.test(userAgent + visitor.appVersion), userAgent);
  check("version of the application", userAgent.endsWith(visitor.appVersion), visitor.appVersion);
  const systems: [RegExp, RegExp][] = [
    [/iPhone/, /^iPhone$/],
    [/Android/, /^Linux arm/],
    [/Windows/, /^Win32$/],
    [/Mac OS X/, /^MacIntel$/],
    [/Linux/, /^Linux x86_64$/],
  ];
  const [, wanted = /./] = systems.find(([pattern]) => pattern.test(userAgent)) ?? [];
  check("platform", wanted.test(platform), platform);
  check("languages", languages.length > 0 && languages[0] === navigator.language, languages);
  check("locale", Intl.DateTimeFormat().resolvedOptions().locale === languages[0]);
  check("processors", hardwareConcurrency >= 4 && hardwareConcurrency <= 32, hardwareConcurrency);
  check("memory", isChromium ? [4, 8, 16, 32].includes(deviceMemory ?? 0) : deviceMemory === undefined, deviceMemory);
  check("memory of a phone", !isHandheld || (deviceMemory ?? 0) <= 8, deviceMemory);
  check("connection", isChromium ? (connection?.rtt ?? 0) > 0 : connection === undefined, connection?.rtt);
  check("own properties of navigator", Object.getOwnPropertyNames(navigator).length === 0);

  check("client hints", isChromium === (userAgentData !== undefined));
  if (userAgentData) {
    const { brands, mobile } = userAgentData;
    check(
      "brands",
      brands.some(({ version }) => userAgent.includes(`Chrome/${version}.`)),
      JSON.stringify(brands),
    );
    check(
      "brand names",
      brands.every(({ brand }) => !/headless/i.test(brand)) && brands.length === 3,
      JSON.stringify(brands),
    );
    check("mobile", mobile === /Mobile/.test(userAgent), mobile);
    const { fullVersionList = [] } = await userAgentData.getHighEntropyValues(["fullVersionList"]);
    const exact = fullVersionList.filter(({ version }) => !/^\d+\.0\.0\.0$/.test(version));
    check("exact version", exact.length === 2, JSON.stringify(fullVersionList));
    const system = { Linux: /Linux/, Android: /Android/, Windows: /Windows/, macOS: /Mac OS X/ }[
      userAgentData.platform
    ];
    check("platform of the hints", system?.test(userAgent) === true, userAgentData.platform);
  }

  const canvas = "document" in globalThis ? document.createElement("canvas") : new OffscreenCanvas(1, 1);
  for (const kind of ["webgl", "webgl2"] as const) {
    const context = canvas.getContext(kind) as WebGLRenderingContext | null;
    const names = context?.getExtension("WEBGL_debug_renderer_info");
    if (!context || !names) continue; // a canvas has one of them
    const vendor = String(context.getParameter(names.UNMASKED_VENDOR_WEBGL));
    const renderer = String(context.getParameter(names.UNMASKED_RENDERER_WEBGL));
    check(`software for ${kind}`, !/swiftshader|llvmpipe|softpipe|software|virtual/i.test(vendor + renderer), renderer);
    const makers: [RegExp, RegExp][] = [
      [/iPhone|iPad/, /^Apple Inc\. Apple GPU$/],
      [/Android/, /^(ARM Mali|Qualcomm Adreno)/],
      [/Windows/, /Direct3D11/],
      [/Mac OS X/, /Apple/],
      [/Linux/, /Mesa|OpenGL/],
    ];
    const [, maker = /./] = makers.find(([pattern]) => pattern.test(userAgent)) ?? [];
    check(`graphics of ${kind}`, maker.test(`${vendor} ${renderer}`), `${vendor} ${renderer}`);
    const version = String(context.getParameter(context.VERSION));
    check(`version of ${kind}`, isChromium === version.includes("Chromium"), version);
  }
  if (isChromium && "permissions" in navigator) {
    const stateOf = async (name: string) => (await navigator.permissions.query({ name: name as PermissionName })).state;
    const said = { denied: "denied", default: "prompt", granted: "granted" }[Notification.permission];
    const asked = await stateOf("notifications");
    check("notifications", said === asked, `${Notification.permission} and ${asked}`);
    check("background sync", (await stateOf("background-sync")) === "granted");
  }
  odd.push(...oddFunctions());
  check("console", hears() === 0, hears());
  if ("document" in globalThis) odd.push(...(await oddWindow()));
  return [...new Set(odd)];
}

/** How often what is written to the console is looked into, as it is when somebody listens. */
function hears(): number {
  let looks = 0;
  const { prepareStackTrace } = Error;
  Error.prepareStackTrace = () => {
    looks++;
    return "";
  };
  console.debug(new Error("here"));
  Error.prepareStackTrace = prepareStackTrace;
  const watched = new Proxy({}, { ownKeys: () => [String(looks++)] });
  console.debug(Object.create(watched));
  const error = Object.defineProperty(new Error("there"), "stack", { get: () => String(looks++) });
  console.debug(error);
  return looks;
}

/** Functions of the browser that have been replaced. */
function oddFunctions(): string[] {
  const odd: string[] = [];
  const check = (name: string, isFine: boolean, found: unknown = "") => {
    if (!isFine) odd.push(found === "" ? name : `${name}: ${String(found).slice(0, 160)}`);
  };
  const errorOf = (work: () => unknown): Error | undefined => {
    try {
      work();
    } catch (error) {
      return error as Error;
    }
    return undefined;
  };
  const fresh = () => {
    if (!("document" in globalThis) || !document.body) return Function.prototype.toString;
    const frame = document.createElement("iframe");
    document.body.append(frame);
    const reader = (frame.contentWindow as unknown as typeof globalThis).Function.prototype.toString;
    frame.remove();
    return reader;
  };
  const readers = [Function.prototype.toString, fresh()];
  const native = /^function (get )?\w*\(\) \{\s+\[native code\]\s+\}$/;
  const interfaces = ["Navigator", "WorkerNavigator", "Screen", "PluginArray", "Plugin", "MimeTypeArray", "MimeType"];
  const drawing = ["WebGLRenderingContext", "WebGL2RenderingContext", "Notification", "Permissions", "Performance"];
  /** Where an error comes from, without the numbers of lines, which differ. */
  const linesOf = (error: Error | undefined) => error?.stack?.replace(/(:\d+)+\)?$/gm, "");
  const untouched = Object.getOwnPropertyDescriptor(URL.prototype, "href")?.get ?? (() => undefined);
  const usual = linesOf(errorOf(() => Reflect.apply(untouched, Object.create(null), [])));
  for (const owner of [...interfaces, ...drawing]) {
    const found = (globalThis as unknown as Record<string, { prototype: object } | undefined>)[owner];
    if (!found) continue;
    for (const [name, { get, value }] of Object.entries(Object.getOwnPropertyDescriptors(found.prototype))) {
      const asked: unknown = get ?? value;
      if (typeof asked !== "function" || name === "constructor") continue;
      const label = `${owner}.${name}`;
      const cannot = (what: string, error: Error | undefined) =>
        check(`${label} ${what}`, error instanceof TypeError, error?.stack ?? "no error");
      for (const reader of readers) check(`text of ${label}`, native.test(reader.call(asked)), reader.call(asked));
      check(`name of ${label}`, get ? asked.name === `get ${name}` : true, asked.name);
      check(`members of ${label}`, !Object.hasOwn(asked, "prototype") && !Object.hasOwn(asked, "toString"));
      cannot(
        "is no constructor",
        errorOf(() => Reflect.construct(Object, [], asked as never)),
      );
      cannot(
        "is no superclass",
        errorOf(() => class extends (asked as unknown as ObjectConstructor) {}),
      );
      const before = Object.getPrototypeOf(asked);
      cannot(
        "is not its own ancestor",
        errorOf(() => Object.setPrototypeOf(asked, Object.create(asked))),
      );
      cannot(
        "is not its own prototype",
        errorOf(() => Object.setPrototypeOf(asked, asked)),
      );
      Object.setPrototypeOf(asked, before);
      if (!get) continue;
      const misused = errorOf(() => Reflect.apply(asked, Object.create(null), []));
      cannot("refuses another receiver", misused);
      check(`stack of ${label}`, linesOf(misused) === usual, misused?.stack);
    }
  }
  return odd;
}

/** What is odd about a window, in a frame or as a whole. */
async function oddWindow(): Promise<string[]> {
  const odd: string[] = [];
  const check = (name: string, isFine: boolean, found: unknown = "") => {
    if (!isFine) odd.push(found === "" ? name : `${name}: ${String(found).slice(0, 120)}`);
  };
  const visitor = navigator as NavigatorOfChromium & { readonly canShare?: unknown };
  const { userAgent, webdriver, maxTouchPoints } = visitor;
  const isChromium = /\bChrome\//.test(userAgent);
  const isHandheld = /Android|iPhone|iPad/.test(userAgent);
  const matches = (query: string) => matchMedia(query).matches;

  check("webdriver", webdriver === false, webdriver);
  check("webdriver in navigator", "webdriver" in navigator);
  const globals = Object.getOwnPropertyNames(window).filter((name) =>
    /^(cdc_|\$cdc|__(pup|play|web|sel|dri))/.test(name),
  );
  check("names of tools", globals.length === 0, globals);
  const { chrome } = window as { chrome?: Record<string, () => object> };
  check("chrome", isChromium === (chrome !== undefined));
  if (chrome) {
    const wanted = isHandheld ? "loadTimes,csi" : "loadTimes,csi,app";
    check("members of chrome", Object.keys(chrome).join() === wanted, Object.keys(chrome));
    check("text of chrome.csi", /^function \w*\(\) \{ \[native code\] \}$/.test(String(chrome["csi"])), chrome["csi"]);
    check("chrome.csi()", Object.keys(chrome["csi"]?.() ?? {}).join() === "onloadT,startE,pageT,tran");
    check("chrome.loadTimes()", Object.keys(chrome["loadTimes"]?.() ?? {}).length === 13);
  }
  const vendor = isChromium ? "Google Inc." : "Apple Computer, Inc.";
  check("vendor", visitor.vendor === vendor, visitor.vendor);
  const heap = (performance as { memory?: object }).memory;
  check("performance.memory", isChromium === (heap !== undefined));
  odd.push(...oddPlugins(!isHandheld));

  check("focus", document.hasFocus() || parent !== window);
  check("visibility", document.visibilityState === "visible", document.visibilityState);
  const isTouched = maxTouchPoints > 0;
  check("touch", isHandheld === isTouched && isTouched === "ontouchstart" in window, maxTouchPoints);
  check("pointer", matches("(pointer: coarse)") === isTouched && matches("(pointer: fine)") !== isTouched);
  check("hover", matches("(hover: hover)") !== isTouched && matches("(any-hover: hover)") !== isTouched);
  check("orientation", isHandheld === "orientation" in window);
  check("canShare", (isHandheld || /Windows|Mac OS X/.test(userAgent)) === (visitor.canShare !== undefined));
  const { width, height, availWidth, availHeight, colorDepth } = screen;
  check("width of the screen", width >= outerWidth && width >= availWidth, `${width} of ${outerWidth}`);
  check("height of the screen", height >= outerHeight && height >= availHeight, `${height} of ${outerHeight}`);
  check("colours of the screen", colorDepth === 24, colorDepth);
  if (!isHandheld) {
    check("bar below the windows", availHeight < height, `${availHeight} of ${height}`);
    check("window on the screen", outerHeight <= availHeight, `${outerHeight} of ${availHeight}`);
    if (parent === window)
      check("bars of the browser", outerHeight > innerHeight, `${outerHeight} around ${innerHeight}`);
    check("media of the screen", matches(`(device-width: ${width}px)`) && matches(`(device-height: ${height}px)`));
  }

  const video = document.createElement("video");
  check("codecs", video.canPlayType('video/mp4; codecs="avc1.42E01E, mp4a.40.2"') === "probably");
  const image = new Image();
  await new Promise((resolve) => {
    image.onerror = resolve;
    image.src = "/fingerprint-nothing";
  });
  document.documentElement.append(image);
  check("broken image", image.width === 16 && image.naturalWidth === 0, `${image.width} × ${image.height}`);
  image.remove();
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const here = new Intl.DateTimeFormat("en", { timeZone, dateStyle: "short", timeStyle: "long" }).format(0);
  check("time zone", here === new Date(0).toLocaleString("en", { dateStyle: "short", timeStyle: "long" }), here);
  check("stacks", !/pptr|puppeteer|evaluate/.test(new Error("where").stack ?? ""), new Error("where").stack);
  return odd;
}

/** What is odd about the plugins, of which a browser that shows PDFs has five, and another none. */
function oddPlugins(isExpected: boolean): string[] {
  const odd: string[] = [];
  const check = (name: string, isFine: boolean, found: unknown = "") => {
    if (!isFine) odd.push(found === "" ? name : `${name}: ${String(found).slice(0, 120)}`);
  };
  const { plugins, mimeTypes } = navigator;
  check("PDF viewer", navigator.pdfViewerEnabled === isExpected);
  check("number of plugins", plugins.length === (isExpected ? 5 : 0), plugins.length);
  check("types of media", mimeTypes.length === (isExpected ? 2 : 0), mimeTypes.length);
  check("kind of plugins", String(plugins) === "[object PluginArray]" && plugins instanceof PluginArray);
  check("kind of types", String(mimeTypes) === "[object MimeTypeArray]" && mimeTypes instanceof MimeTypeArray);
  check("plugins stay the same", navigator.plugins === plugins && navigator.plugins[0] === plugins[0]);
  if (!isExpected || plugins.length === 0) return odd;
  const [first] = plugins;
  check(
    "kind of a plugin",
    first instanceof Plugin && String(first) === "[object Plugin]" && first[0] instanceof MimeType,
  );
  check("name of a plugin", first?.name === "PDF Viewer" && plugins.namedItem("PDF Viewer") === first, first?.name);
  check(
    "file of a plugin",
    [...plugins].every(({ filename, length }) => filename === "internal-pdf-viewer" && length === 2),
  );
  // Indexes are of 32 bits, which imitations forget.
  check("index of a plugin", plugins.item(4294967296) === first && plugins.item(5) === null);
  check(
    "plugin of a type",
    mimeTypes[0]?.enabledPlugin === first && mimeTypes.namedItem("text/pdf")?.suffixes === "pdf",
  );
  check("names of plugins", Object.keys(plugins).join() === "0,1,2,3,4" && "Chrome PDF Viewer" in plugins);
  check("JSON of plugins", JSON.stringify(mimeTypes) === '{"0":{},"1":{}}', JSON.stringify(mimeTypes));
  check("refresh of plugins", plugins.refresh() === undefined);
  check("members of a plugin", Object.getOwnPropertyNames(first).join() === "0,1,application/pdf,text/pdf");
  return odd;
}
