// Full pages of well-known loaders and grids, which wait for time to pass while the page is scrolled: they are complete, and
// the same in every capture. The ordinary run captures some of them, one of them twice at the same time; the slow run each twice;
// `npm run test:loaders` all in all ways, 20 times alone and 20 times three at a time.
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readPdf } from "../../fixtures/pdf.ts";
import { decode, type Pixels } from "../../fixtures/png.ts";
import { GREEN } from "../../fixtures/site-pages.ts";
import { captureWith } from "../../support/chromium.ts";
import { IS_SLOW_RUN, sample, sampled, slowDescribe } from "../../support/slow-run.ts";

const IMAGE_HEIGHT = 600;
const PAGE = { viewport_width: 400, viewport_height: 600 };

/** How long the server takes for an image, in milliseconds. */
const IMAGE_MS = 30;

/** How often each page is captured, and by how many at a time. */
const REPEATS = Number(process.env["LOADER_REPEATS"] ?? 1);
const IS_EXHAUSTIVE = REPEATS > 1;

/** The page that the ordinary run captures twice. */
const REPEATED = "debounce";

const IS_SHORT = !IS_SLOW_RUN && !IS_EXHAUSTIVE;
const IMAGES = IS_SHORT ? 4 : 9;
const ROWS = IS_SHORT ? 30 : 100;

const PACKAGES = join(import.meta.dirname, "../../node_modules");

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

/** A page of one colour would be captured again, in case it is blank; so it has a black corner. */
const STYLE = `body{margin:0}body::before{content:"";position:absolute;z-index:9999;width:8px;height:8px;background:black}
  img{display:block;width:400px;height:${IMAGE_HEIGHT}px}.mark{display:inline-block;width:40px;height:10px;background:green}`;

const document = (head: string, body: string) =>
  `<!doctype html><meta charset="utf-8">${head}<style>${STYLE}</style>${body}`;
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
    `<div id="grid"></div>${script(`
      const formatter = (cell) => '<i class="mark"></i>' + cell.getValue();
      new Tabulator("#grid", { height: 300, data: ${rows}, columns: [{ title: "Name", field: "name", width: 150, formatter }] })`)}`,
  ),
  "/ag-grid": document(
    '<script src="/ag-grid.js"></script>',
    `<div id="grid" style="height:300px"></div>${script(
      `const cellRenderer = ({ value }) => {
        const cell = document.createElement("span");
        cell.innerHTML = '<i class="mark"></i>' + value;
        return cell;
      };
      agGrid.createGrid(document.querySelector("#grid"), { rowData: ${rows}, columnDefs: [{ field: "name", cellRenderer }] })`,
    )}`,
  ),
  "/leaflet": document(
    '<link rel="stylesheet" href="/leaflet.css"><script src="/leaflet.js"></script><style>img.leaflet-tile{width:256px;height:256px}</style>',
    `<div id="map" style="height:600px"></div>${script(
      'L.tileLayer("/image/{z}-{x}-{y}").addTo(L.map("map", { zoomControl: false, attributionControl: false }).setView([51.5, 0], 13))',
    )}`,
  ),
};

