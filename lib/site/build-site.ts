// Builds the website: bundles its assets, renders its pages, packs the clients, and writes all with a manifest into a folder.
import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { type ContentCoding, encodings } from "../service/http/content-coding.ts";
import { type BrowserAssets, buildBrowserAssets } from "./browser-assets.ts";
import { GEMS_PATH, JAVA_SOURCES_PATH, TARBALL_PATH, WHEEL_PATH } from "./client-packages/client-paths.ts";
import { composerPackage } from "./client-packages/composer-package.ts";
import { goModuleProxy } from "./client-packages/go-module.ts";
import { javaSources } from "./client-packages/java-sources.ts";
import { npmTarball } from "./client-packages/npm-tarball.ts";
import { pythonWheel } from "./client-packages/python-wheel.ts";
import { rubyGem } from "./client-packages/ruby-gem.ts";
import { sitePages } from "./pages.ts";
import {
  type Asset,
  type Download,
  encodingSuffixes,
  ICON_PATH,
  MANIFEST_FILE,
  type Page,
  type SiteManifest,
  STATUS_FRAME_FILE,
} from "./site-files.ts";
import { statusFrame } from "./status/status-frame.ts";

const iconFile = join(import.meta.dirname, "web/pictures/favicon.ico");

/** Writes the website into an empty folder. The same sources give the same files. */
export async function buildSite(folder: string): Promise<void> {
  const [assets, downloadEntries] = await Promise.all([buildBrowserAssets(), writeDownloads(folder)]);
  const [assetEntries, pageEntries] = await Promise.all([
    writeAssets(folder, assets),
    writePages(folder, assets),
    write(join(folder, STATUS_FRAME_FILE), statusFrame(assets)),
  ]);
  const manifest: SiteManifest = {
    pages: Object.fromEntries(pageEntries),
    assets: Object.fromEntries(assetEntries),
    downloads: Object.fromEntries(downloadEntries),
  };
  await writeFile(join(folder, MANIFEST_FILE), JSON.stringify(manifest));
}

async function writePages(folder: string, assets: BrowserAssets): Promise<[string, Page][]> {
  const pages = await sitePages(assets);
  return Promise.all(
    pages.map(async ({ path, type, text, needsOperators }): Promise<[string, Page]> => {
      const file = path === "/" ? "index.html" : `${path.slice(1)}${extname(path) === "" ? ".html" : ""}`;
      await write(join(folder, "pages", file), text);
      return [path, { type, file, ...(needsOperators && { needsOperators }) }];
    }),
  );
}

const assetTypes: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".png": "image/png",
  ".webp": "image/webp",
  ".avif": "image/avif",
  ".mp4": "video/mp4",
  ".webm": "video/webm",
  ".woff2": "font/woff2",
};

/** Formats that compress their content themselves. */
const compressedTypes = [".png", ".webp", ".avif", ".mp4", ".webm", ".woff2"];

async function writeAssets(folder: string, { files, operatorFiles }: BrowserAssets): Promise<[string, Asset][]> {
  return Promise.all(
    [...files].map(async ([name, content]): Promise<[string, Asset]> => {
      const path = `/assets/${name}`;
      const type = assetTypes[extname(name)];
      if (type === undefined) throw new Error(`The website has no media type for ${name}.`);
      const used = compressedTypes.includes(extname(name)) ? [] : encodings;
      await write(join(folder, path), content);
      for (const encoding of used) {
        await write(join(folder, `${path}${encodingSuffixes[encoding]}`), await compress[encoding](content));
      }
      return [path, { type, encodings: used, ...(operatorFiles.has(name) && { needsOperators: true as const }) }];
    }),
  );
}

/** The packages of the clients, and the icon of programs that know its address only. All are compressed as they are. */
async function writeDownloads(folder: string): Promise<[string, Download][]> {
  const files = [
    { path: ICON_PATH, type: "image/vnd.microsoft.icon", content: await readFile(iconFile) },
    { path: TARBALL_PATH, type: "application/gzip", content: await npmTarball() },
    { path: WHEEL_PATH, type: "application/zip", content: pythonWheel().content },
    { ...composerPackage(), type: "application/zip" },
    ...(await rubyGem()).map(({ path, content }) => ({
      path: `${GEMS_PATH}/${path}`,
      type: "application/octet-stream",
      content,
    })),
    ...goModuleProxy(),
    { path: JAVA_SOURCES_PATH, type: "application/gzip", content: await javaSources() },
  ];
  return Promise.all(
    files.map(async ({ path, type, content }): Promise<[string, Download]> => {
      await write(join(folder, "downloads", path), content);
      return [path, { type, etag: `"${createHash("sha256").update(content).digest("base64url").slice(0, 16)}"` }];
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
