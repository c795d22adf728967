/// <reference lib="dom" />
/// <reference lib="webworker.importscripts" />
// Determinism: gives a page the same clock and the same random numbers in every capture. Runs in the main world of documents
// and workers before scripts of the page.

export interface DeterminismSettings {
  /** What the page's clock shows when it starts, in milliseconds since 1970. */
  readonly startsAt: number;
  /** The browser's own time at that moment, in milliseconds since 1970. */
  readonly browserStart: number;
  /** Milliseconds in which the time of workers passes: within them, when a timer of a worker fires depends on the machine. */
  readonly workerStepMs: number;
}

/**
 * Replaces the sources of time and chance. Time starts at `startsAt` and passes as the browser's clock does, in whole
 * milliseconds: the browser adds random fractions to its own, against attacks by timing. Random numbers are those of a
 * seeded generator per document and worker. The browser's own clock stays right, because certificates and cookies need it.
 */
export function installDeterminism({ startsAt, browserStart, workerStepMs }: DeterminismSettings): void {
  type Callable = (...args: never[]) => unknown;
  const { apply, construct, defineProperty, getOwnPropertyDescriptor } = Reflect;
  const scope = globalThis as unknown as Record<string, { prototype: object } | undefined>;

  /** Replaces a method or a getter; `replacement` gets the native function and the arguments. */
  const replace = (
    owner: object | undefined,
    name: string,
    replacement: (native: (...args: unknown[]) => unknown, self: unknown, args: unknown[]) => unknown,
  ) => {
    const own = owner && getOwnPropertyDescriptor(owner, name);
    const kind = own?.get ? "get" : "value";
    const native: unknown = own?.[kind];
    if (!own || typeof native !== "function") return;
    const proxy = new Proxy(native as Callable, {
      apply: (target, self, args) => replacement((...given) => apply(target, self, given), self, args),
    });
    defineProperty(owner, name, { ...own, [kind]: proxy });
  };
  const prototypeOf = (name: string) => scope[name]?.prototype;

  const replaceClocks = () => {
    const clock = globalThis.performance;
    const nativeNow = clock.now.bind(clock);
    const stepMs = "document" in globalThis ? 1 : workerStepMs;
    const origin = Math.round(clock.timeOrigin - browserStart);
    const round = (time: number) => Math.ceil((origin + Math.round(time)) / stepMs) * stepMs - origin;
    const now = () => startsAt + origin + round(nativeNow());
    const rounded = (native: () => unknown) => {
      const time = native();
      return typeof time === "number" ? round(time) : time; // a scroll-driven animation has a percentage
    };

    const NativeDate = Date;
    const PageDate = new Proxy(NativeDate, {
      apply: () => new NativeDate(now()).toString(),
      construct: (target, args, newTarget) => construct(target, args.length === 0 ? [now()] : args, newTarget),
    });
    replace(NativeDate, "now", now);
    defineProperty(NativeDate.prototype, "constructor", { value: PageDate, writable: true, configurable: true });
    defineProperty(globalThis, "Date", { value: PageDate, writable: true, configurable: true });

    const formatters = new WeakMap<object, Callable>();
    replace(Intl.DateTimeFormat.prototype, "format", (native, self) => {
      const format = native() as (date: unknown) => string;
      const known = formatters.get(self as object) ?? ((date: unknown) => format(date === undefined ? now() : date));
      formatters.set(self as object, known);
      return known;
    });
    replace(Intl.DateTimeFormat.prototype, "formatToParts", (native, _, [date]) => native(date ?? now()));
    replaceTemporal(now);

    replace(prototypeOf("Performance"), "now", rounded);
    replace(prototypeOf("Performance"), "timeOrigin", () => startsAt + origin);
    replace(prototypeOf("Event"), "timeStamp", rounded);
    replace(prototypeOf("AnimationTimeline"), "currentTime", rounded);
    replace(prototypeOf("PerformanceEntry"), "startTime", rounded);
    replace(prototypeOf("PerformanceEntry"), "duration", rounded);
    replace(prototypeOf("IntersectionObserverEntry"), "time", rounded);
    replace(globalThis, "requestAnimationFrame", (native, _, [callback]) =>
      native(typeof callback === "function" ? (time: number) => callback(round(time)) : callback),
    );
    // Without a header that says so, a document was changed just now.
    replace(prototypeOf("Document"), "lastModified", (native) => {
      const text = String(native());
      return NativeDate.parse(text) < browserStart - 60_000 ? text : usDateTime(new NativeDate(now()));
    });
  };

  const replaceTemporal = (now: () => number) => {
    const temporal = Reflect.get(globalThis, "Temporal") as TemporalApi | undefined;
    if (!temporal) return;
    const { Instant, Now } = temporal;
    const zoned = (zone: unknown) =>
      Instant.fromEpochMilliseconds(now()).toZonedDateTimeISO(zone === undefined ? Now.timeZoneId() : zone);
    replace(Now, "instant", () => Instant.fromEpochMilliseconds(now()));
    replace(Now, "zonedDateTimeISO", (_native, _self, [zone]) => zoned(zone));
    replace(Now, "plainDateTimeISO", (_native, _self, [zone]) => zoned(zone).toPlainDateTime());
    replace(Now, "plainDateISO", (_native, _self, [zone]) => zoned(zone).toPlainDate());
    replace(Now, "plainTimeISO", (_native, _self, [zone]) => zoned(zone).toPlainTime());
  };

  const replaceChance = () => {
    const next = seededGenerator(`${globalThis.constructor.name} ${framePath()}`);
    replace(Math, "random", () => ((next() >>> 5) * 2 ** 26 + (next() >>> 6)) / 2 ** 53);
    const fill = <T extends ArrayBufferView>(view: T): T => {
      const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
      for (let at = 0; at < bytes.length; at++) bytes[at] = next() >>> 24;
      return view;
    };
    // The native function throws what a wrong argument deserves.
    replace(prototypeOf("Crypto"), "getRandomValues", (native, _, args) => fill(native(...args) as ArrayBufferView));
    replace(prototypeOf("Crypto"), "randomUUID", (native) => {
      native();
      const bytes = fill(new Uint8Array(16));
      bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40; // version 4, RFC 9562, section 5.4
      bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
      const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
      return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
    });
  };

  replaceClocks();
  replaceChance();
}

