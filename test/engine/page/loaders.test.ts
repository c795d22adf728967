// Full pages of well-known loaders and grids, which wait for time to pass while the page is scrolled: they are complete.
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readPdf } from "../../../lib/fixtures/pdf.ts";
import { decode, type Pixels } from "../../../lib/fixtures/png.ts";
import { GREEN } from "../../../lib/fixtures/site-pages.ts";
import { captureWith } from "../../support/chromium.ts";

const IMAGES = 14;
const ROWS = 200;
const IMAGE_HEIGHT = 600;
const PAGE = { viewport_width: 400, viewport_height: 600 };

/** How long the server takes for an image, in milliseconds. */
const IMAGE_MS = 30;

const PACKAGES = join(import.meta.dirname, "../../../node_modules");

/** Files of packages by their path on the server. */
const SCRIPTS: Readonly<Record<string, string>> = {
  "/lazysizes.js": "lazysizes/lazysizes.min.js",
  "/echo.js": "echo-js/dist/echo.min.js",
  "/tabulator.js": "tabulator-tables/dist/js/tabulator.min.js",
  "/tabulator.css": "tabulator-tables/dist/css/tabulator.min.css",
  "/ag-grid.js": "ag-grid-community/dist/ag-grid-community.min.js",
  "/leaflet.js": "leaflet/dist/leaflet.js",
  "/leaflet.css": "leaflet/dist/leaflet.css",
};

const GREEN_IMAGE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"><rect width="256" height="256" fill="green"/></svg>';
const PLACEHOLDER = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";

const document = (head: string, body: string) =>
  `<!doctype html><meta charset="utf-8">${head}<style>body{margin:0}img{display:block;width:400px;height:${IMAGE_HEIGHT}px}</style>${body}`;
const images = (image: (index: number) => string) =>
  Array.from({ length: IMAGES }, (_, index) => image(index)).join("");
const script = (text: string) => `<script>${text}</script>`;
const rows = `Array.from({ length: ${ROWS} }, (_, id) => ({ id, name: 'row-' + id }))`;

const pages: Readonly<Record<string, string>> = {
  "/lazysizes": document(
    '<script src="/lazysizes.js" async></script>',
    images((index) => `<img class="lazyload" alt="" src="${PLACEHOLDER}" data-src="/image/${index}">`),
  ),
  "/echo": document(
    '<script src="/echo.js"></script>',
    images((index) => `<img alt="" src="${PLACEHOLDER}" data-echo="/image/${index}">`) +
      script("echo.init({ offset: 100, throttle: 250, unload: false })"),
  ),
  "/debounce": document(
    "",
    images((index) => `<img alt="" src="${PLACEHOLDER}" data-src="/image/${index}">`) +
      script(`
        const load = () => {
          for (const image of document.querySelectorAll("[data-src]")) {
            const { top, bottom } = image.getBoundingClientRect();
            if (bottom < 0 || top > innerHeight) continue;
            image.src = image.dataset.src;
            image.removeAttribute("data-src");
          }
        };
        let timer;
        addEventListener("scroll", () => { clearTimeout(timer); timer = setTimeout(load, 100) });
        load()`),
  ),
  "/infinite": document(
    "",
    `<main></main>${script(`
      let count = 0, isAdding = false;
      const add = () => {
        const image = new Image();
        image.src = "/image/" + count++;
        document.querySelector("main").append(image);
      };
      const addMore = () => {
        if (isAdding || count >= ${IMAGES} || innerHeight + scrollY < document.documentElement.scrollHeight - 100) return;
        isAdding = true;
        setTimeout(() => { add(); isAdding = false; addMore() }, 200);
      };
      add(); add();
      addEventListener("scroll", addMore)`)}`,
  ),
  "/tabulator": document(
    '<link rel="stylesheet" href="/tabulator.css"><script src="/tabulator.js"></script>',
    `<div id="grid"></div>${script(`new Tabulator("#grid", { height: 300, data: ${rows}, columns: [{ title: "Name", field: "name" }] })`)}`,
  ),
  "/ag-grid": document(
    '<script src="/ag-grid.js"></script>',
    `<div id="grid" style="height:300px"></div>${script(
      `agGrid.createGrid(document.querySelector("#grid"), { rowData: ${rows}, columnDefs: [{ field: "name" }] })`,
    )}`,
  ),
  "/leaflet": document(
    '<link rel="stylesheet" href="/leaflet.css"><script src="/leaflet.js"></script><style>img.leaflet-tile{width:256px;height:256px}</style>',
    `<div id="map" style="height:600px"></div>${script(
      'L.tileLayer("/image/{z}-{x}-{y}").addTo(L.map("map", { zoomControl: false, attributionControl: false }).setView([51.5, 0], 13))',
    )}`,
  ),
};

