// Makes the fonts layer at a folder, as a process: node layers/fonts/make.ts <folder>
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import subsetFont from "subset-font";
import {
  kebab,
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

async function scriptFont(family: string, style: string, weight: number): Promise<Buffer> {
  const script = family.split(" ").at(-1)?.toLowerCase();
  const slice = await readFile(join(sliceFolder(family), `${kebab(family)}-${script}-wght-normal.woff2`));
  const tables = readTables(await instance(slice, weight));
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

/** One weight of a variable font: Chromium would take the lightest for a fallback. */
async function instance(font: Buffer, weight: number, keepFeatures?: string[]): Promise<Buffer> {
  const options = {
    keepAllGlyphs: true,
    targetFormat: "sfnt" as const,
    variationAxes: { wght: weight },
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
