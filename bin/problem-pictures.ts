// `npm run pictures:problems`: makes the pictures of the guide about problems, of a page of the corpus.
import { join, resolve } from "node:path";
import sharp from "sharp";
import { reportPage } from "../lib/service/captures/report-page.ts";
import { corpusPages } from "../test/fixtures/problem-pages/pages.ts";
import { startProblemSite } from "../test/fixtures/problem-pages/problem-site.ts";
import { captureWith } from "../test/support/chromium.ts";

const NAME = "newsletter-in-a-modal-dialog";
const WIDTH = 720;
const pictures = join(resolve(import.meta.dirname, ".."), "lib/site/web/pictures");

const pages = await corpusPages();
const page = pages.find(({ name }) => name === NAME);
if (!page) throw new Error(`The corpus has no page ${NAME}.`);
const site = await startProblemSite(pages);
try {
  const taken = await capture({ metadata_report: true });
  await save(taken.body, "problem-before");
  await save((await capture({ self_repair: true })).body, "problem-repaired");
  const { report, problems, mimeType, body } = taken;
  if (!report) throw new Error("The capture has no report.");
  const shown = JSON.parse(JSON.stringify(report).replaceAll(`http://${site.hostPort}`, "https://example.com"));
  const thumbnail = (await sharp(body).resize(640).webp({ quality: 70 }).toBuffer()).toString("base64");
  const html = reportPage({
    requestId: 244_092_525_226_475,
    url: "https://example.com/blog",
    file: {
      report: shown,
      problems: [...problems],
      warnings: [],
      mime_type: mimeType,
      size_bytes: body.length,
      thumbnail: `data:image/webp;base64,${thumbnail}`,
    },
  });
  await save((await captureWith({ html, viewport_width: 1100, viewport_height: 1500 })).body, "report");
} finally {
  await site.close();
}

function capture(options: Readonly<Record<string, unknown>>) {
  const usual = { viewport_width: 1280, viewport_height: 800 };
  return captureWith(
    { url: site.url(page as NonNullable<typeof page>), ...usual, ...options },
    { allow: [site.hostPort] },
  );
}

async function save(image: Buffer, name: string): Promise<void> {
  await sharp(image)
    .resize(WIDTH)
    .webp({ quality: 74 })
    .toFile(join(pictures, `${name}.webp`));
}
