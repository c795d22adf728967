// Real web sites from npm packages, served from loopback: templates with images, fonts, scripts and menus.
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, relative } from "node:path";
import type { Site, SiteRequest } from "../../lib/fixtures/site.ts";

/** Folder of each package's site, below `node_modules`. */
export const packagedFolders = {
  "startbootstrap-agency": "startbootstrap-agency/dist",
  "startbootstrap-sb-admin-2": "startbootstrap-sb-admin-2",
} as const;

export type PackagedSiteName = keyof typeof packagedFolders;

const contentTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".map": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".ico": "image/x-icon",
  ".ttf": "font/ttf",
  ".woff": "font/woff",
  ".woff2": "font/woff2",
};

/**
 * Serves the files of a packaged site from a free port of 127.0.0.1; `/` is its `index.html`. What its pages want from
 * other hosts is not there. Rejects when the package is not installed.
 */
export async function startPackagedSite(packageName: PackagedSiteName): Promise<Site> {
  const requests: SiteRequest[] = [];
  const files = await filesBelow(join(import.meta.dirname, "../../node_modules", packagedFolders[packageName]));
  const server = createServer((request, answer) => {
    const path = request.url ?? "/";
    requests.push({ method: request.method ?? "", path, headers: request.headers });
    const { pathname } = new URL(path, "http://site.test");
    const file = files.get(decodeURIComponent(pathname === "/" ? "/index.html" : pathname));
    if (file === undefined) return void answer.writeHead(404).end(`There is no ${pathname} here.`);
    answer.writeHead(200, { "content-type": contentTypes[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(answer);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const hostPort = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin: `http://${hostPort}`,
    hostPort,
    requests,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

/** The files of a folder and of those within it, by their paths on the site. */
async function filesBelow(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(files.map((file) => [`/${relative(folder, file)}`, file]));
}
