// The measured captures, each with the equivalent work of the bare script.
import type { FloorJob, FloorWait } from "./floor.ts";
import { CHARTS_DRAWN, ENTRANCE_OVER } from "./settling-pages.ts";

export interface Scenario {
  readonly name: string;
  readonly path: string;
  /** Options of the capture, in addition to its address. */
  readonly options: Readonly<Record<string, string>>;
  readonly job: FloorJob;
  /** What the script waits for after the load event, in real time, to get the same picture. */
  readonly wait?: FloorWait;
  /** True when each capture is requested as soon as the one before is answered, while its browser is being replaced. */
  readonly isBackToBack?: true;
}

export const smallPage: Scenario = {
  name: "small page",
  path: "/small",
  options: { store_thumbnail: "false" },
  job: { take: "window" },
};
/** As a caller gets it who doesn't say otherwise. */
const withThumbnail: Scenario = { ...smallPage, name: "small page with a thumbnail", options: {} };
const heavyPage: Scenario = { name: "heavy page", path: "/heavy", options: {}, job: { take: "window" } };

export const everyday: readonly Scenario[] = [
  smallPage,
  withThumbnail,
  { ...smallPage, name: "small page, without a pause", isBackToBack: true },
  { ...withThumbnail, name: "small page with a thumbnail, without a pause", isBackToBack: true },
  { ...smallPage, name: "small page, JSON result", options: { ...smallPage.options, response_type: "json" } },
  heavyPage,
  // As the script, it looks no further than to the load event, but waits for charts to stand still.
  { ...heavyPage, name: "heavy page, until load", options: { wait_until: "load" } },
  // Just what the script does.
  {
    ...heavyPage,
    name: "heavy page, as load leaves it",
    options: { wait_until: "load", disable_animations: "false" },
  },
  { name: "thumbnail", path: "/heavy", options: { image_width: "320" }, job: { take: "thumbnail", width: 320 } },
  { name: "element", path: "/article-10000", options: { selector: "#s9" }, job: { take: "element", selector: "#s9" } },
  { name: "article, PDF", path: "/article-10000", options: { format: "pdf" }, job: { take: "pdf" } },
];

/** Captures that wait for their page: the service in virtual time, the script in real time. */
export const settling: readonly Scenario[] = [
  { name: "charts", path: "/charts", options: {}, job: { take: "window" }, wait: { until: CHARTS_DRAWN } },
  {
    name: "charts, deterministic",
    path: "/charts",
    options: { deterministic: "true" },
    job: { take: "window" },
    wait: { until: CHARTS_DRAWN },
  },
  { ...smallPage, name: "delay of 5 s", options: { delay: "5" }, wait: { seconds: 5 } },
  // What Puppeteer waits for with networkidle0 as well.
  { ...smallPage, name: "network idle", options: { wait_until: "networkidle0" }, wait: { seconds: 0.5 } },
  {
    name: "entrance animations",
    path: "/entrance",
    options: {},
    job: { take: "window" },
    wait: { until: ENTRANCE_OVER },
  },
  {
    name: "lazy images, 10,000 px",
    path: "/lazy-10000",
    options: { full_page: "true" },
    job: { take: "page" },
    wait: { scrolls: true },
  },
  // The script's picture is white below the first window.
  {
    name: "reveals, 10,000 px",
    path: "/reveals-10000",
    options: { full_page: "true" },
    job: { take: "page" },
    wait: { scrolls: true },
  },
  ...withDeterministic({ name: "reveals, window", path: "/reveals", options: {}, job: { take: "window" } }),
  ...withDeterministic({
    name: "reveals, full page",
    path: "/reveals",
    options: { full_page: "true" },
    job: { take: "page" },
    wait: { scrolls: true },
  }),
  ...withDeterministic({
    name: "reveals in an inner scroller",
    path: "/inner-reveals",
    options: { full_page: "true" },
    job: { take: "page" },
  }),
  ...withDeterministic({ name: "reveals, PDF", path: "/reveals", options: { format: "pdf" }, job: { take: "pdf" } }),
];

/** A scenario, and the same with exact time, which takes at most twice as long. */
function withDeterministic(scenario: Scenario): readonly Scenario[] {
  const { name, options } = scenario;
  return [scenario, { ...scenario, name: `${name}, deterministic`, options: { ...options, deterministic: "true" } }];
}

/** Pages that never stand still. The script does not wait for them. */
export const lively: readonly Scenario[] = [
  "particles",
  "animations",
  "webgl-torus",
  "webgl-hero",
  "webgl-page",
  "lottie",
  "video",
  "ticker",
].flatMap((page): Scenario[] => {
  const path = `/lively-${page}`;
  return [
    { name: `lively ${page}, window`, path, options: {}, job: { take: "window" } },
    { name: `lively ${page}, full page`, path, options: { full_page: "true" }, job: { take: "page" } },
    { name: `lively ${page}, PDF`, path, options: { format: "pdf" }, job: { take: "pdf" } },
    { name: `lively ${page}, deterministic`, path, options: { deterministic: "true" }, job: { take: "window" } },
    {
      name: `lively ${page}, GIF`,
      path,
      options: { format: "gif", video_duration: "3" },
      job: { take: "frames", count: 30, width: 1280, height: 1024 },
    },
  ];
});

/** A PNG of noise has three bytes for each pixel: 30 MB. */
const noise = { path: "/noise-7800", options: { full_page: "true" }, job: { take: "page" } } as const;

export const large: readonly Scenario[] = [
  // It hears nothing of its scrolling, so that it is painted at once.
  { name: "still full page, 10,000 px", path: "/bands-10000", options: { full_page: "true" }, job: { take: "page" } },
  { name: "full page, 10,000 px", path: "/article-10000", options: { full_page: "true" }, job: { take: "page" } },
  {
    name: "by sections, 10,000 px",
    path: "/article-10000",
    options: { full_page: "true", full_page_algorithm: "by_sections" },
    job: { take: "page" },
  },
  {
    name: "full page, 60,000 px",
    path: "/article-60000",
    options: { full_page: "true", full_page_max_height: "60000" },
    job: { take: "page" },
  },
  {
    name: "full page, 100,000 px",
    path: "/article-100000",
    options: { full_page: "true", full_page_max_height: "100000" },
    job: { take: "page" },
  },
  { name: "article of 20 pages, PDF", path: "/article-22000", options: { format: "pdf" }, job: { take: "pdf" } },
  // The most rows that a synchronous capture has the memory for, in thousands.
  { name: "table of 8,000 rows, PDF", path: "/table-8000", options: { format: "pdf" }, job: { take: "pdf" } },
  { name: "30 MB, PNG", ...noise },
  { name: "30 MB, JSON result", ...noise, options: { ...noise.options, response_type: "json" } },
];

/** Measured for its memory alone, and looked at row by row. */
export const tallest = {
  name: "full page, 80,000 px",
  path: "/bands-80000",
  height: 80_000,
  options: { full_page: "true", full_page_max_height: "80000" },
  job: { take: "page" },
} as const satisfies Scenario & { height: number };
