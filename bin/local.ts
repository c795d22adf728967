// `npm start`: runs the whole service on this machine, from the template that is deployed.

import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { errorKinds } from "../lib/contract/errors/error-kinds.ts";
import { formats } from "../lib/contract/options/formats.ts";
import { chromium } from "../lib/engine/browser/chromium-build.ts";
import { parseAllowedOrigins } from "../lib/engine/egress/egress-policy.ts";
import { phases } from "../lib/engine/pipeline/phase-clock.ts";
import { isDirectoryComplete } from "../lib/service/account/directory.ts";
import { indexDirectory } from "../lib/service/account/index-directory.ts";
import { parseTrustedProxies } from "../lib/service/http/caller-address.ts";
import { createOperatorLink } from "../lib/service/operator/operator-link.ts";
import { requireOperatorWebhook } from "../lib/service/operator-events/operator-address.ts";
import { createSignInLink } from "../lib/service/sessions/sign-in-link.ts";
import { completeAssembly, copyIfCached } from "../lib/tools/local/assembly/cached-assembly.ts";
import { synthesizeInStages } from "../lib/tools/local/assembly/staged-synthesis.ts";
import { synthesize } from "../lib/tools/local/assembly/synthesize.ts";
import { type BillingVariables, readBillingSettings } from "../lib/tools/local/cli/billing-settings.ts";
import { consoleLine } from "../lib/tools/local/cli/console-log.ts";
import { demoAccount } from "../lib/tools/local/cli/demo-account.ts";
import { watchSourceFiles } from "../lib/tools/local/cli/file-watcher.ts";
import { useLocalData } from "../lib/tools/local/cli/find-service.ts";
import { readIdentity } from "../lib/tools/local/cli/identity-settings.ts";
import { type LocalMailSettings, readMailSettings } from "../lib/tools/local/cli/mail-settings.ts";
import { Progress } from "../lib/tools/local/cli/progress.ts";
import { parsePublicBaseUrl } from "../lib/tools/local/cli/public-base-url.ts";
import { details, welcome } from "../lib/tools/local/cli/welcome.ts";
import { LocalServiceError } from "../lib/tools/local/local-service-error.ts";
import type { Metrics } from "../lib/tools/local/metrics/metrics.ts";
import { type MetricsSettings, readMetricsSettings } from "../lib/tools/local/metrics/metrics-settings.ts";
import { type Service, startService } from "../lib/tools/local/service.ts";
import { commandActor } from "../lib/tools/operate/actor.ts";
import { currentLists, offerLayerLists, readLists } from "../lib/tools/operate/lists/lists-folder.ts";

const project = resolve(import.meta.dirname, "..");
const { values: flags } = parseArgs({
  options: {
    built: { type: "string" },
    watch: { type: "boolean", default: false },
    verbose: { type: "boolean", default: false },
  },
});
const progress = new Progress(process.stdout);

const context = { stage: "local" };

let service: Service | undefined;
let metrics: Metrics | undefined;
let metricsUrl: string | undefined;
/** Folder of the assembly that runs. A start that synthesizes sets it. */
let assembly = flags.built === undefined ? "" : join(resolve(flags.built), "assembly");
/** Builds what the first start has left out; undefined when all is built. */
let buildRest: (() => Promise<void>) | undefined;
let isEnding = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void end());

