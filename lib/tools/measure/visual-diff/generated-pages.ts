// Captures generated pages and checks them: against what a visitor sees, and against other captures of themselves.
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { GENERATED_WINDOW, type GeneratedPage, generatePage } from "../../../../test/fixtures/generated-page.ts";
import type { CapturePage, PageOptions } from "../engine-capture.ts";
import { checkBlocks, type Fault, readStickyPlaces, type StickyPlaces } from "./check-blocks.ts";
import { joinStops } from "./compare-visit.ts";
import { checkRelations, type RelationName, type RelationResult } from "./relations.ts";
import { drawSideBySide } from "./side-by-side.ts";
import { decodePicture } from "./tiles.ts";
import { type PlainVisit, type PlainVisitOptions, visitPlainly } from "./visit.ts";

/** Half a window for each step shows each block whole; nothing of a generated page takes longer than 350 ms. */
const VISIT: PlainVisitOptions = { viewport: GENERATED_WINDOW, step: 0.45, minStillMs: 400, maxStillMs: 900 };

export interface PageServer extends AsyncDisposable {
  readonly origin: string;
  /** `127.0.0.1:<port>`, as a list of allowed origins wants it. */
  readonly hostPort: string;
}

/** Serves the page of each seed at `/<seed>`. */
export async function serveGeneratedPages(): Promise<PageServer> {
  const server = createServer(({ url = "/" }, answer) => {
    const seed = /^\/(\d+)$/.exec(url)?.[1];
    if (seed === undefined) return void answer.writeHead(404).end();
    answer.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(generatePage(Number(seed)).html);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const hostPort = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin: `http://${hostPort}`,
    hostPort,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

export interface CheckSettings {
  readonly origin: string;
  readonly capturePage: CapturePage;
  /** Options of the capture in addition to its address and its window. */
  readonly options?: PageOptions;
  /** None by default. */
  readonly relations?: readonly RelationName[];
}

export interface CheckedPage {
  readonly page: GeneratedPage;
  readonly faults: readonly Fault[];
  readonly relations: readonly RelationResult[];
  readonly warnings: readonly string[];
  readonly visit: PlainVisit;
  readonly fullPage: Buffer;
}

/** Captures the page of a seed and checks it. Rejects when the capture fails. */
export async function checkGeneratedPage(seed: number, settings: CheckSettings): Promise<CheckedPage> {
  const { origin, capturePage, relations: names = [] } = settings;
  const page = generatePage(seed);
  const url = `${origin}/${seed}`;
  let stickyPlaces: StickyPlaces = new Map();
  const visit = await visitPlainly(url, {
    ...VISIT,
    isOffline: true,
    visited: async (visited) => {
      stickyPlaces = await readStickyPlaces(visited, page);
    },
  });
  const { width, height } = GENERATED_WINDOW;
  const options = { url, viewport_width: width, viewport_height: height, timeout: 60, ...settings.options };
  const { body, warnings } = await capturePage({ ...options, full_page: true });
  const faults = await checkBlocks(body, page, visit, stickyPlaces);
  const relations = await checkRelations({ options, capturePage, visit, fullPage: body, names });
  return { page, faults, relations, warnings, visit, fullPage: body };
}

/** The faults of a page, one line each, with its seed. */
export function describeFaults({ page, faults, relations }: CheckedPage): string[] {
  const lines = faults.map(({ fault, block, detail }) => {
    const name = block ? ` block ${block.id}, ${block.path.join(" > ")}:` : "";
    return `seed ${page.seed}: ${fault}:${name} ${detail}`;
  });
  const broken = relations.filter(({ isBroken }) => isBroken);
  return [
    ...lines,
    ...broken.map(({ name, share, error }) => {
      const detail = error ?? `${(share * 100).toFixed(1)} % of the tiles differ`;
      return `seed ${page.seed}: broken: ${name}: ${detail}`;
    }),
  ];
}

/** Saves a page that failed: its HTML, and what a visitor saw next to the full page. Returns the paths without their ending. */
export async function saveGeneratedPage(folder: string, checked: CheckedPage): Promise<string> {
  const { page, visit, fullPage, faults, relations } = checked;
  await mkdir(folder, { recursive: true });
  const base = join(folder, `seed-${page.seed}`);
  await writeFile(`${base}.html`, page.html);
  const rects = faults.flatMap(({ place }) => place ?? []);
  await writeFile(`${base}.png`, await drawSideBySide(await joinStops(visit), await decodePicture(fullPage), rects));
  await writeFile(`${base}.txt`, `${describeFaults(checked).join("\n")}\n`);
  for (const [index, { isBroken, pictures }] of relations.entries()) {
    if (!isBroken || !pictures) continue;
    const { one, other, differing } = pictures;
    if (one.scale === other.scale)
      await writeFile(`${base}-relation-${index + 1}.png`, await drawSideBySide(one, other, differing));
  }
  return base;
}
