// The pictures of the landing page, and the texts that belong to them, as `npm run pictures` has made them.
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** An image in AVIF, at several widths. */
export interface LandingPicture {
  /** Of the largest one, in pixels. */
  readonly width: number;
  readonly height: number;
  readonly widths: readonly number[];
}

export interface LandingFacts {
  readonly pictures: Readonly<Record<string, LandingPicture>>;
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

/** The file of a picture in one of its widths. */
export const landingFile = (name: string, width: number): string => `landing-${name}-${width}.avif`;