/** The part of `Temporal` that is used here, for which TypeScript has no types yet. */
interface TemporalApi {
  readonly Instant: { fromEpochMilliseconds(ms: number): { toZonedDateTimeISO(zone: unknown): ZonedDateTime } };
  readonly Now: { timeZoneId(): string };
}

interface ZonedDateTime {
  toPlainDateTime(): unknown;
  toPlainDate(): unknown;
  toPlainTime(): unknown;
}

/** `MM/DD/YYYY hh:mm:ss`, as `document.lastModified` has it. */
function usDateTime(date: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const day = [two(date.getMonth() + 1), two(date.getDate()), date.getFullYear()].join("/");
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":")}`;
}

/** The indices that lead from the top window to this one; empty in workers. */
function framePath(): string {
  const path: number[] = [];
  if (!("document" in globalThis)) return "";
  for (let frame: Window = window; frame !== frame.parent; frame = frame.parent) {
    const { parent } = frame;
    path.push(
      Array.from({ length: parent.length }, (_, index) => parent[index]).indexOf(frame as Window & typeof globalThis),
    );
  }
  return path.join(".");
}

/** The generator sfc32 of 32-bit integers, seeded by a text. See https://pracrand.sourceforge.net/RNG_engines.txt */
function seededGenerator(seed: string): () => number {
  let [a, b, c, counter] = [0x9e3779b9, 0x243f6a88, 0xb7e15162, 1];
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (const character of seed) {
    a ^= character.charCodeAt(0);
    next();
  }
  for (let round = 0; round < 12; round++) next();
  return next;
}
