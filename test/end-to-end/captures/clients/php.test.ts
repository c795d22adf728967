// The PHP client as customers get it: Composer requires it from the repository of the website. The programs of its guide run as they stand.
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { inject } from "vitest";
import { COMPOSER_PATH } from "../../../../lib/site/client-packages/client-paths.ts";
import { canRun } from "../../../support/runtimes.ts";
import { testClient } from "./test-client.ts";
import { guideSamples, testGuide } from "./test-guide.ts";

const tests = join(import.meta.dirname, "../../../../clients/php/tests");
const hasPhp = canRun("php", ["-r", "curl_version();"]);
const missing = !hasPhp ? "php with curl" : canRun("composer", ["--version"]) ? undefined : "composer";
const PHP = ["php", "-d", "error_reporting=-1", "-d", "display_errors=stderr"];

/** Requires the client in a project in the folder, and writes programs next to it. */
async function install(folder: string, programs: Readonly<Record<string, string>>): Promise<void> {
  const repository = { type: "composer", url: `${inject("service").baseUrl}${COMPOSER_PATH}` };
  const project = { repositories: [repository, { "packagist.org": false }], config: { "secure-http": false } };
  writeFileSync(join(folder, "composer.json"), JSON.stringify(project));
  const env = { ...process.env, COMPOSER_HOME: join(folder, "home"), COMPOSER_ALLOW_SUPERUSER: "1" };
  const args = ["require", "--no-interaction", "--no-audit", "screen-capture/client"];
  await promisify(execFile)("composer", args, { cwd: folder, env });
  for (const [name, code] of Object.entries(programs)) writeFileSync(join(folder, name), code);
}

testClient({
  language: "PHP",
  missing,
  async install(folder) {
    const read = (name: string) =>
      readFileSync(join(tests, name), "utf8").replace("'/autoload.php'", "'/vendor/autoload.php'");
    const programs = ["behaviour_driver.php", "test_client.php"].map((name) => [name, read(name)]);
    await install(folder, Object.fromEntries(programs));
    return [...PHP, join(folder, "behaviour_driver.php")];
  },
  ownTests: () => [...PHP, "test_client.php"],
});

testGuide({
  language: "PHP",
  missing,
  samples: guideSamples("php"),
  compile: async (folder, samples) => {
    await install(folder, Object.fromEntries(samples.map((code, index) => [`sample${index}.php`, code])));
    return samples.map((_, index) => [...PHP, `sample${index}.php`]);
  },
});
