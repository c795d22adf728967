// The PHP client as customers get it: Composer requires it from the repository of the website.
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { inject } from "vitest";
import { COMPOSER_PATH } from "../../../../lib/site/client-packages/client-paths.ts";
import { canRun } from "../../../support/runtimes.ts";
import { testClient } from "./test-client.ts";

const tests = join(import.meta.dirname, "../../../../clients/php/tests");
const hasPhp = canRun("php", ["-r", "curl_version();"]);
const PHP = ["php", "-d", "error_reporting=-1", "-d", "display_errors=stderr"];

testClient({
  language: "PHP",
  missing: !hasPhp ? "php with curl" : canRun("composer", ["--version"]) ? undefined : "composer",
  async install(folder) {
    const repository = { type: "composer", url: `${inject("service").baseUrl}${COMPOSER_PATH}` };
    const project = { repositories: [repository, { "packagist.org": false }], config: { "secure-http": false } };
    writeFileSync(join(folder, "composer.json"), JSON.stringify(project));
    const env = { ...process.env, COMPOSER_HOME: join(folder, "home"), COMPOSER_ALLOW_SUPERUSER: "1" };
    const require = ["require", "--no-interaction", "--no-audit", "screen-capture/client"];
    await promisify(execFile)("composer", require, { cwd: folder, env });
    for (const name of ["behaviour_driver.php", "test_client.php"]) {
      const program = readFileSync(join(tests, name), "utf8");
      writeFileSync(join(folder, name), program.replace("'/autoload.php'", "'/vendor/autoload.php'"));
    }
    return [...PHP, join(folder, "behaviour_driver.php")];
  },
  ownTests: () => [...PHP, "test_client.php"],
  guide: {
    page: "php.md",
    language: "php",
    file: "program.php",
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
