// The pictures of the guide about problems: a page of the corpus, the same page repaired, and its report.
import { join } from "node:path";
import sharp from "sharp";
import { corpusPages } from "../../../test/fixtures/problem-pages/pages.ts";
import type { ProblemPage } from "../../../test/fixtures/problem-pages/problem-page.ts";
import { startProblemSite } from "../../../test/fixtures/problem-pages/problem-site.ts";
import { captureWith } from "../../../test/support/chromium.ts";
import { reportPage } from "../../service/captures/report-page.ts";
import { picturesFolder } from "./pictures-folder.ts";

const NAME = "newsletter-in-a-modal-dialog";
const WIDTH = 720;

/** Writes the three pictures. Throws when the corpus lacks the page. */
export async function makeProblemPictures(): Promise<void> {
  const pages = await corpusPages();
  const page = pages.find(({ name }) => name === NAME);
  if (!page) throw new Error(`The corpus has no page ${NAME}.`);
  const site = await startProblemSite(pages);
  const capture = (options: Readonly<Record<string, unknown>>) => captureOf(site, page, options);
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
}

type Site = Awaited<ReturnType<typeof startProblemSite>>;

function captureOf(site: Site, page: ProblemPage, options: Readonly<Record<string, unknown>>) {
  const usual = { viewport_width: 1280, viewport_height: 800 };
  return captureWith({ url: site.url(page), ...usual, ...options }, { allow: [site.hostPort] });
}

async function save(image: Buffer, name: string): Promise<void> {
  await sharp(image)
    .resize(WIDTH)
    .webp({ quality: 74 })
    .toFile(join(picturesFolder, `${name}.webp`));
}
