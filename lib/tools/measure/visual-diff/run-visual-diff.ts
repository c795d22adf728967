// Compares our full pages with what plain Chromium shows while it scrolls, page after page, and saves both pictures of what differs.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type EngineImage, engineCapture, type PageOptions } from "../engine-capture.ts";
import { compareWithVisit, joinStops, type VisitComparison } from "./compare-visit.ts";
import { checkRelations, type RelationName, type RelationResult } from "./relations.ts";
import { drawSideBySide } from "./side-by-side.ts";
import { decodePicture } from "./tiles.ts";
import { type PlainVisit, visitPlainly } from "./visit.ts";

export interface DiffedPage {
  /** As it is named in the table and, without special characters, in the names of pictures. */
  readonly name: string;
  readonly url: string;
  /** `address:port` of the server on this machine that serves it. */
  readonly hostPort?: string;
}

export interface DiffSettings {
  /** True where names other than this machine's have no address. */
  readonly isOffline: boolean;
  /** Options of the captures, in addition to the address, the window and the scale. */
  readonly options: PageOptions;
  readonly viewport: { readonly width: number; readonly height: number };
  readonly scale: number;
  /** Share of the tiles from which a page differs, and its pictures are saved. */
  readonly threshold: number;
  /** Where pictures are saved. */
  readonly folder: string;
  readonly relations: readonly RelationName[];
}

export interface PageDiff {
  readonly name: string;
  /** Share of the compared tiles that differ, 0 to 1; undefined when there is no picture to compare. */
  readonly share?: number;
  /** True when the full page has another size than the page has for a visitor. */
  readonly hasOtherSize?: boolean;
  /** Sizes in CSS pixels. */
  readonly size?: string;
  readonly visitedSize?: string;
  /** Time of our capture in milliseconds. */
  readonly captureMs?: number;
  readonly warnings: readonly string[];
  /** Why there is no picture to compare. */
  readonly error?: string;
  readonly relations: readonly Pick<RelationResult, "name" | "share" | "isBroken" | "error">[];
  /** Saved pictures. */
  readonly pictures: readonly string[];
}

/** Compares one page. Never rejects: a page that can't be compared has an error. */
export async function diffPage(page: DiffedPage, settings: DiffSettings): Promise<PageDiff> {
  const { viewport, scale, isOffline } = settings;
  const capturePage = engineCapture({ allow: page.hostPort ? [page.hostPort] : [], isOffline });
  const options = {
    timeout: CAPTURE_TIMEOUT_S,
    ...settings.options,
    url: page.url,
    viewport_width: viewport.width,
    viewport_height: viewport.height,
  };
  try {
    const visit = await visitPlainly(page.url, { isOffline, viewport, scale });
    const startedAt = performance.now();
    const full = await capturePage({ ...options, full_page: true, ...(scale !== 1 && { device_scale_factor: scale }) });
    const captureMs = Math.round(performance.now() - startedAt);
    const comparison = await compareWithVisit(full.body, visit);
    const relations = await checkRelations({
      options,
      capturePage,
      visit,
      fullPage: full.body,
      names: scale === 1 ? settings.relations : [],
    });
    const pictures = await savePictures(page, { visit, full, comparison, relations }, settings);
    const { share, size, visitedSize, hasOtherSize } = comparison;
    const facts = {
      share,
      hasOtherSize,
      size: sizeText(size),
      visitedSize: sizeText(visitedSize),
      captureMs,
      pictures,
    };
    const shown = relations.map(({ pictures: _, ...relation }) => relation);
    return { name: page.name, ...facts, warnings: full.warnings, relations: shown };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { name: page.name, warnings: [], relations: [], pictures: [], error: message };
  }
}

const CAPTURE_TIMEOUT_S = 60;

const sizeText = ({ width, height }: { width: number; height: number }) => `${width} × ${height}`;

interface Compared {
  readonly visit: PlainVisit;
  readonly full: EngineImage;
  readonly comparison: VisitComparison;
  readonly relations: readonly RelationResult[];
}

async function savePictures(
  { name }: DiffedPage,
  { visit, full, comparison, relations }: Compared,
  { folder, threshold, scale }: DiffSettings,
): Promise<string[]> {
  const saved: string[] = [];
  const save = async (suffix: string, picture: Promise<Buffer>) => {
    const path = join(folder, `${name.replaceAll(/[^\w.@-]+/g, "_").slice(-120)}${suffix}.png`);
    await mkdir(folder, { recursive: true });
    await writeFile(path, await picture);
    saved.push(path);
  };
  if (comparison.share > threshold || comparison.hasOtherSize) {
    const [seen, ours] = [await joinStops(visit), await decodePicture(full.body, scale)];
    await save("", drawSideBySide(seen, ours, comparison.differing));
  }
  for (const [index, { isBroken, pictures }] of relations.entries()) {
    if (!isBroken || !pictures || pictures.one.scale !== pictures.other.scale) continue;
    await save(`.relation-${index + 1}`, drawSideBySide(pictures.one, pictures.other, pictures.differing));
  }
  return saved;
}
