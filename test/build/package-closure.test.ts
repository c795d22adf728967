// Packages and their dependencies.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { packageClosure } from "../../lib/build/package-closure.ts";
import { temporaryFolder } from "../tools/local/support.ts";

describe("package closure", () => {
  test("the closure has all transitive dependencies, and the optional ones for Lambda only", async () => {
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

  test("a version that npm installed below its dependent is a part of that one, and its own dependencies are found", async () => {
    const modules = await installed({
      server: { dependencies: { parser: "1" } },
      "server/node_modules/parser": { dependencies: { words: "1" } },
      parser: { dependencies: { unrelated: "1" } },
      unrelated: {},
      words: {},
    });
    expect(packageClosure(["server"], modules)).toEqual(["server", "words"]);
  });

  test("the error names a dependency that is not installed", async () => {
    const modules = await installed({
      image: { optionalDependencies: { mac: "1", linux: "1" } },
      mac: { os: ["darwin"] },
      text: { dependencies: { gone: "1" } },
    });
    expect(() => packageClosure(["image"], modules)).toThrow("lacks the optional dependency of image for Linux");
    expect(() => packageClosure(["text"], modules)).toThrow("lacks gone. Run npm ci");
  });
});

async function installed(packages: Readonly<Record<string, object>>): Promise<string> {
  const modules = await temporaryFolder();
  for (const [name, manifest] of Object.entries(packages)) {
    mkdirSync(join(modules, name), { recursive: true });
    writeFileSync(join(modules, name, "package.json"), JSON.stringify(manifest));
  }
  return modules;
}
