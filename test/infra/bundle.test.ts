// The code of a function, as it is deployed.
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { buildInjectedScripts } from "../../lib/engine/page/build-injected-scripts.ts";
import { type BundleOptions, bundle } from "../../lib/infra/bundle.ts";

const folder = mkdtempSync(join(tmpdir(), "bundle-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("a native package is in the folder with what it needs, and nothing that the bundle has anyway", () => {
  const modules = join(bundled("painter", { nativePackages: ["sharp"] }), "node_modules");
  expect(readdirSync(modules).toSorted()).toEqual(["@img", "detect-libc", "semver", "sharp"]);
  expect(readdirSync(join(modules, "@img")).toSorted()).toEqual([
    "colour",
    "sharp-libvips-linux-x64",
    "sharp-linux-x64",
  ]);
  expect(sizeOf(modules)).toBeLessThan(25_000_000);
});

describe("a bundle", () => {
  const painter = bundled("painter", { nativePackages: ["sharp"] });

  test("runs by itself, far from the packages of this checkout", async () => {
    expect(await answerOf(painter)).toBe("ftypavif");
  });

  test("is the same when it is made again", () => {
    const filesOf = (path: string) => readdirSync(path).filter((name) => name !== "node_modules");
    const again = bundled("painter", { nativePackages: ["sharp"] });
    expect(filesOf(again)).toEqual(filesOf(painter));
    for (const name of filesOf(painter)) {
      expect(readFileSync(join(again, name), "utf8")).toBe(readFileSync(join(painter, name), "utf8"));
    }
  });

  test("has what it is told by name, and reads later what is imported later", async () => {
    const teller = bundled("teller", { define: { TOLD: '"told"' } });
    expect(readFileSync(join(teller, "index.mjs"), "utf8")).not.toContain("read later");
    expect(await answerOf(teller)).toMatch(/^told, read later/);
  });

  test("contains the page scripts, and no bundler that would build them", async () => {
    const code = bundled("page-scripts", {});
    expect(readdirSync(code)).toEqual(["index.mjs"]);
    expect(readFileSync(join(code, "index.mjs"), "utf8")).not.toContain("esbuild");
    expect(await answerOf(code)).toBe(buildInjectedScripts().core);
  });

  test("does not load Node's HTTP client that nobody uses", async () => {
    expect(await answerOf(bundled("teller", { define: { TOLD: '"told"' } }))).not.toContain("undici");
  });
});

function bundled(name: string, options: BundleOptions): string {
  const target = mkdtempSync(join(folder, `${name}-`));
  bundle(join(import.meta.dirname, "bundled", `${name}.ts`), target, options);
  return target;
}

/** What its handler answers, in a process of its own that knows nothing of this one. */
async function answerOf(code: string): Promise<string> {
  const script = 'process.stdout.write(await (await import("./index.mjs")).handler());';
  const command = ["--input-type=module", "--eval", script];
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: code, env: {} });
  return stdout;
}

function sizeOf(path: string): number {
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
