// `npm run smoke`: tries what customers do against the service of this machine, a stage, or any address.
import { parseArgs } from "node:util";
import { updateKeyRing } from "../lib/service/account/account-store.ts";
import { openAccount } from "../lib/service/account/open-account.ts";
import { withRevokedKey } from "../lib/service/keys/key-ring.ts";
import { findBaseUrl, findTables } from "../lib/tools/local/cli/find-service.ts";
import { deployedCaptureLog, type LoggedCapture, localCaptureLog } from "../lib/tools/operate/smoke/capture-log.ts";
import { runSmoke } from "../lib/tools/operate/smoke/run-smoke.ts";

const usage = `Usage:
  npm run smoke                                     the service of npm start (DATA_DIR, default .local)
  npm run smoke -- --stage <name>                   a deployed stage
  npm run smoke -- --base-url <address>             any service, with an API key in SCREEN_CAPTURE_KEY
  --full                                            also what takes minutes or transfers much`;

try {
  const { values } = parseArgs({
    options: { stage: { type: "string" }, "base-url": { type: "string" }, full: { type: "boolean", default: false } },
  });
  await using target = await findTarget(values.stage, values["base-url"]);
  const print = (line: string) => console.log(line);
  const { baseUrl, key, log } = target;
  const failures = await runSmoke({ baseUrl, key, log, isFull: values.full, print });
  process.exitCode = failures === 0 ? 0 : 1;
} catch (error) {
  console.error(`${(error as Error).message}\n\n${usage}`);
  process.exitCode = 1;
}

interface Target extends AsyncDisposable {
  readonly baseUrl: string;
  readonly key: string;
  readonly log?: LoggedCapture;
}

/** Without an address it opens an account for the test, whose key is revoked in the end. */
async function findTarget(stage: string | undefined, address: string | undefined): Promise<Target> {
  if (address !== undefined) {
    const { SCREEN_CAPTURE_KEY: key } = process.env;
    if (!key) throw new Error("With --base-url, the variable SCREEN_CAPTURE_KEY must hold an API key.");
    return { baseUrl: address.replace(/\/$/, ""), key, [Symbol.asyncDispose]: async () => undefined };
  }
  const dataDir = process.env["DATA_DIR"] ?? ".local";
  const location = { stage, dataDir };
  const [baseUrl, { accounts }] = await Promise.all([findBaseUrl(location), findTables(location)]);
  const log = stage === undefined ? localCaptureLog(dataDir) : await deployedCaptureLog(stage);
  const { ring, apiKey, key } = await openAccount(accounts, { plan: "max", label: "Smoke test", now: Date.now() });
  return {
    baseUrl,
    key,
    log,
    async [Symbol.asyncDispose]() {
      await updateKeyRing(accounts, ring.account.id, (current) =>
        withRevokedKey(current, apiKey.id, new Date().toISOString()),
      );
    },
  };
}
