// The Ruby client as customers get it: RubyGems installs it from the source of the website.
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { inject } from "vitest";
import { GEMS_PATH, gemName } from "../../../../lib/site/client-packages/client-paths.ts";
import manifest from "../../../../package.json" with { type: "json" };
import { canRun } from "../../../support/runtimes.ts";
import { testClient } from "./test-client.ts";

const tests = join(import.meta.dirname, "../../../../clients/ruby/tests");

testClient({
  language: "Ruby",
  missing: canRun("gem", ["--version"]) ? undefined : "ruby",
  async install(folder) {
    const source = `${inject("service").baseUrl}${GEMS_PATH}/`;
    const gem = ["install", "screen_capture_client", "--clear-sources", "--source", source, "--no-document"];
    const env = { ...process.env, HOME: folder, GEM_HOME: folder, GEM_PATH: folder };
    await promisify(execFile)("gem", gem, { cwd: folder, env });
    for (const name of ["behaviour_driver.rb", "test_client.rb"]) {
      const program = readFileSync(join(tests, name), "utf8");
      writeFileSync(join(folder, name), program.replace("require_relative \"../lib/", "require \""));
    }
    const ruby = ["ruby", "-w", "-I", join(folder, "gems", gemName(manifest.version), "lib")];
    return [...ruby, join(folder, "behaviour_driver.rb")];
  },
  ownTests: (driver) => [...driver.slice(0, -1), "test_client.rb"],
  guide: {
    page: "ruby.md",
    language: "ruby",
    file: "program.rb",
    prints: [
      /^image\/webp no warnings\n$/,
      /^application\/pdf saved\n$/,
      /^must be a whole number/,
      /^http\S+\.pdf\S* \d+\n$/,
      /^http\S+&signature=\w{64}\n$/,
      /^(\d{4}-\d\d-\d\d \d+ \d+\n){3}/,
    ],
  },
});
