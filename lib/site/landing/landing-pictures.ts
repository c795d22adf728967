// The pictures of the landing page, and the texts that belong to them, as `npm run pictures` has made them.
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The images in AVIF, each at several widths in pixels. */
export const landingWidths = {
  "journey-script": [480, 960],
  journey: [480, 960],
  "consent-before": [480, 960],
  consent: [480, 960],
  members: [480, 960],
  "report-1": [420],
  "report-2": [420],
  "report-3": [420],
  "report-4": [420],
  regatta: [640],
  tides: [480, 960],
  dashboard: [640, 1280],
} as const satisfies Readonly<Record<string, readonly number[]>>;

export type LandingPicture = keyof typeof landingWidths;

/** The video, as an MP4 and, for browsers without H.264, as a WebM. */
export const landingVideos = ["landing-regatta.mp4", "landing-regatta.webm"];

export interface LandingFacts {
  /** The size of the largest width of each image, in pixels. */
  readonly sizes: Readonly<Record<LandingPicture, { readonly width: number; readonly height: number }>>;
  /** What the service says of the page with a sign-in form. */
  readonly problem: Readonly<Record<string, unknown>>;
  readonly quality: number;
  /** The page about tides. */
  readonly markdown: string;
  /** The first elements of the form with numbers. */
  readonly elements: readonly Readonly<Record<string, unknown>>[];
}

const folder = join(import.meta.dirname, "../web/pictures");

export const landingFacts: LandingFacts = JSON.parse(readFileSync(join(folder, "landing.json"), "utf8"));

/** The file of an image in one of its widths. */
export const landingFile = (name: LandingPicture, width: number): string => `landing-${name}-${width}.avif`;
