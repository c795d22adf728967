// `npm run pictures`: makes the pictures of the website with this service, from lib/site/web/pictures/sample-page.html: those whose
// source changed, all with `-- --all`, or with `-- --social` the one for social networks and the icon.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import sharp from "sharp";
import { iconSvg } from "../lib/site/brand.ts";
import { displayFont } from "../lib/site/display-font.ts";
import { effects, pictureSource } from "../lib/site/effect-pictures.ts";
import { SOCIAL_PICTURE_SIZE, socialPage } from "../lib/site/social-picture.ts";
import { synthesizeWithCache } from "../lib/tools/local/assembly/cached-assembly.ts";
import { demoAccount } from "../lib/tools/local/cli/demo-account.ts";
import { useLocalData } from "../lib/tools/local/cli/find-service.ts";
import { startService } from "../lib/tools/local/service.ts";
import { readPdf } from "../test/fixtures/pdf.ts";

const project = resolve(import.meta.dirname, "..");
const pictures = join(project, "lib/site/web/pictures");
const samplePage = readFileSync(join(pictures, "sample-page.html"), "utf8");

/** What each picture was made from. */
const sourcesFile = join(pictures, "sources.json");
const sources: Record<string, string> = JSON.parse(readFileSync(sourcesFile, "utf8"));
const flag = { type: "boolean", default: false } as const;
const { values: flags } = parseArgs({ options: { all: flag, social: flag } });

/** Size of a pair of pictures, in pixels. */
const WIDTH = 640;
const HEIGHT = 200;

const dataDir = mkdtempSync(join(tmpdir(), "pictures-"));
const service = await startService({
  assembly: (output) => synthesizeWithCache({ project, output, context: { stage: "local" } }),
  dataDir,
  environment: ({ baseUrl }) => ({ BASE_URL: baseUrl }),
});
try {
  useLocalData({ ...service.endpoints, secretsKey: service.outputs["SecretsKey"] });
  const { key } = await demoAccount(dataDir, service.outputs["AccountsTable"] ?? "");
  await makePictures(key);
} finally {
  await service.close();
  rmSync(dataDir, { recursive: true, force: true });
}

async function makePictures(key: string): Promise<void> {
  const capture = async (options: Readonly<Record<string, unknown>>) => {
    const input = "html" in options || "markdown" in options ? {} : { html: samplePage };
    const response = await fetch(`${service.baseUrl}/api/v1/screenshot`, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: JSON.stringify({ viewport_height: 800, ...input, ...options }),
    });
    if (!response.ok) throw new Error(await response.text());
    return Buffer.from(await response.arrayBuffer());
  };
  if (flags.all) await makeSample(capture);
  if (flags.all || flags.social) await makeSocialPicture(capture);
  for (const [name, pair] of Object.entries(effects)) {
    const source = pictureSource(pair, samplePage);
    if (sources[name] === source && !flags.all) continue;
    const { both = {}, effect } = pair;
    const images = [await capture(both), await capture({ ...both, ...effect })];
    writeFileSync(join(pictures, `option-${name}.webp`), await sideBySide(images.map(firstPage)));
    sources[name] = source;
    console.log(name);
  }
  const known = Object.entries(sources).filter(([name]) => Object.hasOwn(effects, name));
  writeFileSync(sourcesFile, `${JSON.stringify(Object.fromEntries(known.toSorted()), undefined, 2)}\n`);
}

type Capture = (options: Readonly<Record<string, unknown>>) => Promise<Buffer>;

/** The sample of the landing page, small enough for a first view. */
async function makeSample(capture: Capture): Promise<void> {
  const sample = { format: "webp", image_width: 1280, image_quality: 60 };
  writeFileSync(join(pictures, "sample.webp"), await capture(sample));
  writeFileSync(join(pictures, "sample-dark.webp"), await capture({ ...sample, dark_mode: true }));
}

/** The picture for social networks, and the icon for programs that ask for `/favicon.ico`. */
async function makeSocialPicture(capture: Capture): Promise<void> {
  const html = socialPage(readFileSync(join(pictures, "sample.webp")), await displayFont());
  const { width: viewport_width, height: viewport_height } = SOCIAL_PICTURE_SIZE;
  const page = await capture({ html, viewport_width, viewport_height });
  writeFileSync(join(pictures, "social.png"), await sharp(page).png({ palette: true, quality: 80 }).toBuffer());
  const size = 32;
  const png = await sharp(Buffer.from(iconSvg), { density: 72 }).resize(size, size).png().toBuffer();
  writeFileSync(join(pictures, "favicon.ico"), icoFile(png, size));
}

/** An ICO file of one PNG. https://learn.microsoft.com/en-us/previous-versions/ms997538(v=msdn.10) */
function icoFile(png: Buffer, size: number): Buffer {
  const header = Buffer.alloc(22);
  header.writeUInt16LE(1, 2); // an icon
  header.writeUInt16LE(1, 4); // with one image
  header.writeUInt8(size, 6);
  header.writeUInt8(size, 7);
  header.writeUInt16LE(1, 10); // planes
  header.writeUInt16LE(32, 12); // bits per pixel
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(header.length, 18);
  return Buffer.concat([header, png]);
}

/** The first page of a PDF as a PNG; other results are pictures. */
function firstPage(result: Buffer): Buffer {
  return result.subarray(0, 5).toString() === "%PDF-" ? readPdf(result).png(0, 2) : result;
}

/** Both results at the same height, next to each other on a chequered ground that shows transparency. */
async function sideBySide(images: readonly Buffer[]): Promise<Buffer> {
  const half = { width: WIDTH / 2 - 24, height: HEIGHT - 24 };
  const parts = await Promise.all(
    images.map((image) =>
      sharp(image)
        .resize({ ...half, fit: "inside" })
        .png()
        .toBuffer({ resolveWithObject: true }),
    ),
  );
  const tiles = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><defs><pattern id="p" width="16" height="16" patternUnits="userSpaceOnUse"><rect width="16" height="16" fill="#e9e5da"/><path d="M0 0h8v8H0zM8 8h8v8H8z" fill="#dfdacc"/></pattern></defs><rect width="100%" height="100%" fill="url(#p)"/></svg>`,
  );
  return sharp(tiles)
    .composite(
      parts.map(({ data, info }, index) => ({
        input: data,
        left: Math.round((WIDTH / 2) * index + (WIDTH / 2 - info.width) / 2),
        top: Math.round((HEIGHT - info.height) / 2),
      })),
    )
    .webp({ quality: 60 })
    .toBuffer();
}
