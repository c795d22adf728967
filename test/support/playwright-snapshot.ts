// Compares the elements that a capture lists with those that Playwright's snapshot of the same page has.

import { chromium } from "playwright-core";
import type { PageElement } from "../../lib/engine/formats/elements/page-elements.ts";
import type { Area } from "../../lib/engine/geometry/area.ts";

/** An element of Playwright's snapshot. */
export interface SnapshotElement {
  readonly ref: string;
  readonly role: string;
  /** Empty where Playwright leaves it out. */
  readonly name: string;
  readonly box: Area;
}

/** The window of both visits. */
export const COMPARED_WINDOW = { width: 1280, height: 800 } as const;

/** How much two boxes have to overlap: their intersection divided by their union. */
const MIN_OVERLAP = 0.9;

export interface Comparison {
  /** Elements of the snapshot. */
  readonly total: number;
  /** Those that the list has, with the same role and a box that overlaps. */
  readonly found: number;
  /** Those with a name, and those of them whose name is the same. */
  readonly named: number;
  readonly sameName: number;
  readonly missing: readonly SnapshotElement[];
  readonly renamed: readonly { readonly expected: SnapshotElement; readonly listed: string }[];
}

/** Where Chromium's files are. */
export interface ChromiumPaths {
  readonly executable: string;
  readonly libraries: string;
  readonly fontConfiguration: string;
}

/** Playwright's snapshot of a page that has loaded and has not been scrolled. */
export async function playwrightSnapshot(url: string, files: ChromiumPaths): Promise<readonly SnapshotElement[]> {
  const browser = await chromium.launch({
    executablePath: files.executable,
    args: FLAGS,
    env: { ...process.env, LD_LIBRARY_PATH: files.libraries, FONTCONFIG_FILE: files.fontConfiguration },
  });
  try {
    const page = await browser.newPage({ viewport: COMPARED_WINDOW });
    await page.goto(url, { waitUntil: "networkidle" });
    await page.waitForTimeout(SETTLING_MS);
    return parseSnapshot(await page.ariaSnapshot({ mode: "ai", boxes: true }));
  } finally {
    await browser.close();
  }
}

/** Those of a capture on which the width of text depends: in a single process, characters stand at fractions of pixels. */
const FLAGS = [
  "--disable-dev-shm-usage",
  "--font-render-hinting=none",
  "--force-color-profile=srgb",
  "--no-zygote",
  "--single-process",
  "--hide-scrollbars",
];

/** Charts and banners of the compared pages have moved to their end by then. */
const SETTLING_MS = 1_500;

/** A line, without the quotation marks of one that YAML needs quoted. */
const LINE = /^\s*- '?(?<role>[a-z]+)(?: (?<name>"(?:[^"\\]|\\.)*"|\/.*?\/))?(?<rest>(?: \[[^\]]*\])*)/;

/** The elements with a ref. Those in frames are measured from the window of their frame, so they are left out. */
export function parseSnapshot(yaml: string): readonly SnapshotElement[] {
  return yaml.split("\n").flatMap((quoted) => {
    const line = /^\s*- '/.test(quoted) ? quoted.replaceAll("''", "'") : quoted;
    const { role = "", name, rest = "" } = LINE.exec(line)?.groups ?? {};
    const ref = /\[ref=(e\d+)\]/.exec(rest)?.[1];
    const box = /\[box=(-?\d+),(-?\d+),(\d+),(\d+)\]/.exec(rest);
    if (ref === undefined || !box) return [];
    const [x = 0, y = 0, width = 0, height = 0] = box.slice(1).map(Number);
    return { ref, role, name: name?.startsWith('"') ? (JSON.parse(name) as string) : "", box: { x, y, width, height } };
  });
}

/** Finds each element of a snapshot in a list, where each counts once. */
export function compareElements(snapshot: readonly SnapshotElement[], listed: readonly PageElement[]): Comparison {
  const left = new Set(listed.filter(({ frame }) => frame === null));
  const missing: SnapshotElement[] = [];
  const renamed: { expected: SnapshotElement; listed: string }[] = [];
  let [named, sameName] = [0, 0];
  for (const expected of snapshot) {
    const candidates = [...left].filter(
      ({ role, box }) => role === expected.role && overlap(box, expected.box) >= MIN_OVERLAP,
    );
    const match = candidates.find(({ name }) => hasName(expected, name)) ?? candidates[0];
    if (!match) {
      missing.push(expected);
      continue;
    }
    left.delete(match);
    if (expected.name === "") continue;
    named++;
    if (hasName(expected, match.name)) sameName++;
    else renamed.push({ expected, listed: match.name });
  }
  return { total: snapshot.length, found: snapshot.length - missing.length, named, sameName, missing, renamed };
}

/** Names are compared without characters of icon fonts, and up to the length that the list cuts them at. */
function hasName({ name }: SnapshotElement, listed: string): boolean {
  const plain = name
    .replace(/\p{Co}/gu, "")
    .replace(/\s+/g, " ")
    .trim();
  return plain === listed.replace(/\s+/g, " ") || (listed.length >= 190 && plain.startsWith(listed));
}

function overlap(one: Area, other: Area): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  if (width <= 0 || height <= 0) return one.width * one.height + other.width * other.height === 0 ? 1 : 0;
  const both = width * height;
  return both / (one.width * one.height + other.width * other.height - both);
}
