// The fonts layer: font files from npm packages as plain files, and fontconfig's cache of them.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageFolder, packages } from "./families.ts";

/**
 * The folder that becomes /opt, built first if it is missing. It is named by what its content depends on. Only on Linux
 * does it have a cache: elsewhere the Chromium that makes it does not run, and a function scans the fonts as it starts.
 */
export function buildFontsLayer(): string {
  const folder = layerFolder();
  // Constructs are made synchronously and WebAssembly is not, hence a process of its own.
  if (!existsSync(folder)) {
    const maker = join(import.meta.dirname, "make.ts");
    execFileSync(process.execPath, [maker, folder], { stdio: ["ignore", "inherit", "inherit"] });
  }
  return folder;
}

function layerFolder(): string {
  const hash = createHash("sha256").update(`${process.platform} ${process.arch}\n`);
  for (const name of [...packages, "subset-font", "harfbuzzjs", "@sparticuz/chromium"]) {
    hash.update(`${name}@${JSON.parse(readFileSync(join(packageFolder(name), "package.json"), "utf8")).version}\n`);
  }
  const sources = readdirSync(import.meta.dirname).filter((file) => file.endsWith(".ts"));
  const cacheName = "../../lib/engine/browser/font-configuration.ts"; // the cache is made for the name and time given there
  for (const file of [...sources.toSorted(), cacheName]) hash.update(readFileSync(join(import.meta.dirname, file)));
  return join(import.meta.dirname, "dist", hash.digest("hex").slice(0, 16));
}
