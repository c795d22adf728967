// The fonts layer: font files from npm packages as plain files, and fontconfig's cache of them.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Artifact, builtFolder, hashedFolder } from "../../lib/build/artifact.ts";
import { chromiumLayer } from "../chromium/build.ts";
import { packageFolder, packages } from "./families.ts";

/**
 * Becomes /opt. Only on Linux does it have a cache: elsewhere the Chromium that makes it does not run, and a function scans the
 * fonts as it starts.
 */
export const fontsLayer: Artifact = {
  title: "Fonts",
  script: join(import.meta.dirname, "make.ts"),
  needs: [chromiumLayer],
  folder() {
    const hash = createHash("sha256").update(`${process.platform} ${process.arch}\n`);
    for (const name of [...packages, "subset-font", "harfbuzzjs", "@sparticuz/chromium"]) {
      hash.update(`${name}@${JSON.parse(readFileSync(join(packageFolder(name), "package.json"), "utf8")).version}\n`);
    }
    const sources = readdirSync(import.meta.dirname).filter((file) => file.endsWith(".ts"));
    const cacheName = "../../lib/engine/browser/font-configuration.ts"; // the cache is made for the name and time given there
    for (const file of [...sources.toSorted(), cacheName]) hash.update(readFileSync(join(import.meta.dirname, file)));
    return hashedFolder(import.meta.dirname, hash);
  },
};

/** The folder of the layer, built first if it is missing. */
export const buildFontsLayer = (): string => builtFolder(fontsLayer);
