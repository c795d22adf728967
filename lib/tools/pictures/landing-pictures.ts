// The pictures of the landing page: captures by this service of pages of a museum that doesn't exist, and one by a script of Puppeteer.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { startFolderSite } from "../../../test/fixtures/folder-site.ts";
import { readPdf } from "../../../test/fixtures/pdf.ts";
import { captureWith } from "../../../test/support/chromium.ts";
import type { LandingFacts, LandingPicture } from "../../site/landing/landing-pictures.ts";
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
  const signIn = await capture({ url: members });
  const elements = JSON.parse((await bodyOf({ html: bookingForm, format: "elements" })).toString());
  const report = readPdf(await bodyOf({ url: address("report.html"), format: "pdf", pdf_prefer_css_page_size: true }));
  return {
    pictures: {
      "journey-script": await save("journey-script", await scriptPicture(journey)),
      journey: await save("journey", await bodyOf({ url: journey, full_page: true })),
      "consent-before": await save("consent-before", await bodyOf({ url: consent })),
      consent: await save("consent", await bodyOf({ url: consent, block_cookie_banners: true })),
      members: await save("members", signIn.body),
      tides: await save("tides", await bodyOf({ url: tides })),
      dashboard: await save("dashboard", readFileSync(join(picturesFolder, "dashboard-captures.webp")), [640, 1280]),
      ...Object.fromEntries(
        await Promise.all(
          report.sizes.map(async (_, index) => {
            const name = `report-${index + 1}`;
            return [name, await save(name, report.png(index, 1.5), [420])];
          }),
        ),
      ),
      regatta: await makeVideo(bodyOf, address("regatta.html")),
    },
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

/** An MP4 and, for browsers without H.264, a WebM, and a picture of the page. */
async function makeVideo(
  capture: (options: Readonly<Record<string, unknown>>) => Promise<Buffer>,
  url: string,
): Promise<LandingPicture> {
  const options = { url, viewport_width: 640, viewport_height: 400, video_duration: 4, video_fps: 25 };
  for (const format of ["mp4", "webm"]) {
    writeFileSync(join(picturesFolder, `landing-regatta.${format}`), await capture({ ...options, format }));
  }
  return save("regatta", await capture({ url, viewport_width: 640, viewport_height: 400 }), [640]);
}

/** Saves an image as AVIF in each width, with the heights of its proportions. */
async function save(name: string, image: Buffer, widths: readonly number[] = [480, 960]): Promise<LandingPicture> {
  const { width, height } = await sharp(image).metadata();
  for (const each of widths) {
    const resized = await sharp(image).resize(each).avif({ quality: 52, effort: 8 }).toBuffer();
    writeFileSync(join(picturesFolder, `landing-${name}-${each}.avif`), resized);
  }
  const largest = Math.max(...widths);
  return { width: largest, height: Math.round((largest * height) / width), widths: [...widths] };
}
