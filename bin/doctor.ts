// `npm run doctor`: checks this machine and its service, or the AWS account and a stage, before and after a deployment.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { withStatusLine } from "../clients/typescript/src/cli/status-line.ts";
import { buildBlockingLayer } from "../layers/blocking/build.ts";
import { buildChromiumLayer } from "../layers/chromium/build.ts";
import { buildFontsLayer } from "../layers/fonts/build.ts";
import {
  findAccountStorage,
  findBaseUrl,
  findJobResources,
  type ServiceLocation,
} from "../lib/tools/local/cli/find-service.ts";
import { LocalServiceError } from "../lib/tools/local/local-service-error.ts";
import { type DoctorCheck, warning } from "../lib/tools/operate/doctor/finding.ts";
import { chromiumCheck, machineChecks, thisMachine } from "../lib/tools/operate/doctor/machine-checks.ts";
import { runDoctor } from "../lib/tools/operate/doctor/run-doctor.ts";
import { servedIdentityCheck, serviceChecks } from "../lib/tools/operate/doctor/service-checks.ts";
import { accountChecks, stageChecks, tableChecks } from "../lib/tools/operate/doctor/stage-checks.ts";

const usage = `Usage:
  npm run doctor                     this machine, and the service of npm start (DATA_DIR, default .local)
  npm run doctor -- --stage <name>   this machine, the AWS account in use, and a stage, deployed or not`;

/** A function of a stage starts within seconds, and one of this machine within its first capture. */
const PATIENCE_MS = { local: 8_000, deployed: 30_000 };

const dataDir = process.env["DATA_DIR"] ?? ".local";
try {
  const { stage } = parseArgs({ options: { stage: { type: "string" } } }).values;
  const failures = await runDoctor(checksOf(stage), (line) => console.log(line));
  process.exit(failures === 0 ? 0 : 1);
} catch (error) {
  console.error(`${(error as Error).message}\n\n${usage}`);
  process.exit(1);
}

async function* checksOf(stage: string | undefined): AsyncGenerator<DoctorCheck> {
  const deploymentChecks =
    stage === undefined
      ? []
      : await withStatusLine("Reading the definition of the stage", () => checksOfDeployment(stage));
  yield* machineChecks(thisMachine(dataDir));
  yield chromiumCheck(captureHere);
  yield* deploymentChecks;
  yield* await withStatusLine("Looking for the service", () => runningChecks({ stage, dataDir }));
}

/** Of the AWS account in use, and of a stage, which is in the definitions of the stacks. Throws for a stage that is in none. */
async function checksOfDeployment(stage: string): Promise<DoctorCheck[]> {
  // These load aws-cdk-lib, which takes seconds that the checks of this machine don't need.
  const [{ concurrentExecutions, reservedExecutions }, { stackNames }, { stageConfig }] = await Promise.all([
    import("../lib/infra/service-stack.ts"),
    import("../lib/infra/stage.ts"),
    import("../lib/infra/stages.ts"),
  ]);
  const config = stageConfig(stage);
  const { tenantIsolation: isolatesTenants, protectsData } = config;
  const ofStage = stageChecks({
    name: config.name,
    isolatesTenants,
    needsOperatorSecret: config.operatorWebhook !== undefined || config.billing !== undefined,
    protectsData,
    isPublic: config.signUp === "open" || config.domain !== undefined,
    identity: config.identity ?? {},
    concurrency: {
      needed: concurrentExecutions(config),
      reserved: reservedExecutions(config),
      expectedQuota: config.concurrencyQuota,
      isRendererSeparate: config.renderer === "separate",
    },
    largestMemoryMb: Math.max(config.browserMemoryMb, config.renderMemoryMb),
    stackNames: stackNames(config),
  });
  return [...accountChecks({ isolatesTenants }), ...ofStage];
}

/** Captures the canary's page with the packed Chromium. The folders of its files come from the environment. */
async function captureHere(): Promise<boolean> {
  const temporary = mkdtempSync(join(tmpdir(), "doctor-"));
  try {
    const layers = {
      CHROMIUM_FILES: join(buildChromiumLayer(), "chromium"),
      FONT_FILES: join(buildFontsLayer(), "fonts"),
      BLOCKING_FILES: join(buildBlockingLayer(), "blocking"),
    };
    Object.assign(process.env, { ...layers, ...process.env, TMPDIR: temporary, LAUNCH_AHEAD: "false" });
    const [{ functionRenderer }, { captureCanary }] = await Promise.all([
      import("../lib/service/rendering/function-renderer.ts"),
      import("../lib/service/health/canary.ts"),
    ]);
    return await captureCanary(await functionRenderer());
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** The checks of a service, or one that says that there is none. */
async function runningChecks(location: ServiceLocation): Promise<readonly DoctorCheck[]> {
  try {
    const { accounts, usage: counters, activity } = await findAccountStorage(location);
    const jobs = await findJobResources(location);
    const tables = { accounts, usage: counters, activity };
    const baseUrl = await findBaseUrl(location);
    const running = serviceChecks({
      baseUrl,
      tables,
      queues: { captures: jobs.RENDER_QUEUE_URL, webhooks: jobs.WEBHOOK_QUEUE_URL },
      deadLetters: { list: jobs.FAILED_RENDER_QUEUE_URL, "webhooks list": jobs.WEBHOOK_DEAD_LETTER_QUEUE_URL },
      listsFix:
        location.stage === undefined
          ? "Install the newest with: npm run lists -- --update"
          : "Run npm update @adguard/dnr-rulesets @duckduckgo/autoconsent, and deploy.",
      patienceMs: location.stage === undefined ? PATIENCE_MS.local : PATIENCE_MS.deployed,
    });
    if (location.stage === undefined) return [...running, servedIdentityCheck(baseUrl)];
    const { stageConfig } = await import("../lib/infra/stages.ts");
    return [...running, ...tableChecks(tables, stageConfig(location.stage))];
  } catch (error) {
    const fix =
      error instanceof LocalServiceError ? "Start it, or deploy it, and run this again." : "See the checks above.";
    const [message = ""] = (error as Error).message.split("\n");
    return [{ name: "service", run: () => warning(`not found: ${message}`, fix) }];
  }
}
