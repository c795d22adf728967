// Pages that show the request's headers, and what a script sees of the browser and its environment.
import { box, document, type Pages, paintGreen, script, solidImage } from "./page.ts";

/** What `/echo-page` sees, as its scripts write it down. */
export interface Seen {
  readonly language: string;
  readonly languages: readonly string[];
  readonly timeZone: string;
  /** Of the Intl formatters. */
  readonly locale: string;
  /** `getTimezoneOffset()` on 1 January and 1 July 2025, in minutes west of UTC. */
  readonly dateOffsets: readonly [number, number];
  /** Degrees and metres, or the code of the error: 1 denied, 2 unavailable, 3 too late. */
  readonly geolocation: { readonly latitude: number; readonly longitude: number; readonly accuracy: number } | number;
  readonly userAgent: string;
  readonly platform: string;
  /** Brands and high-entropy values; null where the browser has none, as on an insecure origin. */
  readonly userAgentData: Readonly<Record<string, unknown>> | null;
  readonly webdriver: boolean;
  readonly devicePixelRatio: number;
  readonly maxTouchPoints: number;
  readonly inner: readonly [number, number];
  readonly screen: readonly [number, number];
  /** The media queries that match. */
  readonly media: readonly string[];
  readonly cookie: string;
  readonly referrer: string;
}

/** Media queries that `/echo-page` tries. */
export const MEDIA_QUERIES = [
  "print",
  "screen",
  "(prefers-color-scheme: dark)",
  "(prefers-color-scheme: light)",
  "(prefers-reduced-motion: reduce)",
  "(hover: none)",
  "(hover: hover)",
  "(pointer: coarse)",
  "(pointer: fine)",
  "(orientation: landscape)",
  "(orientation: portrait)",
  "(forced-colors: active)",
] as const;

/** What the latest visitor of `/echo-page` saw, by the requests a site has had. Throws when there was none. */
export function seenIn(requests: readonly { readonly path: string }[]): Seen {
  const report = requests.findLast(({ path }) => path.startsWith("/seen?"));
  if (!report) throw new Error("No visitor of /echo-page has reported.");
  return JSON.parse(decodeURIComponent(report.path.slice("/seen?".length)));
}

export const visitorPages: Pages = {
  /** The headers of its request: as JSON in a `<pre>`, and as `window.headers`. */
  "/echo": (_, { req }) => {
    const json = JSON.stringify(req.headers, null, 2).replaceAll("<", "\\u003c");
    return document(`<pre>${json.replaceAll("&", "&amp;")}</pre>${script(`window.headers = ${json}`)}`);
  },

  /** What its scripts see (`Seen`), as JSON: in its title, in `#seen`, and sent to `/seen` for `seenIn`. */
  "/echo-page": () =>
    document(
      `<pre id="seen" style="white-space:pre-wrap"></pre>${script(`
      const geolocation = () => new Promise((resolve) => {
        const found = ({ coords: { latitude, longitude, accuracy } }) => resolve({ latitude, longitude, accuracy });
        navigator.geolocation.getCurrentPosition(found, (error) => resolve(error.code), { timeout: 1000 });
      });
      const hints = ["architecture", "bitness", "formFactors", "fullVersionList", "model", "platformVersion", "wow64"];
      const offset = (month) => new Date(2025, month, 1).getTimezoneOffset();
      const { timeZone, locale } = Intl.DateTimeFormat().resolvedOptions();
      (async () => {
        const json = JSON.stringify({
          language: navigator.language,
          languages: navigator.languages,
          timeZone,
          locale,
          dateOffsets: [offset(0), offset(6)],
          geolocation: await geolocation(),
          userAgent: navigator.userAgent,
          platform: navigator.platform,
          userAgentData: (await navigator.userAgentData?.getHighEntropyValues(hints)) ?? null,
          webdriver: navigator.webdriver,
          devicePixelRatio,
          maxTouchPoints: navigator.maxTouchPoints,
          inner: [innerWidth, innerHeight],
          screen: [screen.width, screen.height],
          media: ${JSON.stringify(MEDIA_QUERIES)}.filter((query) => matchMedia(query).matches),
          cookie: document.cookie,
          referrer: document.referrer,
        }, null, 1);
        document.title = json;
        seen.textContent = json;
        await fetch("/seen?" + encodeURIComponent(json));
      })();
    `)}`,
    ),
  "/seen": (_, answer) => void answer.writeHead(204).end(),

  /**
   * Loads an image, a script, data by fetch and a frame from the origin `origin`; the box is green when the first three
   * have come. The paths are `crossOriginPaths`.
   */
  "/loads-from": (query) => {
    const origin = new URL(query.get("origin") ?? "").origin;
    const { image, script: source, data, frame } = crossOriginPaths;
    return document(`${box}<img id="image" src="${origin}${image}" width="20"><iframe src="${origin}${frame}"></iframe>
      <script src="${origin}${source}"></script>${script(`
        const shown = new Promise((resolve) => { image.complete ? resolve() : image.onload = resolve });
        const fetched = fetch("${origin}${data}").then((answer) => answer.json());
        Promise.all([shown, fetched]).then(([, { open }]) => { if (open && window.loaded) { ${paintGreen} } });
      `)}`);
  },
  "/open.js": (_, answer) => void answer.setHeader("content-type", "text/javascript").end("window.loaded = true"),
  "/open.json": (_, answer) => {
    const headers = { "access-control-allow-origin": "*", "access-control-allow-headers": "*" };
    answer.writeHead(200, { ...headers, "content-type": "application/json" });
    return void answer.end('{"open":true}');
  },
};

/** What `/loads-from` asks the other origin for. */
export const crossOriginPaths = {
  image: solidImage([10, 200, 60], 0, "elsewhere"),
  script: "/open.js",
  data: "/open.json",
  frame: "/echo",
} as const;
