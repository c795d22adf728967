// The stateless half of a stage: the functions, what each of them may do, and the API that leads to them.
import { CfnOutput, Duration, Stack, type StackProps } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { builtLists } from "../../layers/blocking/build.ts";
import { BULK_TIMEOUT_S } from "../api/bulk/bulk-options.ts";
import { ATTEMPT_TIMEOUT_MS } from "../webhooks/webhook.ts";
import { grantAssumeRoles } from "./assume-roles.ts";
import { BlockingLayer } from "./blocking-layer.ts";
import { BrowserFunction } from "./browser-function.ts";
import { CaptureApi } from "./capture-api.ts";
import { ChromiumLayer } from "./chromium-layer.ts";
import type { DataStack } from "./data-stack.ts";
import { FontsLayer } from "./fonts-layer.ts";
import { ServiceFunction } from "./function.ts";
import type { StageConfig } from "./stages.ts";

export interface ServiceStackProps extends StackProps {
  readonly stage: StageConfig;
  readonly data: Pick<DataStack, "accounts" | "usage" | "activity" | "results" | "queues">;
}

export class ServiceStack extends Stack {
  constructor(scope: Construct, id: string, { stage, data, ...props }: ServiceStackProps) {
    // Made anew, it has another address, and links that were given out lead nowhere.
    super(scope, id, { terminationProtection: stage.protectsData, ...props });
    const { accounts, usage, activity, results, queues } = data;
    const api = new CaptureApi(this, "Api", { stage });

    const browser = {
      stage,
      chromium: new ChromiumLayer(this, "Chromium"),
      fonts: new FontsLayer(this, "Fonts"),
      blocking: new BlockingLayer(this, "Blocking"),
    };
    const screenshot = new BrowserFunction(this, "Screenshot", { ...browser, file: "screenshot" });
    activity.grantMakeJobs(screenshot);
    queues.grantSendRenders(screenshot);

    const render = new BrowserFunction(this, "Render", {
      ...browser,
      file: "render",
      memorySize: stage.renderMemoryMb,
      // What is set aside is for callers who wait for an answer; the queue has a bound of its own.
      reservedConcurrentExecutions: undefined,
    });
    queues.feedRenders(render);

    const webhook = new ServiceFunction(this, "Webhook", {
      stage,
      file: "webhook",
      timeout: Duration.millis(ATTEMPT_TIMEOUT_MS),
    });
    webhook.provideAllowedOrigins(stage);
    accounts.grantReadKeys(webhook);
    results.grantReadFacts(webhook);
    queues.feedWebhooks(webhook);
    usage.grantSeeSlots(webhook);

    accounts.grantLookUpLinks(screenshot);
    results.grantLeaveOptions(screenshot);
    results.grantTakeOptions(render);
    activity.grantCountReferences(render);
    usage.grantReserve(screenshot);
    for (const fn of [screenshot, render]) {
      results.grantStore(fn);
      results.grantRead(fn);
      activity.grantCache(fn);
    }
    for (const fn of [screenshot, render, webhook]) {
      usage.grantRecord(fn);
      usage.grantHoldSlots(fn);
      activity.grantRecord(fn);
    }
    for (const fn of [screenshot, render]) grantAssumeRoles(fn);

    const job = new ServiceFunction(this, "Job", { stage, file: "job" });
    results.grantReadFacts(job);
    results.grantDelete(job);
    activity.grantReleaseResults(job);

    const bulk = new ServiceFunction(this, "Bulk", { stage, file: "bulk", timeout: Duration.seconds(BULK_TIMEOUT_S) });
    bulk.provideAllowedOrigins(stage);
    usage.grantReserve(bulk);
    usage.grantHoldSlots(bulk);
    activity.grantMakeJobs(bulk);
    activity.grantSeeJobs(bulk);
    results.grantLeaveOptions(bulk);
    results.grantReadFacts(bulk);
    queues.grantSendRenders(bulk);

    const redelivery = new ServiceFunction(this, "Redelivery", { stage, file: "redelivery" });
    redelivery.provide("BASE_URL", api.baseUrl);

    for (const fn of [render, webhook, job, redelivery]) activity.grantChangeJobs(fn);
    for (const fn of [render, redelivery]) queues.grantSendWebhooks(fn);
    for (const fn of [screenshot, webhook, job, bulk]) {
      fn.provide("BASE_URL", api.baseUrl);
      accounts.grantReadSecret(fn);
    }

    // A client with 1 Mbit/s takes 48 s to read the largest result that is not redirected.
    const storage = new ServiceFunction(this, "Storage", { stage, file: "storage", timeout: Duration.seconds(120) });
    storage.provide("MAX_STREAMED_RESULT_BYTES", String(stage.maxStreamedResultBytes));
    accounts.grantReadSecret(storage);
    results.grantRead(storage);

    const usageLog = new ServiceFunction(this, "Usage", { stage, file: "usage" });
    usageLog.provide("BASE_URL", api.baseUrl);
    usage.grantRead(usageLog);
    activity.grantRead(usageLog);

    const usageStats = new ServiceFunction(this, "UsageStats", { stage, file: "usage-stats" });
    usage.grantRead(usageStats);

    const account = new ServiceFunction(this, "Account", { stage, file: "account" });
    usage.grantReadCounts(account);

    const invoices = new ServiceFunction(this, "Invoices", { stage, file: "invoices" });
    usage.grantReadPeriods(invoices);
    usage.grantFreezePeriods(invoices);

    const keys = new ServiceFunction(this, "Keys", { stage, file: "keys" });
    const key = new ServiceFunction(this, "Key", { stage, file: "key" });
    const keyRotation = new ServiceFunction(this, "KeyRotation", { stage, file: "key-rotation" });
    for (const fn of [keys, key, keyRotation]) {
      accounts.grantManageKeys(fn);
      usage.grantReadRequests(fn);
    }

    // What a POST makes is made once for each `Idempotency-Key`. Captures are answers that can be too large for a table.
    for (const fn of [screenshot, bulk, redelivery, keys, keyRotation]) activity.grantRepeatAnswers(fn);
    results.grantRepeatAnswers(screenshot);

    const forCallers = [
      screenshot,
      job,
      bulk,
      redelivery,
      usageLog,
      usageStats,
      account,
      invoices,
      keys,
      key,
      keyRotation,
    ];
    for (const fn of forCallers) {
      accounts.grantLookUp(fn);
      usage.grantCountRequests(fn);
    }

    const openapi = new ServiceFunction(this, "Openapi", { stage, file: "openapi" });
    openapi.provide("BASE_URL", api.baseUrl);

    const health = new ServiceFunction(this, "Health", {
      stage,
      file: "health",
      // Written into the code: it has no layer, and the environment of a function holds no more than 4 KB.
      bundle: { define: { FILTER_LISTS: JSON.stringify(builtLists()) } },
    });
    const unmatched = new ServiceFunction(this, "Unmatched", { stage, file: "unmatched" });

    api.connect({
      screenshot,
      job,
      bulk,
      redelivery,
      storage,
      usage: usageLog,
      "usage-stats": usageStats,
      account,
      invoices,
      keys,
      key,
      "key-rotation": keyRotation,
      openapi,
      health,
      unmatched,
    });

    new CfnOutput(this, "BaseUrl", { value: api.baseUrl });
  }
}
