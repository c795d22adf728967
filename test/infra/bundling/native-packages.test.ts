// Native packages and their dependencies.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { packageClosure } from "../../../lib/infra/bundling/native-packages.ts";
import { temporaryFolder } from "../../tools/local/support.ts";

describe("native packages", () => {
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
