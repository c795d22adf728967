// The bundled code of a function.
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { buildInjectedScripts } from "../../../lib/engine/page/build-injected-scripts.ts";
import { type BundleOptions, bundle } from "../../../lib/infra/bundling/bundle.ts";
import { slowTest } from "../../support/slow-run.ts";

const folder = mkdtempSync(join(tmpdir(), "bundle-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("bundle", () => {
  const native = bundled("native-package", { nativePackages: ["sharp"] });
  const dynamic = bundled("dynamic-import", { define: { DEFINED: '"defined"' } });

  test("has native packages with their dependencies, and no other packages", () => {
    const modules = join(native, "node_modules");
    expect(readdirSync(modules).toSorted()).toEqual(["@img", "detect-libc", "semver", "sharp"]);
    expect(readdirSync(join(modules, "@img")).toSorted()).toEqual([
      "colour",
      "sharp-libvips-linux-x64",
      "sharp-linux-x64",
    ]);
    expect(sizeOf(modules)).toBeLessThan(25_000_000);
  });

  test("runs without the packages of this checkout", async () => {
    expect(await runHandler(native)).toBe("ftypavif");
  });

  slowTest("is reproducible", () => {
    const filesOf = (path: string) => readdirSync(path).filter((name) => name !== "node_modules");
    const again = bundled("native-package", { nativePackages: ["sharp"] });
    expect(filesOf(again)).toEqual(filesOf(native));
    for (const name of filesOf(native)) {
      expect(readFileSync(join(again, name), "utf8")).toBe(readFileSync(join(native, name), "utf8"));
    }
  });

  test("has defined expressions inlined, and loads dynamic imports on demand, but not the HTTP client of Node.js, which is unused", async () => {
    expect(readFileSync(join(dynamic, "index.mjs"), "utf8")).not.toContain("imported on demand");
    const loaded = await runHandler(dynamic);
    expect(loaded).toMatch(/^defined, imported on demand/);
    expect(loaded).not.toContain("undici");
  });

  test("contains the page scripts, and no bundler that would build them", async () => {
    const code = bundled("page-scripts", { withPageScripts: true });
    expect(readdirSync(code)).toEqual(["index.mjs"]);
    expect(readFileSync(join(code, "index.mjs"), "utf8")).not.toContain("esbuild");
    expect(await runHandler(code)).toBe(buildInjectedScripts().core);
  });

  test("is refused for code that opens pages, but has no scripts for them", () => {
    expect(() => bundled("page-scripts", {})).toThrow(
      /page-scripts\.ts opens pages, and is bundled without the scripts/,
    );
  });

  test("contains what draws Markdown, in files of its own, which other captures don't load", async () => {
    const code = bundled("markdown", { withPageScripts: true });
    const filesWith = (text: string) =>
      readdirSync(code).filter((name) => readFileSync(join(code, name), "utf8").includes(text));
    expect(filesWith("url(data:font/woff2")).toEqual([expect.stringMatching(/^draw-formulas-/)]);
    expect(filesWith("__esbuild_esm_mermaid")).toEqual([expect.stringMatching(/^mermaid-script-/)]);
    expect(filesWith("stuck_out_tongue")).toEqual([expect.stringMatching(/^emoji-names-/)]);
    for (const name of ["draw-formulas", "mermaid-script", "emoji-names"]) {
      expect(filesWith(`import("./${name}-`)).toHaveLength(1);
      expect(filesWith(`from"./${name}-`)).toEqual([]);
    }
    const html = await runHandler(code);
    for (const part of ["🎉", 'class="katex"', "url(data:font/woff2"]) expect(html).toContain(part);
  });

  test("is refused when import() loads a CommonJS module, which would lack its named exports", () => {
    expect(() => bundled("dynamic-commonjs", {})).toThrow(
      "  test/infra/bundling/fixtures/dynamic-commonjs.ts imports node_modules/yaml/dist/index.js",
    );
  });

  test("has the named exports of a CommonJS module that is imported statically", async () => {
    expect(await runHandler(bundled("static-commonjs", {}))).toBe("loaded");
  });
});

function bundled(name: string, options: BundleOptions): string {
  const target = mkdtempSync(join(folder, `${name}-`));
  bundle(join(import.meta.dirname, "fixtures", `${name}.ts`), target, options);
  return target;
}

/** The result of its handler, in a separate process with an empty environment. */
async function runHandler(code: string): Promise<string> {
  const script = 'process.stdout.write(await (await import("./index.mjs")).handler());';
  const command = ["--input-type=module", "--eval", script];
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: code, env: {} });
  return stdout;
}

function sizeOf(path: string): number {
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
