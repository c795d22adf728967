// Serves the pages of an npm package for the study of verdicts: complete without other hosts, and with planted faults.
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { contentTypes, fileIn } from "../../../../test/fixtures/folder-site.ts";
import { type NpmPackages, useOwnSite } from "../visual-diff/npm-packages.ts";
import type { PlantedFault } from "./planted-faults.ts";

export interface StudySite extends AsyncDisposable {
  /** `127.0.0.1:<port>` */
  readonly hostPort: string;
  /** The address of a page, with a fault where one is given. */
  url(path: string, fault?: PlantedFault): string;
}

/** Longer than any capture waits. */
const LATE_MS = 40_000;

/** Fonts and counters of other hosts, without which the page is complete: it falls back, or shows nothing of them. */
const ELSEWHERE =
  /<link[^>]+(?:fonts\.(?:googleapis|gstatic)\.com|preconnect)[^>]*>|<script[^>]+(?:googletagmanager|google-analytics|buttons\.github\.io|platform\.twitter|oss\.maxcdn|html5shim|respond(?:\.min)?\.js)[^>]*>\s*<\/script>|@import\s+(?:url\()?["']?(?:https?:)?\/\/fonts\.googleapis[^;]+;/gi;

/** What a page loads by its own elements: scripts, style sheets, and pictures. */
const LOADED = /<(?:script|img|source|iframe|link[^>]+stylesheet)[^>]*?\s(?:src|href)=["']([^"'#?]+)/gi;

/** The text of a page or a style sheet as it is served. */
const asServed = (text: string) => useOwnSite(text).replace(ELSEWHERE, "");

/** True for a page whose scripts, style sheets and pictures all are in its package, or on a content delivery network. */
export async function isComplete(folder: string, path: string): Promise<boolean> {
  const html = asServed(await readFile(join(folder, path), "utf8"));
  const base = `http://study.test/${path}`;
  for (const [, address = ""] of html.matchAll(LOADED)) {
    const url = URL.parse(address, base);
    if (!url || url.protocol === "data:" || url.pathname.startsWith("/.npm/")) continue;
    if (url.host !== "study.test") return false;
    if ((await fileIn(folder, decodeURIComponent(url.pathname))) === undefined) return false;
  }
  return /<html/i.test(html);
}

/**
 * Serves, apart from the files of the package and of those that it gets from content delivery networks:
 * - `/.planted/<name>/<path>`: a page or another file; the page has the fault
 * - `/.late/<path>`: never, as far as a capture can wait
 * - `/.fails/<path>`: 503
 */
export async function startStudySite(packages: NpmPackages, spec: string): Promise<StudySite> {
  const folder = await packages.fetch(spec);
  const faults = new Map<string, { readonly page: string; readonly fault: PlantedFault }>();
  const find = async (path: string) => {
    const [, other, file] = /^\/\.npm\/((?:@[^/]+\/)?[^/]+)\/(.*)$/.exec(path) ?? [];
    if (other === undefined || file === undefined) return fileIn(folder, path);
    const found = await packages.fetch(other).catch(() => undefined);
    return found && fileIn(found, file);
  };
  const respond = async (path: string, answer: ServerResponse) => {
    if (path === "/favicon.ico") return void answer.writeHead(204).end();
    if (/\/\.late\//.test(path)) {
      await setTimeout(LATE_MS, undefined, { ref: false });
      return void answer.destroy();
    }
    if (/\/\.fails\//.test(path)) return void answer.writeHead(503).end("Try again later.");
    const [, id = "", plain = path] = /^\/\.planted\/([\w-]+)(\/.*)$/.exec(path) ?? [];
    const planted = faults.get(id);
    const own = planted?.fault.files?.[plain.slice(plain.lastIndexOf("/") + 1)];
    if (own !== undefined) {
      const type = contentTypes[extname(plain).toLowerCase()] ?? "text/plain; charset=utf-8";
      return void answer.writeHead(200, { "content-type": type }).end(own);
    }
    const file = await find(plain);
    if (file === undefined) return void answer.writeHead(404).end("Not here.");
    const type = contentTypes[extname(file).toLowerCase()] ?? "application/octet-stream";
    const isText = /^text\/(?:html|css)/.test(type);
    const text = isText ? asServed(await readFile(file, "utf8")) : undefined;
    if (planted && plain === planted.page && text !== undefined) {
      answer.writeHead(planted.fault.status ?? 200, { "content-type": type, ...planted.fault.headers });
      return void answer.end(planted.fault.plant(text));
    }
    answer.writeHead(200, { "content-type": type }).end(text ?? (await readFile(file)));
  };
  const server = createServer((request, answer) => {
    const { pathname } = new URL(request.url ?? "/", "http://study.test");
    respond(decodeURIComponent(pathname), answer).catch(() => answer.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const hostPort = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    hostPort,
    url(path, fault) {
      if (!fault) return `http://${hostPort}/${path}`;
      const id = `${fault.name}-${fault.language}`;
      faults.set(id, { page: `/${path}`, fault });
      return `http://${hostPort}/.planted/${id}/${path}`;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
