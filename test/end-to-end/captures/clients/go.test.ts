// The Go client as customers get it: the module that `go get` takes from the website. The programs of its guide run as they stand.
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { inject } from "vitest";
import { GO_MODULE, GO_PROXY_PATH } from "../../../../lib/site/client-packages/client-paths.ts";
import { canRun } from "../../../support/runtimes.ts";
import { testClient } from "./test-client.ts";
import { guideSamples, testGuide } from "./test-guide.ts";

const tests = join(import.meta.dirname, "../../../../clients/go/tests");
const missing = canRun("go", ["version"]) ? undefined : "go";

/** Runs `go` with the module proxy of the website, and without any other. */
async function go(folder: string, ...args: readonly string[]): Promise<void> {
  const settings = {
    GOPROXY: `${inject("service").baseUrl}${GO_PROXY_PATH}`,
    GONOSUMDB: GO_MODULE,
    GOFLAGS: "-modcacherw",
    GOMODCACHE: join(folder, "modules"),
  };
  await promisify(execFile)("go", args, { cwd: folder, env: { ...process.env, ...settings } });
}

/** Makes a module with programs, each one in a folder of its name, and resolves to the folder of what they compile to. */
async function compile(folder: string, sources: Readonly<Record<string, string>>): Promise<string> {
  for (const [name, code] of Object.entries(sources)) {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, "main.go"), code);
  }
  await go(folder, "mod", "init", "example");
  await go(folder, "get", `${GO_MODULE}@latest`);
  await go(folder, "vet", "./...");
  await go(folder, "build", "-o", "bin/", "./...");
  return join(folder, "bin");
}

testClient({
  language: "Go",
  missing,
  async install(folder) {
    cpSync(join(tests, "behaviour_driver"), join(folder, "driver"), { recursive: true });
    return [join(await compile(folder, {}), "driver")];
  },
});

testGuide({
  language: "Go",
  missing,
  samples: guideSamples("go"),
  compile: async (folder, samples) => {
    const programs = await compile(folder, Object.fromEntries(samples.map((code, index) => [`sample${index}`, code])));
    return samples.map((_, index) => [join(programs, `sample${index}`)]);
  },
});
