// The Ruby client as customers get it: RubyGems installs it from the source of the website. The programs of its guide run as they stand.
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { inject } from "vitest";
import { GEMS_PATH, gemName } from "../../../../lib/site/client-packages/client-paths.ts";
import manifest from "../../../../package.json" with { type: "json" };
import { canRun } from "../../../support/runtimes.ts";
import { testClient } from "./test-client.ts";
import { guideSamples, testGuide } from "./test-guide.ts";

const tests = join(import.meta.dirname, "../../../../clients/ruby/tests");
const missing = canRun("gem", ["--version"]) ? undefined : "ruby";

/** Installs the gem and programs into the folder, and resolves to the command that runs one. */
async function install(folder: string, programs: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const source = `${inject("service").baseUrl}${GEMS_PATH}/`;
  const args = ["install", "screen_capture_client", "--clear-sources", "--source", source, "--no-document"];
  const env = { ...process.env, HOME: folder, GEM_HOME: folder, GEM_PATH: folder };
  await promisify(execFile)("gem", args, { cwd: folder, env });
  for (const [name, code] of Object.entries(programs)) writeFileSync(join(folder, name), code);
  return ["ruby", "-w", "-I", join(folder, "gems", gemName(manifest.version), "lib")];
}

testClient({
  language: "Ruby",
  missing,
  async install(folder) {
    const read = (name: string) =>
      readFileSync(join(tests, name), "utf8").replace('require_relative "../lib/', 'require "');
    const programs = ["behaviour_driver.rb", "test_client.rb"].map((name) => [name, read(name)]);
    const ruby = await install(folder, Object.fromEntries(programs));
    return [...ruby, join(folder, "behaviour_driver.rb")];
  },
  ownTests: (driver) => [...driver.slice(0, -1), "test_client.rb"],
});

testGuide({
  language: "Ruby",
  missing,
  samples: guideSamples("ruby"),
  compile: async (folder, samples) => {
    const ruby = await install(folder, Object.fromEntries(samples.map((code, index) => [`sample${index}.rb`, code])));
    return samples.map((_, index) => [...ruby, `sample${index}.rb`]);
  },
});
