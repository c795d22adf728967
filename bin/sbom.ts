// `npm run --silent sbom > sbom.json`: the bill of materials of what is deployed, in CycloneDX.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "../lib/engine/browser/chromium-build.ts";
import { deployedPackages } from "../lib/tools/operate/supply-chain/deployed-packages.ts";
import { readLockfile } from "../lib/tools/operate/supply-chain/lockfile.ts";
import { createBom } from "../lib/tools/operate/supply-chain/sbom.ts";

const project = join(import.meta.dirname, "..");
const command = ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"];
const bom = JSON.parse(
  execFileSync("npm", command, { cwd: project, maxBuffer: 2 ** 26, stdio: ["ignore", "pipe", "ignore"] }).toString(),
);
const libraries = JSON.parse(
  readFileSync(join(project, "node_modules/@img/sharp-libvips-linux-x64/versions.json"), "utf8"),
);
const shipped = { deployed: deployedPackages(readLockfile(project)), browser: chromium, libraries };
console.log(JSON.stringify(createBom(bom, shipped), undefined, 2));
