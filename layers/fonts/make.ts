// Makes the fonts layer at a folder, as a process: node layers/fonts/make.ts <folder>
import { existsSync } from "node:fs";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import subsetFont from "subset-font";
import { publishFolder } from "../../lib/build/publish-folder.ts";
import { MISSING_GLYPHS_FILE } from "../../lib/engine/browser/missing-glyphs.ts";
import { dropTable } from "./drop-table.ts";
import {
  cjkFamilies,
  kebab,
  limitedUseFamilies,
  packageFolder,
  packages,
  scriptFamilies,
  scriptWeights,
  simplifiedChinese,
  symbolFamilies,
  textFamilies,
  textStyles,
  wholeScriptFamilies,
} from "./families.ts";
import { canMakeCache, makeFontconfigCache } from "./fontconfig-cache.ts";
import { fontconfigRules } from "./fontconfig-rules.ts";
import { findMissingGlyphs } from "./missing-glyphs.ts";

/** Options of `subsetFont` that only decompress a font. */
const unpacking = { keepAllGlyphs: true, targetFormat: "sfnt" } as const;

await publishFolder(process.argv[2] ?? "", make);

async function make(folder: string): Promise<void> {
  const fonts = join(folder, "fonts");
  await mkdir(join(fonts, "files"), { recursive: true });
  await writeFonts(join(fonts, "files"));
  await copyLicences(join(fonts, "licences"));
  await writeFile(join(fonts, "rules.conf"), fontconfigRules(["Noto Sans", ...scriptFamilies]));
  await writeFile(join(fonts, MISSING_GLYPHS_FILE), JSON.stringify(findMissingGlyphs(join(fonts, "files"))));
  if (canMakeCache) await makeFontconfigCache(fonts);
}

async function writeFonts(folder: string): Promise<void> {
  const write = (name: string, font: Buffer) => writeFile(join(folder, name), font);
  for (const [name, prefix] of Object.entries(textFamilies)) {
    for (const style of textStyles) await write(`${prefix}-${style}.ttf`, await wholeFont(name, prefix, style));
  }
  for (const [name, prefix] of Object.entries(symbolFamilies)) {
    const font = await wholeFont(name, prefix, "400Regular");
    // Chromium draws emoji from the table `COLR`; the same pictures as SVG take 20 MB and are not used.
    await write(`${prefix}.ttf`, prefix === "NotoColorEmoji" ? dropTable(font, "SVG ") : font);
  }
  for (const family of scriptFamilies) {
    for (const [style, weight] of Object.entries(scriptWeights)) {
      const isWhole = wholeScriptFamilies.includes(family);
      const font = isWhole
        ? wholeFont(kebab(family), compact(family), `${weight}${style}`)
        : staticSlice(family, weight);
      await write(`${compact(family)}-${style}.ttf`, await font);
    }
  }
  for (const family of limitedUseFamilies.variable) await write(`${compact(family)}.ttf`, await variableSlice(family));
  for (const family of limitedUseFamilies.static) await write(`${compact(family)}.ttf`, await staticSlice(family));
  for (const family of [...limitedUseFamilies.whole, ...cjkFamilies]) {
    await write(`${compact(family)}.ttf`, await wholeFont(kebab(family), compact(family), "400Regular"));
  }
  const { package: name, file } = simplifiedChinese;
  await copyFile(join(packageFolder(name), file), join(folder, "NotoSansSC.otf"));
}

async function wholeFont(name: string, prefix: string, style: string): Promise<Buffer> {
  return await readFile(join(packageFolder(`@expo-google-fonts/${name}`), style, `${prefix}_${style}.ttf`));
}

/** The slice of a family that has its script, unpacked. */
async function staticSlice(family: string, weight: number = scriptWeights.Regular): Promise<Buffer> {
  const font = await readFile(slicePath("@fontsource", family, weight));
  return await subsetFont(font, "", { ...unpacking });
}

/** The same of a variable font, at one weight: Chromium would take the lightest for a fallback. */
async function variableSlice(family: string): Promise<Buffer> {
  const font = await readFile(slicePath("@fontsource-variable", family, "wght"));
  return await subsetFont(font, "", { ...unpacking, variationAxes: { wght: scriptWeights.Regular } });
}

function slicePath(scope: string, family: string, weight: number | "wght"): string {
  const script = kebab(family.replace(/^Noto (Sans|Serif) /, ""));
  const folder = packageFolder(`${scope}/${kebab(family)}`);
  return join(folder, "files", `${kebab(family)}-${script}-${weight}-normal.woff2`);
}

/** Copies each package's licence, which its fonts may not be passed on without. */
async function copyLicences(folder: string): Promise<void> {
  await mkdir(folder);
  for (const name of packages) {
    const file = ["LICENSE_FONT", "LICENSE"].map((licence) => join(packageFolder(name), licence)).find(existsSync);
    if (!file) throw new Error(`${name} has no licence.`);
    await copyFile(file, join(folder, `${name.split("/").at(-1)}.txt`));
  }
}

function compact(family: string): string {
  return family.replaceAll(" ", "");
}
