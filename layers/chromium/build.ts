// The Chromium layer: the packed browser, its libraries, and hyphenation files.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Artifact, builtFolder } from "../../lib/build/artifact.ts";
import { BROWSER_FILTER_FILE, CLOSED_PROCESS_FILE } from "../../lib/engine/browser/protection.ts";
import { readHardeningLibrary } from "../hardening/build.ts";

/** Higher levels are slightly smaller, but take minutes and unpack no faster. Level 6: 82 MB in 2.6 s. */
export const ZSTD_LEVEL = 6;

/** Chromium is packed for this architecture only. */
export const closedProcess = readHardeningLibrary("x64", CLOSED_PROCESS_FILE);
export const browserFilter = readHardeningLibrary("x64", BROWSER_FILTER_FILE);

/** The folder of the package that the browser is taken from. */
export const packageFolder = join(dirname(fileURLToPath(import.meta.resolve("@sparticuz/chromium"))), "..");

const hyphenationInputs = [
  ...["hyphenation.ts", "hyphenation-file.ts", "hyphenation-languages.ts", "hyphenation-licences.txt"].map((name) =>
    join(import.meta.dirname, name),
  ),
  fileURLToPath(import.meta.resolve("hyphen/package.json")),
];

/** Becomes /opt. It is built once per version of Chromium. */
export const chromiumLayer: Artifact = {
  title: "Chromium",
  script: join(import.meta.dirname, "make.ts"),
  folder() {
    const { version } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")) as { version: string };
    const others = createHash("sha256").update(closedProcess).update(browserFilter);
    for (const path of hyphenationInputs) others.update(readFileSync(path));
    // Without dots, because CDK would parse a file extension.
    return join(
      import.meta.dirname,
      "dist",
      `${version.replaceAll(".", "-")}-zstd-${ZSTD_LEVEL}-files-no-fonts-checksums-${others.digest("hex").slice(0, 8)}`,
    );
  },
};

/** The folder of the layer, built first if it is missing. */
export const buildChromiumLayer = (): string => builtFolder(chromiumLayer);
