// Packages with machine code, in the folder of a function.
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { App, Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { Runtime } from "aws-cdk-lib/aws-lambda";
import { NodejsFunction, OutputFormat } from "aws-cdk-lib/aws-lambda-nodejs";
import { afterAll, describe, expect, test } from "vitest";
import cdkJson from "../../cdk.json" with { type: "json" };
import { BlockingLayer } from "../../lib/infra/blocking-layer.ts";
import { BrowserFunction } from "../../lib/infra/browser-function.ts";
import { ChromiumLayer } from "../../lib/infra/chromium-layer.ts";
import { FontsLayer } from "../../lib/infra/fonts-layer.ts";
import { nativePackages, packageClosure } from "../../lib/infra/native-packages.ts";
import { stageConfig } from "../../lib/infra/stages.ts";
import { temporaryFolder } from "../local/support.ts";

const folder = mkdtempSync(join(tmpdir(), "native-packages-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("a browser function has sharp in its folder, and nothing that its bundle has anyway", () => {
  const modules = join(synthesize(browserFunction), "node_modules");
  expect(readdirSync(modules).toSorted()).toEqual(["@img", "detect-libc", "semver", "sharp"]);
  expect(readdirSync(join(modules, "@img")).toSorted()).toEqual([
    "colour",
    "sharp-libvips-linux-x64",
    "sharp-linux-x64",
  ]);
  expect(sizeOf(modules)).toBeLessThan(25_000_000);
});

describe("the folder of a function with a native package", () => {
  const code = synthesize(painter);

  test("runs by itself, far from the packages of this checkout", async () => {
    const elsewhere = join(folder, "elsewhere");
    cpSync(code, elsewhere, { recursive: true });
    const script = 'console.log(await (await import("./index.mjs")).handler());';
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script], {
      cwd: elsewhere,
      env: {},
    });
    expect(stdout).toBe("ftypavif\n");
  });

  test("is the same when it is made again", () => {
    expect(basename(synthesize(painter))).toBe(basename(code));
  });
});

describe("the closure of a package", () => {
  test("is what it depends on, directly or not, with what is meant for Lambda alone", async () => {
    const modules = await installed({
      image: {
        dependencies: { colour: "1" },
        optionalDependencies: { "@x/mac": "1", "@x/linux": "1", "@x/musl": "1" },
      },
      colour: { dependencies: { names: "1" } },
      names: { dependencies: { colour: "1" } },
      "@x/mac": { os: ["darwin"], cpu: ["x64"] },
      "@x/linux": { os: ["linux"], cpu: ["x64"], libc: ["glibc"] },
      "@x/musl": { os: ["linux"], cpu: ["x64"], libc: ["musl"] },
      unrelated: {},
    });
    expect(packageClosure(["image"], modules)).toEqual(["@x/linux", "colour", "image", "names"]);
  });

  test("does not lack what is not installed without a word", async () => {
    const modules = await installed({
      image: { optionalDependencies: { mac: "1", linux: "1" } },
      mac: { os: ["darwin"] },
      text: { dependencies: { gone: "1" } },
    });
    expect(() => packageClosure(["image"], modules)).toThrow("lacks what image needs on Linux");
    expect(() => packageClosure(["text"], modules)).toThrow("lacks gone; run npm ci");
  });
});

/** Bundles the function that is added to a stack; the folder of its code. */
function synthesize(addFunction: (stack: Stack) => void): string {
  const outdir = mkdtempSync(join(folder, "assembly-"));
  const app = new App({ outdir, context: { ...cdkJson.context, "aws:cdk:enable-asset-metadata": true } });
  const stack = new Stack(app, "Test");
  addFunction(stack);
  const [fn] = Object.values(Template.fromStack(stack).findResources("AWS::Lambda::Function"));
  return join(outdir, fn?.Metadata["aws:asset:path"]);
}

function browserFunction(stack: Stack): void {
  new BrowserFunction(stack, "Screenshot", {
    stage: stageConfig("local"),
    file: "screenshot",
    chromium: new ChromiumLayer(stack, "Chromium"),
    fonts: new FontsLayer(stack, "Fonts"),
    blocking: new BlockingLayer(stack, "Blocking"),
  });
}

function painter(stack: Stack): void {
  const projectRoot = join(import.meta.dirname, "../..");
  new NodejsFunction(stack, "Painter", {
    entry: join(import.meta.dirname, "painter.ts"),
    projectRoot,
    depsLockFilePath: join(projectRoot, "package-lock.json"),
    runtime: Runtime.NODEJS_24_X,
    bundling: { format: OutputFormat.ESM, ...nativePackages(["sharp"]) },
  });
}

function sizeOf(path: string): number {
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

async function installed(packages: Readonly<Record<string, object>>): Promise<string> {
  const modules = await temporaryFolder();
  for (const [name, manifest] of Object.entries(packages)) {
    mkdirSync(join(modules, name), { recursive: true });
    writeFileSync(join(modules, name, "package.json"), JSON.stringify(manifest));
  }
  return modules;
}
