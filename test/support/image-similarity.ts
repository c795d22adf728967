// Image similarity: compares images perceptually with each other and with stored references.
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pixelmatch from "pixelmatch";
import sharp from "sharp";

export interface SimilarityOptions {
  /** Difference of colour from which a pixel counts as another, 0 to 1; 0.1 by default. Antialiasing never counts. */
  readonly threshold?: number;
  /** Share of the pixels that may be others, 0 to 1; 0.001 by default. */
  readonly tolerance?: number;
  /** Wider pictures are made this wide before they are stored or compared, in pixels; 480 by default. */
  readonly width?: number;
}

export interface Difference {
  /** Share of the pixels that are others, 0 to 1; 1 when the pictures differ in size. */
  readonly share: number;
  /** One sentence. */
  readonly summary: string;
  /** A PNG that shows the differences, or undefined when the pictures differ in size. */
  readonly picture?: Buffer;
}

const FOLDER = join(import.meta.dirname, "../references");

/**
 * Holds a picture (PNG, JPEG or WebP) against `test/references/<reference>.png`. Throws when they differ or there is no
 * reference, and says where the picture, scaled as it was compared, and the difference lie. With the environment
 * variable `UPDATE_REFERENCES=1` the picture becomes the reference.
 */
export async function expectToMatchReference(
  image: Buffer,
  reference: string,
  options: SimilarityOptions = {},
): Promise<void> {
  const actual = await scaled(image, options.width ?? 480);
  const path = join(FOLDER, `${reference}.png`);
  if (process.env["UPDATE_REFERENCES"] === "1") {
    await mkdir(dirname(path), { recursive: true });
    return writeFile(path, actual);
  }
  if (!existsSync(path)) {
    const evidence = await saveForInspection(reference, { actual });
    throw new Error(`There is no reference '${reference}'. Look at ${evidence}; UPDATE_REFERENCES=1 makes it one.`);
  }
  const expected = await readFile(path);
  const { share, summary, picture } = await compareImages(actual, expected, options.threshold);
  if (share <= (options.tolerance ?? 0.001)) return;
  const evidence = await saveForInspection(reference, { actual, expected, ...(picture && { difference: picture }) });
  throw new Error(`The picture is not like the reference '${reference}': ${summary} See ${evidence}.`);
}

/** How two pictures differ to the eye; see `LikenessOptions` for the threshold. */
export async function compareImages(actual: Buffer, expected: Buffer, threshold = 0.1): Promise<Difference> {
  const [one, other] = await Promise.all([decodePixels(actual), decodePixels(expected)]);
  const { width, height } = one.info;
  if (width !== other.info.width || height !== other.info.height) {
    const summary = `it measures ${width} × ${height} pixels instead of ${other.info.width} × ${other.info.height}.`;
    return { share: 1, summary };
  }
  const marks = Buffer.alloc(one.data.length);
  const count = pixelmatch(one.data, other.data, marks, width, height, { threshold });
  const picture = await sharp(marks, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();
  const share = count / (width * height);
  return { share, summary: `${count} pixels of ${width * height} differ, ${(share * 100).toFixed(2)} %.`, picture };
}

async function scaled(image: Buffer, width: number): Promise<Buffer> {
  const small = sharp(image, { limitInputPixels: false }).resize({ width, withoutEnlargement: true });
  return small.png({ compressionLevel: 9, effort: 10 }).toBuffer();
}

function decodePixels(image: Buffer) {
  return sharp(image, { limitInputPixels: false }).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
}

/** Writes pictures for a person to look at; the name of the folder they are in. */
async function saveForInspection(reference: string, pictures: Readonly<Record<string, Buffer>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `likeness-${reference.replaceAll("/", "-")}-`));
  for (const [name, picture] of Object.entries(pictures)) await writeFile(join(folder, `${name}.png`), picture);
  return folder;
}
