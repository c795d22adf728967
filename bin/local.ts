// `npm start`: runs the whole service on this machine, from the template that is deployed.

import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { parseAllowedOrigins } from "../lib/engine/egress/egress-policy.ts";
import { parseTrustedProxies } from "../lib/service/http/caller-address.ts";
import { createSignInLink } from "../lib/service/sessions/sign-in-link.ts";
import { synthesizeWithCache } from "../lib/tools/local/assembly/cached-assembly.ts";
import { synthesize } from "../lib/tools/local/assembly/synthesize.ts";
import { type DemoAccount, demoAccount } from "../lib/tools/local/cli/demo-account.ts";
import { watchSourceFiles } from "../lib/tools/local/cli/file-watcher.ts";
import { useLocalData } from "../lib/tools/local/cli/find-service.ts";
import { parsePublicBaseUrl } from "../lib/tools/local/cli/public-base-url.ts";
import { LocalServiceError } from "../lib/tools/local/local-service-error.ts";
import { type Service, startService } from "../lib/tools/local/service.ts";

const project = resolve(import.meta.dirname, "..");
const { values: flags } = parseArgs({ options: { watch: { type: "boolean", default: false } } });

const context = { stage: "local" };

let service: Service | undefined;
let assembly = "";
let isEnding = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void end());

try {
  const settings = readSettings();
  step("Starting the engines and the API");
  service = await startService({
    assembly: prepare,
    dataDir: settings.dataDir,
    host: settings.host,
    port: settings.port,
    publicBaseUrl: settings.publicBaseUrl,
    environment: ({ baseUrl }) => ({
      BASE_URL: baseUrl,
      CAPTURE_ALLOW_ORIGINS: settings.allowOrigins,
      CAPTURE_ALLOW_ORIGINS_PERMITTED: "true", // on this machine the user decides
      SIGN_UP: settings.signUp,
      TRUSTED_PROXIES: settings.trustedProxies,
      KEYLESS_CAPTURES_PER_DAY: settings.keylessCapturesPerDay,
    }),
    onLog: showProblems,
  });
  useLocalData({ ...service.endpoints, secretsKey: service.outputs["SecretsKey"] });
  const { baseUrl, outputs } = service;
  const accounts = outputs["AccountsTable"] ?? "";
  const demo = await demoAccount(settings.dataDir, accounts);
  const signInLink = await createSignInLink(accounts, { accountId: demo.accountId, baseUrl, now: Date.now() });
  warmFirstUsed(service);
  printWelcome(service, { ...demo, signInLink }, settings);
  if (process.getuid?.() === 0) warnOfRoot();
  if (flags.watch) watchSourceFiles({ project, onChange: reload });
  if (isEnding) await end();
} catch (error) {
  await service?.close();
  if (isEnding) process.exit(0); // Ctrl-C also reached the child process that was synthesizing
  if (!(error instanceof LocalServiceError)) throw error;
  console.error(`\n${error.message}`);
  process.exit(1);
}

/**
 * Starts a sandbox of the functions that are requested first: the one that renders has Chromium to unpack. All others start in
 * 0.2 s when they are used, and 30 of them would keep 8 s of a processor busy.
 */
function warmFirstUsed({ warm, functions }: Service): void {
  // CDK adds eight hexadecimal digits to the name of a construct.
  const firstUsed = functions.filter(({ logicalId }) => /^(Screenshot|Renderer|Web)[0-9A-F]{8}$/.test(logicalId));
  warm(firstUsed.map(({ name }) => name));
}

/** On Lambda, Chromium has no sandbox of its own because the function is one; here it has the rights of this process. */
function warnOfRoot(): void {
  console.error(
    "Warning: the service runs as root, and so does Chromium, without a sandbox. A page that breaks out of it has this machine. " +
      "Start the service as a user without privileges before it captures pages of strangers.",
  );
}

interface Settings {
  readonly port: number;
  readonly host: string;
  readonly publicBaseUrl: string | undefined;
  readonly dataDir: string;
  readonly allowOrigins: string;
  readonly signUp: "open" | "closed";
  readonly trustedProxies: string;
  readonly keylessCapturesPerDay: string;
}

