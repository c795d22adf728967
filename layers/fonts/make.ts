// Makes the fonts layer at a folder, as a process: node layers/fonts/make.ts <folder>
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import subsetFont from "subset-font";
import { MISSING_GLYPHS_FILE } from "../../lib/engine/browser/missing-glyphs.ts";
import {
  kebab,
  limitedUseFamilies,
  packageFolder,
  packages,
  scriptFamilies,
  scriptWeights,
  slicedFamilies,
  symbolFamilies,
  textFamilies,
  textStyles,
  wholeFont,
} from "./families.ts";
import { canMakeCache, makeFontconfigCache } from "./fontconfig-cache.ts";
import { fontconfigRules } from "./fontconfig-rules.ts";
import { mergeSlices } from "./merge-slices.ts";
import { findMissingGlyphs } from "./missing-glyphs.ts";
import { writeNames } from "./names.ts";
import { readTables, writeFont } from "./sfnt.ts";

await make(process.argv[2] ?? "");

/** Builds beside the target and renames at the end, so that nobody sees a half-built layer. */
async function make(target: string): Promise<void> {
  if (existsSync(target)) return;
  await mkdir(dirname(target), { recursive: true });
  const unfinished = await mkdtemp(`${target}.unfinished-`);
  const fonts = join(unfinished, "fonts");
  try {
    await mkdir(join(fonts, "files"), { recursive: true });
    await writeFonts(join(fonts, "files"));
    await copyLicences(join(fonts, "licences"));
    await writeFile(join(fonts, "rules.conf"), fontconfigRules(["Noto Sans", ...scriptFamilies]));
    await writeFile(join(fonts, MISSING_GLYPHS_FILE), JSON.stringify(findMissingGlyphs(join(fonts, "files"))));
    if (canMakeCache) await makeFontconfigCache(fonts);
    await rename(unfinished, target);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Another process was faster: its layer is as good as ours.
    if (!existsSync(target)) throw error;
  }
}

async function writeFonts(folder: string): Promise<void> {
  const write = (name: string, font: Buffer) => writeFile(join(folder, name), font);
  for (const [name, prefix] of Object.entries(textFamilies)) {
    for (const style of textStyles) await write(`${prefix}-${style}.ttf`, await expoFont(name, prefix, style));
  }
  for (const [name, prefix] of Object.entries(symbolFamilies)) {
    await write(`${prefix}.ttf`, withoutSvg(await expoFont(name, prefix, "400Regular")));
  }
  for (const family of scriptFamilies) {
    for (const [style, weight] of Object.entries(scriptWeights)) {
      await write(`${compact(family)}-${style}.ttf`, await scriptFont(family, style, weight));
    }
  }
  for (const family of limitedUseFamilies.variable) {
    await write(`${compact(family)}.ttf`, await scriptFont(family, "Regular", scriptWeights["Regular"]));
  }
  for (const family of limitedUseFamilies.static)
    await write(`${compact(family)}.ttf`, await scriptFont(family, "Regular"));
  for (const family of limitedUseFamilies.whole) {
    await write(`${compact(family)}.ttf`, await expoFont(kebab(family), compact(family), "400Regular"));
  }
  for (const family of slicedFamilies) await write(`${compact(family)}.ttf`, await mergedFont(family));
  await copyFile(join(packageFolder(wholeFont.package), wholeFont.file), join(folder, "NotoSansSC.otf"));
}

async function expoFont(name: string, prefix: string, style: string): Promise<Buffer> {
  return await readFile(join(packageFolder(`@expo-google-fonts/${name}`), style, `${prefix}_${style}.ttf`));
}

/** Chromium draws emoji from the table `COLR`; the same pictures as SVG take 20 MB and nobody reads them. */
function withoutSvg(font: Buffer): Buffer {
  return writeFont(new Map([...readTables(font)].filter(([tag]) => tag !== "SVG ")));
}

/** The slice of a family that has its script, of a variable font at this weight or else of a static one. */
async function scriptFont(family: string, style: string, weight?: number): Promise<Buffer> {
  const script = kebab(family.replace(/^Noto (Sans|Serif) /, ""));
  const file = `${kebab(family)}-${script}-${weight === undefined ? 400 : "wght"}-normal.woff2`;
  const folder = weight === undefined ? packageFolder(`@fontsource/${kebab(family)}/files`) : sliceFolder(family);
  const tables = readTables(await instance(await readFile(join(folder, file)), weight));
  return writeFont(new Map([...tables, ["name", writeNames(family, style)]]));
}

async function mergedFont(family: string): Promise<Buffer> {
  const files = (await readdir(sliceFolder(family))).filter((file) => file.endsWith("-wght-normal.woff2"));
  const slices: Buffer[] = [];
  for (const file of files.toSorted()) {
    slices.push(await instance(await readFile(join(sliceFolder(family), file)), 400, ["vert"]));
  }
  return mergeSlices(slices, family);
}

/** The font unpacked; of a variable font one weight, because Chromium would take the lightest for a fallback. */
async function instance(font: Buffer, weight?: number, keepFeatures?: string[]): Promise<Buffer> {
  const options = {
    keepAllGlyphs: true,
    targetFormat: "sfnt" as const,
    ...(weight !== undefined && { variationAxes: { wght: weight } }),
    ...(keepFeatures && { keepFeatures }),
  };
  return await subsetFont(font, "", options);
}

/** Each package's licence, which has to go where its fonts go. */
async function copyLicences(folder: string): Promise<void> {
  await mkdir(folder);
  for (const name of packages) {
    const file = ["LICENSE_FONT", "LICENSE"].map((licence) => join(packageFolder(name), licence)).find(existsSync);
    if (!file) throw new Error(`${name} has no licence.`);
    await copyFile(file, join(folder, `${name.split("/").at(-1)}.txt`));
  }
}

function sliceFolder(family: string): string {
  return join(packageFolder(`@fontsource-variable/${kebab(family)}`), "files");
}

function compact(family: string): string {
  return family.replaceAll(" ", "");
}