try {
  if (flags.watch && flags.built !== undefined)
    throw new LocalServiceError("--watch follows the sources, and --built starts without them. Use one of the two.");
  const settings = readSettings();
  metrics = settings.metrics && (await loadMetrics(settings.metrics));
  service = await startService({
    async assembly(output) {
      metricsUrl = await metrics?.listen(); // before minutes of work, so that a port in use is said at once
      return flags.built === undefined ? prepare(output) : assembly;
    },
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
      ...settings.billing,
      ...(settings.operatorWebhook !== "" && { OPERATOR_WEBHOOK: settings.operatorWebhook }),
      ...settings.identity,
      ...(settings.mail.operator !== undefined && { OPERATOR_MAIL: settings.mail.operator }),
      OPERATOR_PICTURES: settings.operatorPictures,
      ...(settings.mail.codesTo !== undefined && { OPERATOR_ADDRESSES: settings.mail.codesTo }),
    }),
    blockingFiles: (layer) => offerLists(layer, settings.dataDir),
    mail: settings.mail,
    playsRule: ({ logicalId }) => settings.statusChecks === "on" || !logicalId.startsWith("CanarySchedule"),
    onLog: (source, line) => {
      metrics?.count(source, line);
      print(source, line, settings);
    },
  });
  useLocalData({ ...service.endpoints, secretsKey: service.outputs["SecretsKey"] });
  const { baseUrl, outputs } = service;
  const accounts = outputs["AccountsTable"] ?? "";
  const demo = await demoAccount(settings.dataDir, accounts);
  const signInLink = await createSignInLink(accounts, { accountId: demo.accountId, baseUrl, now: Date.now() });
  if (!(await isDirectoryComplete(accounts))) await indexDirectory(accounts, Date.now());
  const operatorLink = await createOperatorLink(accounts, { name: commandActor().operator, baseUrl, now: Date.now() });
  warmFirstUsed(service);
  metrics?.observe({
    service,
    dataDir: settings.dataDir,
    chromiumBranched: chromium.branched,
    filterLists: () => readLists(currentLists(settings.dataDir)),
  });
  const facts = { service, demo, signInLink, operatorLink, metricsUrl, ...settings };
  progress.print(flags.verbose ? `${welcome(facts)}\n${details(facts)}` : welcome(facts));
  if (process.getuid?.() === 0) warnOfRoot();
  if (buildRest) {
    progress.print("The website and other functions are still being built. Requests to them wait.");
    await buildRest();
  }
  if (flags.watch && !isEnding) watchSourceFiles({ project, onChange: reload });
  if (isEnding) await end();
} catch (error) {
  await Promise.all([service?.close(), metrics?.close()]);
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

/** The packages of metrics are loaded only when metrics are on. */
async function loadMetrics(settings: MetricsSettings): Promise<Metrics> {
  const { createMetrics } = await import("../lib/tools/local/metrics/metrics.ts");
  return createMetrics(settings, { formats, codes: Object.keys(errorKinds), phases });
}

/** Offers the filter lists of a layer to the functions, which use an update that is as new. Returns the folder of those in use. */
function offerLists(layer: string, dataDir: string): string {
  const notice = offerLayerLists(dataDir, layer);
  if (notice !== undefined) console.error(notice);
  return currentLists(dataDir);
}

/** On Lambda, Chromium has no sandbox of its own because the function is one; here it has the rights of this process. */
function warnOfRoot(): void {
  console.error(
    "Warning: the service runs as root, and so does Chromium, without a sandbox. A page that breaks out of it has this machine. " +
      "Start the service as a user without privileges before it captures pages that you do not trust.",
  );
}

interface Settings {
  readonly port: number;
  readonly host: string;
  readonly publicBaseUrl: string | undefined;
  readonly dataDir: string;
  readonly isQuiet: boolean;
  readonly allowOrigins: string;
  readonly signUp: "open" | "closed";
  readonly trustedProxies: string;
  readonly keylessCapturesPerDay: string;
  readonly operatorPictures: "shown" | "hidden";
  /** Empty without one. */
  readonly operatorWebhook: string;
  readonly billing: BillingVariables;
  /** Who runs the service: the variables that are set. */
  readonly identity: Readonly<Record<string, string>>;
  readonly statusChecks: "on" | "off";
  /** Undefined without METRICS_PORT. */
  readonly metrics: MetricsSettings | undefined;
  readonly mail: LocalMailSettings;
}

/** Throws `LocalServiceError` for an invalid setting. */
function readSettings(): Settings {
  const { PORT = "3000", HOST = "127.0.0.1", DATA_DIR = ".local" } = process.env;
  const { CAPTURE_ALLOW_ORIGINS = "", PUBLIC_BASE_URL = "", SIGN_UP = "closed", TRUSTED_PROXIES = "" } = process.env;
  const {
    KEYLESS_CAPTURES_PER_DAY = "1000",
    LOG = "requests",
    OPERATOR_PICTURES = "hidden",
    OPERATOR_WEBHOOK = "",
  } = process.env;
  const { STATUS_CHECKS = "on" } = process.env;
  const port = Number(PORT);
  if (!/^\d+$/.test(PORT) || port > 65_535) {
    throw new LocalServiceError(`PORT must be a number from 0 to 65535, not '${PORT}'.`);
  }
  if (LOG !== "requests" && LOG !== "quiet")
    throw new LocalServiceError(`LOG must be requests or quiet, not '${LOG}'.`);
  if (SIGN_UP !== "open" && SIGN_UP !== "closed") {
    throw new LocalServiceError(`SIGN_UP must be open or closed, not '${SIGN_UP}'.`);
  }
  if (OPERATOR_PICTURES !== "shown" && OPERATOR_PICTURES !== "hidden") {
    throw new LocalServiceError(`OPERATOR_PICTURES must be shown or hidden, not '${OPERATOR_PICTURES}'.`);
  }
  if (STATUS_CHECKS !== "on" && STATUS_CHECKS !== "off") {
    throw new LocalServiceError(`STATUS_CHECKS must be on or off, not '${STATUS_CHECKS}'.`);
  }
  if (!/^\d{1,9}$/.test(KEYLESS_CAPTURES_PER_DAY)) {
    throw new LocalServiceError(`KEYLESS_CAPTURES_PER_DAY must be a number, not '${KEYLESS_CAPTURES_PER_DAY}'.`);
  }
  try {
    parseAllowedOrigins(CAPTURE_ALLOW_ORIGINS);
    if (OPERATOR_WEBHOOK !== "") requireOperatorWebhook(OPERATOR_WEBHOOK, [CAPTURE_ALLOW_ORIGINS], "OPERATOR_WEBHOOK");
    parseTrustedProxies(TRUSTED_PROXIES);
  } catch (error) {
    throw new LocalServiceError((error as Error).message);
  }
  const publicBaseUrl = parsePublicBaseUrl(PUBLIC_BASE_URL);
  const mail = readMailSettings(process.env);
  delete process.env["SMTP_URL"]; // the processes of builds inherit the others
  return {
    port,
    host: HOST,
    publicBaseUrl,
    dataDir: resolve(DATA_DIR),
    isQuiet: LOG === "quiet",
    allowOrigins: CAPTURE_ALLOW_ORIGINS,
    signUp: SIGN_UP,
    trustedProxies: TRUSTED_PROXIES,
    keylessCapturesPerDay: KEYLESS_CAPTURES_PER_DAY,
    operatorPictures: OPERATOR_PICTURES,
    operatorWebhook: OPERATOR_WEBHOOK,
    billing: readBillingSettings(process.env),
    identity: readIdentity(process.env),
    statusChecks: STATUS_CHECKS,
    metrics: readMetricsSettings(process.env),
    mail,
  };
}

/** Puts the assembly into `output`. When the sources have changed since the last start, it is built, which takes a while. */
async function prepare(output: string): Promise<string> {
  assembly = output;
  const options = { project, output, context };
  if (await copyIfCached(options)) return output;
  progress.print("Building the service from its sources. The next start uses what is built.");
  const { artifacts, captureArtifacts, CAPTURE_BUNDLES } = await import("../lib/infra/artifacts.ts");
  buildRest = async () => {
    const startedAt = performance.now();
    await completeAssembly({ ...options, isBackground: true }, (each) =>
      synthesizeInStages(each, artifacts, (_title, work) => work()),
    );
    await service?.restart(output);
    if (!service) return;
    warmFirstUsed(service);
    progress.print(`All is built, after another ${Math.round((performance.now() - startedAt) / 1000)} s.`);
  };
  const first = { ...options, context: { ...context, bundles: CAPTURE_BUNDLES } };
  return synthesizeInStages(first, captureArtifacts, (title, work) => progress.run(title, work));
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

/** All lines are in the log files, too. */
function print(source: string, line: string, { isQuiet }: Settings): void {
  const shown = consoleLine(source, line);
  if (shown?.isProblem) console.error(shown.text);
  else if (shown && !isQuiet) console.log(shown.text);
}

/** Stops the service, or a running start at its next step. Ignores a second signal. */
async function end(): Promise<void> {
  if (!isEnding) console.log("\nStopping ...");
  isEnding = true;
  const running = service;
  service = undefined;
  if (!running) return;
  await Promise.all([running.close(), metrics?.close()]);
  process.exit(0);
}
