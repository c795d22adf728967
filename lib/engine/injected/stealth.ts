/// <reference lib="dom" />
/// <reference lib="webworker.importscripts" />
// Stealth: makes the browser look like desktop or mobile Chrome. Runs in the main world of documents and workers before
// scripts of the page.
/** The property values that a page finds, as plain data: they are sent with the script. */
export interface FingerprintProfile {
  /** Property values to override, by interface name. */
  readonly values: Readonly<Record<string, Readonly<Record<string, string | number | readonly string[]>>>>;
  /** Properties to remove, by interface name; those of `""` are globals. */
  readonly absent: Readonly<Record<string, readonly string[]>>;
  readonly graphics: { readonly vendor: string; readonly renderer: string };
  /** Has the PDF viewer plugins of desktop Chrome. */
  readonly plugins: boolean;
  /** The global `chrome`, which has one more member on desktop. */
  readonly chrome: "desktop" | "mobile" | "none";
  /** Has the Web Share API. */
  readonly shares: boolean;
  /** Has `window.orientation`. */
  readonly turns: boolean;
}

/**
 * Replaces values by those of `profile`. Functions of the browser are wrapped in proxies, which have their name, length and
 * errors, and whose source reads as native code in every frame.
 */
export function installStealth(profile: FingerprintProfile): void {
  type Callable = (...args: unknown[]) => unknown;
  type Answer = (self: unknown, args: unknown[], ask: () => unknown) => unknown;
  const { apply, defineProperty, deleteProperty, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
  const { create, setPrototypeOf } = Object;
  const { captureStackTrace } = Error;
  const scope = globalThis as unknown as Record<string, { prototype: object } | undefined>;

  /** Runs `work`; stacks of its errors start at the caller of `own`, so that our frames are not in them. */
  const hideFrames = <T>(own: Callable, work: () => T): T => {
    try {
      return work();
    } catch (error) {
      if (error instanceof Error) captureStackTrace(error, own);
      throw error;
    }
  };

  const isBelow = (prototype: object | null, other: object): boolean => {
    for (let each = prototype; each; each = getPrototypeOf(each)) if (each === other) return true;
    return false;
  };

  const standIn = (native: Callable, answer: Answer): Callable => {
    const traps = {
      apply: (target: Callable, self: unknown, args: unknown[]): unknown =>
        hideFrames(traps.apply as Callable, () => answer(self, args, () => apply(target, self, args))),
      // A function cannot be made its own prototype; a proxy can.
      setPrototypeOf: (target: Callable, prototype: object | null): boolean =>
        hideFrames(traps.setPrototypeOf as Callable, () => {
          setPrototypeOf(target, isBelow(prototype, proxy) ? create(target) : prototype);
          return true;
        }),
    };
    const proxy = new Proxy(native, traps);
    return proxy;
  };

  /** Calls the native function first, for the error of a wrong receiver. */
  const always =
    (value: unknown): Answer =>
    (_self, _args, ask) => {
      ask();
      return value;
    };

  const prototypeOf = (name: string): object | undefined => scope[name]?.prototype;

  const answerGetter = (owner: object | undefined, name: string, answer: Answer) => {
    const own = owner && getOwnPropertyDescriptor(owner, name);
    if (owner && own?.get) defineProperty(owner, name, { ...own, get: standIn(own.get, answer) });
  };

  const answerMethod = (owner: object | undefined, name: string, answer: Answer) => {
    const own = owner && getOwnPropertyDescriptor(owner, name);
    if (owner && own?.value) defineProperty(owner, name, { ...own, value: standIn(own.value, answer) });
  };

  /** A function that the browser lacks, as a bound function: its source reads as native code. */
  const made = (name: string, call: Callable): Callable => {
    const bound = call.bind(undefined);
    defineProperty(bound, "name", { value: name, configurable: true });
    return bound;
  };

  const replaceValues = () => {
    for (const object of [globalThis.navigator, globalThis.screen]) {
      const owner = object ? (getPrototypeOf(object) ?? undefined) : undefined;
      const values = Object.entries(profile.values[owner?.constructor.name ?? ""] ?? {});
      for (const [name, value] of values) {
        // Values that are right already stay native.
        if (String(Reflect.get(object, name)) !== String(value))
          answerGetter(owner, name, always(Object.freeze(value)));
      }
    }
    for (const [owner, names] of Object.entries(profile.absent)) {
      const place = owner === "" ? globalThis : prototypeOf(owner);
      for (const name of names) if (place) deleteProperty(place, name);
    }
  };

  /** Replaces the names of the graphics hardware, and of the drivers on it. */
  const replaceGraphics = () => {
    const [VENDOR, RENDERER] = [0x9245, 0x9246];
    const isChromium = profile.chrome !== "none";
    for (const name of ["WebGLRenderingContext", "WebGL2RenderingContext"]) {
      answerMethod(prototypeOf(name), "getParameter", (_self, [parameter], ask) => {
        const found = ask();
        if (typeof found !== "string") return found;
        if (parameter === VENDOR) return profile.graphics.vendor;
        if (parameter === RENDERER) return profile.graphics.renderer;
        return isChromium ? found : found.replace(/ \(.*Chromium\)$/, "");
      });
    }
  };

  /** Adds the plugins that the HTML standard prescribes for browsers with a PDF viewer. */
  const addPlugins = () => {
    const facts = new WeakMap<object, Readonly<Record<string, unknown>>>();
    const build = (kind: string, told: Readonly<Record<string, unknown>>, items: [string, object][] = []) => {
      const object = create(prototypeOf(kind) ?? null);
      const own = { writable: false, configurable: true };
      for (const [index, [, value]] of items.entries()) {
        defineProperty(object, String(index), { ...own, value, enumerable: true });
      }
      for (const [name, value] of items) defineProperty(object, name, { ...own, value, enumerable: false });
      const item = (index: unknown) => items[Number(index) >>> 0]?.[1] ?? null;
      const namedItem = (wanted: unknown) => items.find(([name]) => name === String(wanted))?.[1] ?? null;
      facts.set(object, { ...told, length: items.length, item, namedItem, refresh: () => undefined });
      return object;
    };
    const factOf = (self: unknown, name: string) => facts.get(self as object)?.[name];
    const isOurs = (self: unknown) => facts.has(self as object);

    const description = "Portable Document Format";
    const mimeTypesOf = (plugin: () => object) =>
      ["application/pdf", "text/pdf"].map((type): [string, object] => {
        const told = { type, suffixes: "pdf", description };
        Object.defineProperty(told, "enabledPlugin", { get: plugin });
        const object = build("MimeType", told);
        facts.set(object, told);
        return [type, object];
      });
    const names = ["PDF", "Chrome PDF", "Chromium PDF", "Microsoft Edge PDF", "WebKit built-in PDF"];
    const list = names.map((start, index): [string, object] => {
      const name = index < 4 ? `${start} Viewer` : start;
      const plugin: object = build(
        "Plugin",
        { name, filename: "internal-pdf-viewer", description },
        mimeTypesOf(() => plugin),
      );
      return [name, plugin];
    });
    const plugins = build("PluginArray", {}, list);
    const mimeTypes = build(
      "MimeTypeArray",
      {},
      mimeTypesOf(() => list[0]?.[1] ?? plugins),
    );

    const members = {
      Plugin: ["name", "filename", "description", "length"],
      MimeType: ["type", "suffixes", "description", "enabledPlugin"],
      PluginArray: ["length"],
      MimeTypeArray: ["length"],
    };
    for (const [kind, getters] of Object.entries(members)) {
      for (const name of getters) {
        answerGetter(prototypeOf(kind), name, (self, _args, ask) => (isOurs(self) ? factOf(self, name) : ask()));
      }
      for (const name of ["item", "namedItem", "refresh"]) {
        answerMethod(prototypeOf(kind), name, (self, args, ask) =>
          isOurs(self) ? (factOf(self, name) as Callable)(...args) : ask(),
        );
      }
    }
    const navigator = prototypeOf("Navigator");
    answerGetter(navigator, "plugins", always(plugins));
    answerGetter(navigator, "mimeTypes", always(mimeTypes));
    answerGetter(navigator, "pdfViewerEnabled", always(true));
  };

  /** Adds `window.chrome`, whose navigation times are those of the Performance API. */
  const addChrome = () => {
    const start = () => performance.timeOrigin;
    const navigation = () => performance.getEntriesByType("navigation")[0] as PerformanceNavigationTiming | undefined;
    const seconds = (milliseconds = 0) => (start() + milliseconds) / 1000;
    const loadTimes = () => {
      const entry = navigation();
      const protocol = entry?.nextHopProtocol ?? "";
      const isNew = /^h[23]/.test(protocol);
      return {
        requestTime: seconds(),
        startLoadTime: seconds(),
        commitLoadTime: seconds(entry?.responseStart),
        finishDocumentLoadTime: entry?.domContentLoadedEventEnd ? seconds(entry.domContentLoadedEventEnd) : 0,
        finishLoadTime: entry?.loadEventEnd ? seconds(entry.loadEventEnd) : 0,
        firstPaintTime: seconds(performance.getEntriesByName("first-paint")[0]?.startTime),
        firstPaintAfterLoadTime: 0,
        navigationType: "Other",
        wasFetchedViaSpdy: isNew,
        wasNpnNegotiated: isNew,
        npnNegotiatedProtocol: isNew ? protocol : "unknown",
        wasAlternateProtocolAvailable: false,
        connectionInfo: protocol,
      };
    };
    const csi = () => ({
      onloadT: Math.round(start() + (navigation()?.domContentLoadedEventEnd ?? 0)),
      startE: Math.round(start()),
      pageT: performance.now(),
      tran: 15,
    });
    const app = {
      isInstalled: false,
      getDetails: made("getDetails", () => null),
      getIsInstalled: made("getIsInstalled", () => false),
      installState: made("installState", (done) => void (typeof done === "function" && done("not_installed"))),
      runningState: made("runningState", () => "cannot_run"),
      InstallState: { DISABLED: "disabled", INSTALLED: "installed", NOT_INSTALLED: "not_installed" },
      RunningState: { CANNOT_RUN: "cannot_run", READY_TO_RUN: "ready_to_run", RUNNING: "running" },
    };
    const chrome = {
      loadTimes: made("", loadTimes),
      csi: made("", csi),
      ...(profile.chrome === "desktop" && { app }),
    };
    defineProperty(globalThis, "chrome", { value: chrome, writable: true, enumerable: true, configurable: false });
  };

  const add = (owner: object | undefined, name: string, call: Callable) => {
    if (!owner || name in owner) return;
    const value = made(name, call);
    defineProperty(owner, name, { value, writable: true, enumerable: true, configurable: true });
  };

  replaceValues();
  replaceGraphics();
  if (!("document" in globalThis)) return;
  if (profile.plugins) addPlugins();
  if (profile.chrome !== "none" && !("chrome" in globalThis)) addChrome();
  if (profile.shares && globalThis.isSecureContext) {
    add(prototypeOf("Navigator"), "canShare", () => false);
    const refuse = () => Promise.reject(new DOMException("Permission denied", "NotAllowedError"));
    add(prototypeOf("Navigator"), "share", refuse);
  }
  if (profile.turns && !("orientation" in globalThis)) {
    const get = made("get orientation", () => screen.orientation.angle);
    defineProperty(globalThis, "orientation", { get, enumerable: true, configurable: true });
    defineProperty(globalThis, "onorientationchange", {
      value: null,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
}
