// Builds the website: bundles its assets, renders its pages, and writes both with their manifest into a folder.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { type ContentCoding, encodings } from "../service/http/content-coding.ts";
import { type BrowserAssets, buildBrowserAssets } from "./browser-assets.ts";
import { sitePages } from "./pages.ts";
import { type Asset, encodingSuffixes, MANIFEST_FILE, type Page, type SiteManifest } from "./site-files.ts";

/** Writes the website into a folder, which is emptied first. The same sources give the same files. */
export async function buildSite(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  const assets = await buildBrowserAssets();
  const [assetEntries, pageEntries] = await Promise.all([writeAssets(folder, assets), writePages(folder, assets)]);
  const manifest: SiteManifest = {
    pages: Object.fromEntries(pageEntries),
    assets: Object.fromEntries(assetEntries),
  };
  await writeFile(join(folder, MANIFEST_FILE), JSON.stringify(manifest));
}

async function writePages(folder: string, assets: BrowserAssets): Promise<[string, Page][]> {
  const pages = await sitePages(assets);
  return Promise.all(
    pages.map(async ({ path, type, text }): Promise<[string, Page]> => {
      const file = path === "/" ? "index.html" : `${path.slice(1)}${extname(path) === "" ? ".html" : ""}`;
      await write(join(folder, "pages", file), text);
      return [path, { type, file }];
    }),
  );
}

const assetTypes: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".png": "image/png",
  ".ico": "image/vnd.microsoft.icon",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
};

/** Formats that compress their content themselves. */
const compressedTypes = [".png", ".ico", ".webp", ".woff2"];

async function writeAssets(folder: string, { files, rootFiles }: BrowserAssets): Promise<[string, Asset][]> {
  const named = [...files].map(([name, content]) => [`/assets/${name}`, content] as const);
  return Promise.all(
    [...named, ...rootFiles].map(async ([path, content]): Promise<[string, Asset]> => {
      const type = assetTypes[extname(path)];
      if (type === undefined) throw new Error(`The website has no media type for ${path}.`);
      const used = compressedTypes.includes(extname(path)) ? [] : encodings;
      await write(join(folder, path), content);
      for (const encoding of used) {
        await write(join(folder, `${path}${encodingSuffixes[encoding]}`), await compress[encoding](content));
      }
      return [path, { type, encodings: used }];
    }),
  );
}

/** The best compression of the scripts of PDF.js would take seconds of each build. */
const MAX_BYTES_FOR_BEST = 300_000;

const compress: Readonly<Record<ContentCoding, (content: Uint8Array) => Promise<Buffer>>> = {
  br: (content) => {
    const quality = content.length > MAX_BYTES_FOR_BEST ? 9 : constants.BROTLI_MAX_QUALITY;
    return promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
  },
  gzip: (content) => promisify(gzip)(content, { level: 9 }),
};

async function write(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}
