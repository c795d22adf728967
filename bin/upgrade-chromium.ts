// `npm run upgrade:chromium`: installs the newest packed Chromium with the driver for it, starts it, and records its version.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "../lib/engine/browser/chromium-build.ts";
import {
  browserVersion,
  dateOfPosition,
  mainPosition,
  withRelease,
} from "../lib/tools/operate/supply-chain/chromium-release.ts";

const project = join(import.meta.dirname, "..");
const record = join(project, "lib/engine/browser/chromium-build.ts");
const { to } = parseArgs({ options: { to: { type: "string" } } }).values;

const version = to ?? String(view("version"));
if (version === chromium.version && to === undefined) {
  console.log(`${chromium.package} ${version} is the newest version, and installed.`);
} else {
  upgrade();
}

function upgrade(): void {
  console.log(`Installing ${chromium.package} ${version} and the newest puppeteer-core ...`);
  npm("install", "--save-dev", `${chromium.package}@^${version}`);
  npm("install", "puppeteer-core@latest");
  console.log("Building the layer ...");
  const started = startUnpacked();
  const browser = browserVersion(started.printed);
  const published = String(view<Record<string, string>>("time")[version]).slice(0, 10);
  const branched = dateOfPosition(started.position, view("time", "devtools-protocol"));
  const source = readFileSync(record, "utf8");
  const release = { version, browser, published, position: started.position, branched };
  writeFileSync(record, withRelease(source, release));
  console.log(`
Chromium ${browser}, by ${chromium.package} ${version} of ${published}, with the source of ${branched}, starts.

Next:
  npm run doctor                                        a capture with it
  npm test -- test/engine test/attacks                  the engine and the threat model
  npm run bench -- --compare                            time and memory, against the saved run
  git commit -am "build(deps): update Chromium to ${browser}"
  npm run deploy && npm run smoke -- --stage dev`);
}

/**
 * What the browser prints as its version, and the position of its source. It is unpacked into a folder of its own, by a process of its
 * own: this one may have loaded the old packages.
 */
function startUnpacked(): { printed: string; position: string } {
  const folder = mkdtempSync(join(tmpdir(), "upgrade-"));
  const script = `
    const { join } = await import("node:path");
    const { execFileSync } = await import("node:child_process");
    const { buildChromiumLayer } = await import("./layers/chromium/build.ts");
    const { buildFontsLayer } = await import("./layers/fonts/build.ts");
    const { unpackChromium } = await import("./lib/engine/browser/chromium-files.ts");
    const packed = [join(buildChromiumLayer(), "chromium"), join(buildFontsLayer(), "fonts")];
    const { executable, libraries } = await unpackChromium(...packed, ${JSON.stringify(folder)});
    const printed = execFileSync(executable, ["--version"], { env: { LD_LIBRARY_PATH: libraries }, encoding: "utf8" });
    process.stdout.write(JSON.stringify({ executable, printed }));`;
  try {
    const reported = execFileSync(process.execPath, ["--input-type=module", "--eval", script], {
      cwd: project,
      encoding: "utf8",
    });
    const { executable, printed } = JSON.parse(reported) as { executable: string; printed: string };
    return { printed, position: mainPosition(readFileSync(executable)) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function view<T>(field: string, name: string = chromium.package): T {
  return JSON.parse(execFileSync("npm", ["view", name, field, "--json"], { cwd: project, encoding: "utf8" }));
}

function npm(...args: readonly string[]): void {
  execFileSync("npm", args, { cwd: project, stdio: "inherit" });
}