let server: Server;
let hostPort: string;

beforeAll(async () => {
  server = createServer(async ({ url = "" }, response) => {
    const file = SCRIPTS[url];
    if (file) {
      response.setHeader("Content-Type", file.endsWith(".css") ? "text/css" : "text/javascript");
      response.end(await readFile(join(PACKAGES, file)));
    } else if (url.startsWith("/image/")) {
      await sleep(IMAGE_MS);
      response.writeHead(200, { "Content-Type": "image/svg+xml" }).end(GREEN_IMAGE);
    } else response.writeHead(pages[url] ? 200 : 404, { "Content-Type": "text/html" }).end(pages[url]);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  hostPort = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const capture = (path: string, options: Readonly<Record<string, unknown>>) =>
  captureWith({ url: `http://${hostPort}${path}`, ...PAGE, timeout: 40, ...options }, { allow: [hostPort] });

/** The images of a page that are not complete, by their middle. */
const missingIn = ({ width, height, colourAt }: Pixels) =>
  Array.from({ length: IMAGES }, (_, index) => index).filter((index) => {
    const y = (index + 0.5) * IMAGE_HEIGHT;
    return y >= height || `${colourAt(Math.floor(width / 2), Math.floor(y))}` !== `${GREEN}`;
  });

const LOADERS = ["lazysizes", "echo", "debounce", "infinite"];

describe("a full page has all images", () => {
  test.each(LOADERS)("of %s in one image", async (loader) => {
    const { body } = await capture(`/${loader}`, { full_page: true });
    const pixels = await decode(body);
    expect({ height: pixels.height, missing: missingIn(pixels) }).toEqual({
      height: IMAGES * IMAGE_HEIGHT,
      missing: [],
    });
  });

  test.each(LOADERS)("of %s by sections", async (loader) => {
    const { body } = await capture(`/${loader}`, { full_page: true, full_page_algorithm: "by_sections" });
    const pixels = await decode(body);
    expect({ height: pixels.height, missing: missingIn(pixels) }).toEqual({
      height: IMAGES * IMAGE_HEIGHT,
      missing: [],
    });
  });

  test.each(LOADERS)("of %s in a PDF of one page", async (loader) => {
    const { body } = await capture(`/${loader}`, { format: "pdf", pdf_fit_one_page: true });
    const pixels = await readPdf(body).draw(0);
    const scale = pixels.height / (IMAGES * IMAGE_HEIGHT);
    const missing = Array.from({ length: IMAGES }, (_, index) => index).filter((index) => {
      const y = Math.floor((index + 0.5) * IMAGE_HEIGHT * scale);
      return `${pixels.colourAt(Math.floor(100 * scale), y)}` !== `${GREEN}`;
    });
    expect(missing).toEqual([]);
  });
});

describe("three captures at a time have the same bytes, with all of", () => {
  const captureThrice = async (page: string) => {
    const bodies = await Promise.all([1, 2, 3].map(() => capture(`/${page}`, { full_page: true })));
    const [first = Buffer.alloc(0), ...others] = bodies.map(({ body }) => body);
    expect(others.map((other) => other.equals(first))).toEqual([true, true]);
    return decode(first);
  };

  test.each([
    ["tabulator", 24],
    ["ag-grid", 42],
  ])("the rows of %s, which shows a part of them", async (page, rowHeight) => {
    const { height } = await captureThrice(page);
    expect(height).toBeGreaterThan(ROWS * rowHeight);
  });

  test("the tiles of a Leaflet map, which fade in", async () => {
    const { colourAt, width, height } = await captureThrice("leaflet");
    const points = [
      [0, 0],
      [width / 2, height / 2],
      [width - 1, height - 1],
    ] as const;
    expect(points.map(([x, y]) => colourAt(x, y))).toEqual([GREEN, GREEN, GREEN]);
  });
});
