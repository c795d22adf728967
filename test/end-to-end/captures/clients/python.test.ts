// The Python client as customers get it: the served wheel, installed by pip.
import { execFile } from "node:child_process";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { inject } from "vitest";
import { WHEEL_PATH } from "../../../../lib/site/client-packages/client-paths.ts";
import { canRun } from "../../../support/runtimes.ts";
import { testClient } from "./test-client.ts";

const tests = join(import.meta.dirname, "../../../../clients/python/tests");
const hasPython = canRun("python3", ["-m", "venv", "--help"]);
const hasPip = hasPython && canRun("python3", ["-m", "pip", "--version"]);
const missing = hasPip ? undefined : hasPython ? "pip" : "python3";
const run = promisify(execFile);

testClient({
  language: "Python",
  missing,
  async install(folder) {
    const python = join(folder, "bin/python");
    await run("python3", ["-m", "venv", "--without-pip", folder]);
    // From the pip of the machine: one of its own would take longer than all else here.
    const pip = ["-m", "pip", "--disable-pip-version-check", "--python", python, "install"];
    await run("python3", [...pip, "--no-index", "--no-compile", `${inject("service").baseUrl}${WHEEL_PATH}`]);
    const driver = join(folder, "driver.py");
    copyFileSync(join(tests, "behaviour_driver.py"), driver);
    return [python, "-W", "error", driver];
  },
  ownTests: ([python = ""]) => [python, "-W", "error", join(tests, "test_client.py")],
});
