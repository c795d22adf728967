// The Python client as customers get it: the served wheel, installed by pip, passes its own tests against the running service.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, inject, test } from "vitest";
import { WHEEL_PATH } from "../../../lib/site/client-packages/client-paths.ts";
import { openClient } from "../../support/client.ts";
import { canRun, skipWithout } from "../../support/runtimes.ts";
import { sampled } from "../../support/slow-run.ts";

const { baseUrl, site, receiver } = inject("service");
const tests = join(import.meta.dirname, "../../../clients/python/tests");
const hasPython = canRun("python3", ["-m", "venv", "--help"]);
const hasPip = hasPython && canRun("python3", ["-m", "pip", "--version"]);
const run = promisify(execFile);

let folder: string;
let python: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "python-client-test-"));
  python = join(folder, "bin/python");
  if (!hasPip) return;
  await run("python3", ["-m", "venv", "--without-pip", folder]);
  // From the pip of the machine: one of its own would take longer than all else here.
  const pip = ["-m", "pip", "--disable-pip-version-check", "--python", python, "install", "--no-index", "--no-compile"];
  await run("python3", [...pip, `${baseUrl}${WHEEL_PATH}`]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

sampled(test.concurrent, 2).for(["test_client.py", "test_service.py"])(
  "Python client: the wheel that pip installs from the website passes %s",
  async (file, context) => {
    const { expect } = context;
    skipWithout(hasPip, context, "the Python client", hasPython ? "pip" : "python3");
    const { key, keyId, signingSecret } = await openClient();
    const env = {
      SCREEN_CAPTURE_URL: baseUrl,
      SCREEN_CAPTURE_KEY: key,
      KEY_ID: String(keyId),
      SIGNING_SECRET: signingSecret,
      SITE: site,
      RECEIVER: receiver,
    };
    const { stderr } = await run(python, ["-W", "error", join(tests, file)], { env, cwd: folder });
    expect(stderr).toMatch(/^OK/m);
  },
);