/** A page follows real time once it has opened a web socket, as for a chat. */
const SOCKET = script('new WebSocket("ws://" + location.host + "/none")');

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
    } else {
      const [path = "", query] = url.split("?");
      const page = pages[path];
      response.writeHead(page ? 200 : 404, { "Content-Type": "text/html" }).end(page && page + (query ? SOCKET : ""));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  hostPort = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

type Capture = Awaited<ReturnType<typeof captureWith>>;

const capture = (path: string, options: Readonly<Record<string, unknown>>): Promise<Capture> =>
  captureWith({ url: `http://${hostPort}/${path}`, ...PAGE, timeout: 40, ...options }, { allow: [hostPort] });

const isGreen = (pixels: Pixels, x: number, y: number) =>
  x < pixels.width && y < pixels.height && `${pixels.colourAt(Math.floor(x), Math.floor(y))}` === `${GREEN}`;

/** The images that are not in a picture of the page, by their middle. `scale` is its pixels per CSS pixel. */
const missingImages = (pixels: Pixels, scale = 1) =>
  Array.from({ length: IMAGES }, (_, index) => index).filter(
    (index) => !isGreen(pixels, 100 * scale, (index + 0.5) * IMAGE_HEIGHT * scale),
  );

/** How many rows of a grid a picture of the page shows, by their green marks. */
const countRows = (pixels: Pixels) => {
  const column = pixels.columnColours(25, 1, 0).map((colour) => `${colour}` === `${GREEN}`);
  return column.filter((isMark, y) => isMark && !column[y - 1]).length;
};

/** Some points of a map that none of its tiles covers, or one that has not faded in. */
const bareTiles = (pixels: Pixels) =>
  [0.05, 0.3, 0.5, 0.7, 0.95]
    .flatMap((across) =>
      [0.05, 0.3, 0.5, 0.7, 0.95].map((down) => [across * pixels.width, down * pixels.height] as const),
    )
    .filter(([x, y]) => !isGreen(pixels, x, y));

const ROW_NAMES = Array.from({ length: ROWS }, (_, id) => `row-${id}`);

const LOADERS = ["lazysizes", "echo", "debounce", "infinite"];

/** What of a page its picture lacks. */
const inPicture: Readonly<Record<string, (pixels: Pixels) => unknown>> = {
  ...Object.fromEntries(LOADERS.map((page) => [page, (pixels: Pixels) => missingImages(pixels)])),
  tabulator: (pixels) => Array(ROWS - countRows(pixels)).fill("row"),
  "ag-grid": (pixels) => Array(ROWS - countRows(pixels)).fill("row"),
  leaflet: bareTiles,
};

/** What of a page its PDF of one page lacks. */
async function missingInPdf(page: string, body: Buffer): Promise<unknown> {
  const pdf = readPdf(body);
  const names = new Set(pdf.texts[0]?.split(" "));
  if (page === "tabulator" || page === "ag-grid") return ROW_NAMES.filter((name) => !names.has(name));
  const pixels = await pdf.draw(0);
  return page === "leaflet" ? bareTiles(pixels) : missingImages(pixels, pixels.height / (IMAGES * IMAGE_HEIGHT));
}

/** A PDF has the time of its capture in it, so PDFs are compared by what they show. */
const comparable = (format: string, body: Buffer) => (format === "pdf" ? readPdf(body).png(0, 0.5) : body);

/** Captures a page again and again, so many at a time. Resolves to all results. */
async function captureRepeatedly(page: string, options: Readonly<Record<string, unknown>>): Promise<Capture[]> {
  const captures: Capture[] = [];
  for (const count of IS_EXHAUSTIVE ? [1, 3] : [IS_SLOW_RUN || page === REPEATED ? 2 : 1]) {
    for (let round = 0; round < REPEATS; round++)
      captures.push(...(await Promise.all(Array.from({ length: count }, () => capture(page, options)))));
  }
  return captures;
}

const FORMATS = {
  "one image": { full_page: true },
  sections: { full_page: true, full_page_algorithm: "by_sections" },
  pdf: { format: "pdf", pdf_fit_one_page: true },
} as const;

slowDescribe("in real time: complete", () => {
  test.each(IS_EXHAUSTIVE ? LOADERS : sample(["debounce", "infinite"], 4))("%s", async (page) => {
    const { body } = await capture(`${page}?socket`, FORMATS["one image"]);
    expect(missingImages(await decode(body))).toEqual([]);
  });
});

/** A page that hears of its scrolling is visited for one image as it is for sections, so the ordinary run leaves the latter out. */
const TESTED = IS_SHORT ? (["one image", "pdf"] as const) : (Object.keys(FORMATS) as (keyof typeof FORMATS)[]);

describe.each(TESTED)("%s: complete, and the same each time", (format) => {
  const isSampled = format !== "one image" && !IS_EXHAUSTIVE;
  sampled(test, 5).each(
    isSampled ? sample(["tabulator", "debounce"], 4) : sample(Object.keys(inPicture), IS_EXHAUSTIVE ? 1 : 2),
  )("%s", { timeout: 60_000 * REPEATS }, async (page) => {
    const captures = await captureRepeatedly(page, FORMATS[format]);
    const missing = await Promise.all(
      captures.map(async ({ body }) =>
        format === "pdf" ? missingInPdf(page, body) : inPicture[page]?.(await decode(body)),
      ),
    );
    expect(missing).toEqual(captures.map(() => []));
    const [first = Buffer.alloc(0), ...others] = captures.map(({ body }) => comparable(format, body));
    expect(others.map((other) => other.equals(first))).toEqual(others.map(() => true));
    expect(captures.flatMap(({ warnings }) => warnings)).toEqual([]);
  });
});
