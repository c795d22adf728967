// The pictures of the landing page: captures by this service of pages of a museum that doesn't exist, and one by a script of Puppeteer.
import { readFileSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import sharp from "sharp";
import { startFolderSite } from "../../../test/fixtures/folder-site.ts";
import { readPdf } from "../../../test/fixtures/pdf.ts";
import { captureWith } from "../../../test/support/chromium.ts";
import {
  type LandingFacts,
  type LandingPicture,
  landingFile,
  landingVideos,
  landingWidths,
} from "../../site/landing/landing-pictures.ts";
import { launchPlainBrowser } from "../measure/visual-diff/plain-browser.ts";
import { bookingForm } from "./agent-pictures.ts";
import { picturesFolder } from "./pictures-folder.ts";

/** The address that the pages have in what is shown of them. */
const SHOWN_ORIGIN = "https://museum.example";

const WIDTH = 1280;
const HEIGHT = 800;
const VIEWPORT = { viewport_width: WIDTH, viewport_height: HEIGHT };

/** Writes the pictures, the video, and `landing.json`, which has their sizes and the texts that the page shows. */
export async function makeLandingPictures(): Promise<void> {
  const site = await startFolderSite(join(picturesFolder, "pages"));
  try {
    await makeSample();
    const facts = await makeShows(
      (options) => captureWith({ ...VIEWPORT, ...options }, { allow: [site.hostPort] }),
      (page) => `${site.origin}/${page}`,
    );
    const json = JSON.stringify(facts, undefined, 2).replaceAll(site.origin, SHOWN_ORIGIN);
    writeFileSync(join(picturesFolder, "landing.json"), `${json}\n`);
  } finally {
    await site.close();
  }
}

/** The picture of the first screen, which is small. */
async function makeSample(): Promise<void> {
  const html = readFileSync(join(picturesFolder, "sample-page.html"), "utf8");
  for (const [file, dark_mode] of [
    ["sample.webp", false],
    ["sample-dark.webp", true],
  ] as const) {
    const options = { html, dark_mode, format: "webp", image_width: WIDTH, image_quality: 60 };
    const { body } = await captureWith({ ...VIEWPORT, ...options });
    writeFileSync(join(picturesFolder, file), body);
  }
}

async function makeShows(capture: typeof captureWith, address: (page: string) => string): Promise<LandingFacts> {
  const bodyOf = async (options: Readonly<Record<string, unknown>>) => (await capture(options)).body;
  const journey = address("journey.html");
  const consent = address("consent.html");
  const members = address("members.html");
  const tides = address("tides.html");
  const regatta = { url: address("regatta.html"), viewport_width: 640, viewport_height: 400 };
  const signIn = await capture({ url: members });
  const elements = JSON.parse((await bodyOf({ html: bookingForm, format: "elements" })).toString());
  const report = readPdf(await bodyOf({ url: address("report.html"), format: "pdf", pdf_prefer_css_page_size: true }));
  const images: Readonly<Record<LandingPicture, Buffer>> = {
    "journey-script": await scriptPicture(journey),
    journey: await bodyOf({ url: journey, full_page: true }),
    "consent-before": await bodyOf({ url: consent }),
    consent: await bodyOf({ url: consent, block_cookie_banners: true }),
    members: signIn.body,
    "report-1": report.png(0, 1.5),
    "report-2": report.png(1, 1.5),
    "report-3": report.png(2, 1.5),
    "report-4": report.png(3, 1.5),
    regatta: await bodyOf({ ...regatta, format: "png" }),
    tides: await bodyOf({ url: tides }),
    dashboard: readFileSync(join(picturesFolder, "dashboard-captures.webp")),
  };
  for (const file of landingVideos) {
    const video = { ...regatta, format: extname(file).slice(1), video_duration: 4, video_fps: 25 };
    writeFileSync(join(picturesFolder, file), await bodyOf(video));
  }
  const sizes: [string, { width: number; height: number }][] = [];
  for (const [name, picture] of Object.entries(images) as [LandingPicture, Buffer][]) {
    sizes.push([name, await saveImage(name, picture)]);
  }
  return {
    sizes: Object.fromEntries(sizes) as LandingFacts["sizes"],
    problem: { ...signIn.problems[0] },
    quality: signIn.quality,
    markdown: (await bodyOf({ url: tides, format: "markdown" })).toString(),
    elements: elements.elements.slice(0, 12),
  };
}

/** What a short script gets, which waits until the network is idle and takes the full page. */
async function scriptPicture(url: string): Promise<Buffer> {
  await using plain = await launchPlainBrowser({ isOffline: true });
  const page = await plain.browser.newPage();
  await page.setViewport({ width: WIDTH, height: HEIGHT });
  await page.goto(url, { waitUntil: "networkidle2" });
  return Buffer.from(await page.screenshot({ fullPage: true }));
}

/** Saves an image as AVIF in each of its widths. Resolves to the size of the largest one. */
async function saveImage(name: LandingPicture, image: Buffer): Promise<{ width: number; height: number }> {
  const { width, height } = await sharp(image).metadata();
  for (const each of landingWidths[name]) {
    const resized = await sharp(image).resize(each).avif({ quality: 52, effort: 8 }).toBuffer();
    writeFileSync(join(picturesFolder, landingFile(name, each)), resized);
  }
  const largest = Math.max(...landingWidths[name]);
  return { width: largest, height: Math.round((largest * height) / width) };
}
