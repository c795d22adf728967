// The pages that are measured: a small one, a dashboard with the weight of a real template and 50 requests, tall ones, one
// of noise, some that are complete only after they have loaded, some that move, and some that never stand still.
import { createServer } from "node:http";
import { listen, stopListening } from "../local/loopback.ts";
import { backgroundVideo, livelyPages } from "./lively-pages.ts";
import { CARD, CIRCLES } from "./moving-pages.ts";
import { packageFile } from "./page-packages.ts";
import { CHARTS, chartLibrary, ENTRANCE, reveals } from "./settling-pages.ts";
import { article, bands, lazyArticle, longTable, noise, PHOTOS, photo, revealArticle } from "./tall-pages.ts";

export interface BenchSite {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  close(): void;
}

export interface BenchSiteOptions {
  /** How long each response takes, in milliseconds, as from a server that is far away. @default 0 */
  readonly latencyMs?: number;
}

export async function startBenchSite({ latencyMs = 0 }: BenchSiteOptions = {}): Promise<BenchSite> {
  const photos = await Promise.all(list(PHOTOS, photo));
  const server = createServer(async ({ url = "" }, response) => {
    const resource: Resource | undefined =
      url === "/background.webm" ? { type: "video/webm", body: await backgroundVideo() } : resources(url, photos);
    response.statusCode = resource ? 200 : 404;
    response.setHeader("Content-Type", resource?.type ?? "text/plain");
    const end = () => response.end(resource?.body ?? "not found");
    const delayMs = latencyMs + (resource?.delayMs ?? 0);
    if (delayMs > 0) setTimeout(end, delayMs);
    else end();
  });
  return { origin: `http://${await listen(server)}`, close: () => void stopListening(server) };
}

interface Resource {
  readonly type: string;
  readonly body: string | Buffer;
  /** How long the server takes to answer. */
  readonly delayMs?: number;
}

/** Long enough for the pool of sandboxes to start another one for waiting requests. */
const SLOW_MS = 3_000;

function resources(address: string, photos: readonly Buffer[]): Resource | undefined {
  const [path = ""] = address.split("?");
  if (path === "/small") return { type: "text/html", body: SMALL };
  if (path === "/slow") return { type: "text/html", body: SMALL, delayMs: SLOW_MS };
  if (path === "/heavy") return { type: "text/html", body: HEAVY };
  if (path === "/card") return { type: "text/html", body: CARD };
  if (path === "/circles") return { type: "text/html", body: CIRCLES };
  if (path === "/charts") return { type: "text/html", body: CHARTS };
  if (path === "/chart.js") return { type: "text/javascript", body: chartLibrary() };
  if (path === "/entrance") return { type: "text/html", body: ENTRANCE };
  if (path === "/reveals") return { type: "text/html", body: reveals(false) };
  if (path === "/inner-reveals") return { type: "text/html", body: reveals(true) };
  const lively = Object.entries(livelyPages).find(([name]) => path === `/lively-${name}`);
  if (lively) return { type: "text/html", body: lively[1] };
  if (path.startsWith("/package/"))
    return { type: "text/javascript", body: packageFile(path.slice("/package/".length)) };
  const [, kind, number = "0"] =
    /^\/(article|lazy|reveals|bands|table|noise|photo|style|script|image)-(\d+)$/.exec(path) ?? [];
  const n = Number(number);
  const picture = photos[n];
  if (kind === "article") return { type: "text/html", body: article(n) };
  if (kind === "lazy") return { type: "text/html", body: lazyArticle(n) };
  if (kind === "reveals") return { type: "text/html", body: revealArticle(n) };
  if (kind === "table") return { type: "text/html", body: longTable(n) };
  if (kind === "bands") return { type: "text/html", body: bands(n) };
  if (kind === "noise") return { type: "text/html", body: noise(n) };
  if (kind === "photo" && picture) return { type: "image/jpeg", body: picture };
  if (kind === "style") return { type: "text/css", body: style(n) };
  if (kind === "script") return { type: "text/javascript", body: script(n) };
  if (kind === "image") return { type: "image/svg+xml", body: image(n) };
  return undefined;
}

const SMALL = `<!doctype html><html lang="en"><title>Small</title>
<style>body{font:18px/1.5 sans-serif;max-width:40rem;margin:4rem auto;color:#223}</style>
<h1>A small page</h1><p>${"One paragraph of plain text, as a note or an invoice has it. ".repeat(8)}</p>`;

const list = <T>(length: number, item: (index: number) => T): T[] => Array.from({ length }, (_, index) => item(index));

const HEAVY = `<!doctype html><html lang="en"><title>Dashboard</title>
${list(8, (n) => `<link rel="stylesheet" href="/style-${n}">`).join("\n")}
<body><header><h1>Dashboard</h1><nav>${list(12, (n) => `<a href="#${n}">Section ${n}</a>`).join(" ")}</nav></header>
<main class="cards">${list(30, (n) => `<figure class="card c${n % 8}"><img src="/image-${n}" width="280" height="160" alt=""><figcaption>Series ${n}</figcaption></figure>`).join("")}</main>
<table>${list(200, (row) => `<tr>${list(8, (cell) => `<td>${(row * 31 + cell * 17) % 997}</td>`).join("")}</tr>`).join("")}</table>
${list(12, (n) => `<script src="/script-${n}" defer></script>`).join("\n")}</body></html>`;

function style(n: number): string {
  const rules = list(150, (rule) => `.r${n}-${rule}{padding:${rule % 9}px;color:hsl(${rule * 7} 50% 40%)}`).join("\n");
  return `body{font:15px/1.4 sans-serif;margin:0;background:#f4f5f9}.cards{display:grid;grid-template-columns:repeat(4,1fr);gap:16px;padding:16px}
.card{margin:0;background:#fff;border-radius:12px;box-shadow:0 2px 12px rgb(0 0 0 / 15%);padding:12px;filter:saturate(1.1)}
.c${n}{border-left:4px solid hsl(${n * 45} 70% 50%)}td{padding:2px 12px;border-bottom:1px solid #ddd}\n${rules}`;
}

function script(n: number): string {
  return `{const data=Array.from({length:20000},(_, i)=>Math.sin(i*${n + 1}));const sum=data.reduce((a,b)=>a+b,0);
const canvas=document.createElement("canvas");canvas.width=280;canvas.height=60;const pen=canvas.getContext("2d");
pen.beginPath();for(let x=0;x<280;x++)pen.lineTo(x,30+25*data[x*7]);pen.stroke();
document.querySelectorAll(".card")[${n}].append(canvas);document.body.dataset.s${n}=sum.toFixed(3);}`;
}

function image(n: number): string {
  const bars = list(24, (bar) => {
    const height = 20 + ((bar * 37 + n * 11) % 120);
    return `<rect x="${bar * 11 + 8}" y="${155 - height}" width="8" height="${height}" fill="hsl(${n * 12} 70% 55%)"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 280 160"><rect width="280" height="160" fill="#fafbff"/>${bars.join("")}</svg>`;
}