/** Throws `LocalServiceError` for an invalid setting. */
function readSettings(): Settings {
  const { PORT = "3000", HOST = "127.0.0.1", DATA_DIR = ".local" } = process.env;
  const { CAPTURE_ALLOW_ORIGINS = "", PUBLIC_BASE_URL = "", SIGN_UP = "closed", TRUSTED_PROXIES = "" } = process.env;
  const { KEYLESS_CAPTURES_PER_DAY = "1000" } = process.env;
  const port = Number(PORT);
  if (!/^\d+$/.test(PORT) || port > 65_535) {
    throw new LocalServiceError(`PORT must be a number from 0 to 65535, not '${PORT}'.`);
  }
  if (SIGN_UP !== "open" && SIGN_UP !== "closed") {
    throw new LocalServiceError(`SIGN_UP must be open or closed, not '${SIGN_UP}'.`);
  }
  if (!/^\d{1,9}$/.test(KEYLESS_CAPTURES_PER_DAY)) {
    throw new LocalServiceError(`KEYLESS_CAPTURES_PER_DAY must be a number, not '${KEYLESS_CAPTURES_PER_DAY}'.`);
  }
  try {
    parseAllowedOrigins(CAPTURE_ALLOW_ORIGINS);
    parseTrustedProxies(TRUSTED_PROXIES);
  } catch (error) {
    throw new LocalServiceError((error as Error).message);
  }
  const publicBaseUrl = parsePublicBaseUrl(PUBLIC_BASE_URL);
  return {
    port,
    host: HOST,
    publicBaseUrl,
    dataDir: resolve(DATA_DIR),
    allowOrigins: CAPTURE_ALLOW_ORIGINS,
    signUp: SIGN_UP,
    trustedProxies: TRUSTED_PROXIES,
    keylessCapturesPerDay: KEYLESS_CAPTURES_PER_DAY,
  };
}

/** The first start also repacks Chromium, which takes some seconds. */
async function prepare(output: string): Promise<string> {
  step("Preparing Chromium and the service's definition");
  assembly = output;
  return synthesizeWithCache({ project, output, context });
}

async function reload(files: readonly string[]): Promise<void> {
  console.log(`Changed: ${files.join(", ")}`);
  try {
    const changed = await service?.restart(await synthesize({ project, output: assembly, context }));
    console.log(changed?.length ? `Restarted: ${changed.join(", ")}` : "No function changed.");
  } catch (error) {
    console.error((error as Error).message);
  }
}

function printWelcome(
  { baseUrl, endpoints, unsupported }: Service,
  demo: DemoAccount & { readonly signInLink: string },
  { dataDir }: Settings,
): void {
  const { accountId, key, keyId, signingSecret, signInLink } = demo;
  const example = `${baseUrl}/api/v1/screenshot?markdown=%23+Hello+from+your+own+capture+API&viewport_height=400`;
  console.log(`
Open ${baseUrl}/ for the documentation and the playground.

Base URL: ${baseUrl}
MCP server for agents: ${baseUrl}/mcp
API key: ${key}
Key id: ${keyId}
Signing secret: ${signingSecret}

Sign in to the dashboard within 15 minutes: ${signInLink}
For another link: npm run accounts -- sign-in --account ${accountId}
E-mail is caught at ${endpoints.mail}/

Try it:
curl --fail-with-body -H "Authorization: Bearer ${key}" "${example}" -o capture.png

Instead of markdown=… send url=https://… for a page. Addresses on this machine need CAPTURE_ALLOW_ORIGINS.
Data and logs are in ${dataDir}.${unsupported ? `\nIgnored resources of the template: ${unsupported}.` : ""}
Nothing watches this service, as alarms watch a deployed one: npm run doctor and npm run smoke check it.
Press Ctrl-C to stop.
`);
}

/** Prints errors only, and what a role does not allow. All lines are in the log files. */
function showProblems(source: string, line: string): void {
  if (source === "iam" || /"level":"ERROR"|timed out after|Runtime\.ExitError/.test(line))
    console.error(`[${source}] ${line}`);
}

function step(what: string): void {
  console.log(`${what} ...`);
}

/** Stops the service, or a running start at its next step. Ignores a second signal. */
async function end(): Promise<void> {
  if (!isEnding) console.log("\nStopping ...");
  isEnding = true;
  const running = service;
  service = undefined;
  if (!running) return;
  await running.close();
  process.exit(0);
}
