// The whole service on this machine with the fixture site, started once per test run: with Chromium, or with the fake renderer.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { issueOperatorSecret } from "../../lib/service/operator-events/operator-secret.ts";
import { createLinkSecret } from "../../lib/service/results/link-secret.ts";
import { useLocalData } from "../../lib/tools/local/cli/find-service.ts";
import { type Service, startService } from "../../lib/tools/local/service.ts";
import { startSite } from "../fixtures/site.ts";
import { startWebhookReceiver } from "../fixtures/webhook-receiver.ts";
import { recordingVariables } from "./bundled-imports.ts";
import { startCustomerStorage } from "./customer-storage.ts";
import { rememberVariables } from "./environment-variables.ts";
import { localAssembly } from "./local-assembly.ts";
import { startPaymentPage } from "./payment-page.ts";
import { checkUnusedRights } from "./unused-rights.ts";

/** Of a function. More of them would only be cold more often: a sandbox takes a second of processor time until its code is fast. */
const MAX_SANDBOXES = 4;

/** Address of the operator of the running service, to which codes are sent. */
export const OPERATOR = "operator@service.test";

/** Name at which the receiver of webhooks gets the events for the operator. */
export const OPERATOR_EVENTS = "operator-events";

export interface RunningService {
  readonly baseUrl: string;
  readonly accountsTable: string;
  readonly usageTable: string;
  readonly activityTable: string;
  readonly resultsBucket: string;
  readonly dynamodb: string;
  readonly kms: string;
  readonly dataDir: string;
  /** `http://127.0.0.1:<port>` of the fixture site. Captures and webhooks may reach it, the receiver and the storage alone. */
  readonly site: string;
  /** The same of the receiver of webhooks. */
  readonly receiver: string;
  /** The same of a storage that a caller may have captures put into, in the bucket `my-bucket`. */
  readonly ownStorage: string;
  readonly sqs: string;
  /** The mail catcher. */
  readonly mail: string;
  /** Lambda's API, by which functions are invoked without API Gateway. */
  readonly lambda: string;
  /** EventBridge Scheduler's API, where tests list schedules, and move their clock forward. */
  readonly scheduler: string;
  /** Names of functions by their construct ids. */
  readonly functionNames: Readonly<Record<string, string>>;
  /** It signs events for the operator, and reports of payments. */
  readonly operatorSecret: string;
  /** Address of the queue of webhooks. */
  readonly webhookQueue: string;
}

declare module "vitest" {
  export interface ProvidedContext {
    service: RunningService;
  }
}

/** Who runs the service of the tests. */
const IDENTITY = {
  SUPPORT: "support@captures.example",
  TERMS_URL: "https://captures.example/terms",
  PRIVACY_URL: "https://captures.example/privacy",
  IMPRINT_URL: "https://captures.example/imprint",
  SOURCE_URL: "https://code.example/captures",
};

export default function setup(vitest: TestProject): Promise<() => Promise<void>> {
  return runService(vitest, localAssembly);
}

/** Starts the service of a project from the assembly that a function writes. Resolves to what stops it. */
export async function runService(
  vitest: TestProject,
  assembly: (folder: string) => Promise<string>,
): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), "service-test-"));
  const [site, receiver, storage, paymentPage] = await Promise.all([
    startSite(),
    startWebhookReceiver(),
    startCustomerStorage(),
    startPaymentPage(),
  ]);
  const denied = new Set<string>();
  const service = await startService({
    assembly,
    dataDir,
    isolatesTenants: false, // each test has an account, and would wait for a sandbox of its own
    maxSandboxes: MAX_SANDBOXES,
    throttlesStreams: true,
    schedulesSendTwice: true,
    environment: ({ baseUrl }) => ({
      BASE_URL: baseUrl,
      MAX_STREAMED_RESULT_BYTES: "10000000", // as on AWS
      CAPTURE_ALLOW_ORIGINS: `${site.hostPort},${receiver.hostPort},${storage.hostPort}`,
      CAPTURE_ALLOW_ORIGINS_PERMITTED: "true",
      SIGN_UP: "open",
      OPERATOR_ADDRESSES: OPERATOR,
      OPERATOR_WEBHOOK: `${receiver.origin}/to/${OPERATOR_EVENTS}`,
      BILLING_URL: paymentPage.url,
      OVERDUE_AFTER_DAYS: "14",
      ...IDENTITY,
      // Root sees all processes; the tests of another user look for some of them, too.
      ...(process.getuid?.() !== 0 && { PROCESS_ACCESS: "open" }),
      ...(vitest.name === "slow" && recordingVariables(dataDir)), // for dynamic-imports.slow.test.ts
    }),
    onDenied: ({ functionName, action, resource, leadingKeys }) =>
      denied.add([functionName, action, resource, ...leadingKeys].join(" ")),
  });
  const accountsTable = service.outputs["AccountsTable"] ?? "";
  let operatorSecret = "";
  await asOperator(service, async () => {
    await createLinkSecret(accountsTable); // else a test's first account creates it
    const secret = await issueOperatorSecret(accountsTable, { isRotation: false, now: Date.now() });
    operatorSecret = secret ?? "";
  });
  paymentPage.connect({ baseUrl: service.baseUrl, secret: operatorSecret });
  vitest.provide("service", {
    baseUrl: service.baseUrl,
    accountsTable,
    usageTable: service.outputs["UsageTable"] ?? "",
    activityTable: service.outputs["ActivityTable"] ?? "",
    resultsBucket: service.outputs["ResultsBucket"] ?? "",
    dynamodb: service.endpoints.dynamodb,
    kms: service.endpoints.kms,
    dataDir,
    site: site.origin,
    receiver: receiver.origin,
    ownStorage: storage.origin,
    sqs: service.endpoints.sqs,
    mail: service.endpoints.mail,
    lambda: service.endpoints.lambda,
    scheduler: service.endpoints.scheduler,
    functionNames: Object.fromEntries(service.functions.map(({ name, logicalId }) => [logicalId.slice(0, -8), name])),
    operatorSecret,
    webhookQueue: service.resolve("screen-capture-local-data/Queues/Webhook"),
  });
  return async () => {
    await service.close();
    await Promise.all([site.close(), receiver.close(), storage.close(), paymentPage.close()]);
    rmSync(dataDir, { recursive: true, force: true });
    if (denied.size > 0) throw new Error(`Roles lack permissions:\n${[...denied].join("\n")}`);
    await checkUnusedRights(vitest, service.unusedRights());
  };
}

/**
 * Runs an operator's action on a service. The variables that lead this process to it are removed afterwards: worker processes would inherit
 * them, and a test that doesn't say which service it means would use that of another project.
 */
async function asOperator({ endpoints, outputs }: Service, act: () => Promise<unknown>): Promise<void> {
  const restoreVariables = rememberVariables();
  useLocalData({ ...endpoints, secretsKey: outputs["SecretsKey"] });
  await act().finally(restoreVariables);
}
