// The stateless stack of a stage: the features with their functions, and the API that routes requests to them.
import { CfnOutput, Stack, type StackProps, Tags } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { CaptureApi } from "./api/capture-api.ts";
import type { ServiceData } from "./data/data-stack.ts";
import { AccountFunction, AccountSettingsFunction, InvoicePdfFunction, InvoicesFunction } from "./features/account.ts";
import { BrakeFunction } from "./features/brake.ts";
import { BulkFunction } from "./features/bulk.ts";
import { CanaryFunction } from "./features/canary.ts";
import { JobFunction, JobsFunction } from "./features/jobs.ts";
import { KeyFunction, KeyRotationFunction, KeysFunction } from "./features/keys.ts";
import { McpFunction } from "./features/mcp.ts";
import { HealthFunction, OpenapiFunction, UnmatchedFunction } from "./features/public-routes.ts";
import { QuotaAlertFunction } from "./features/quota-alerts.ts";
import { DeadLettersFunction, RenderFunction } from "./features/rendering.ts";
import { StorageFunction } from "./features/results.ts";
import { ScreenshotFunction } from "./features/screenshot.ts";
import { AccountDataFunction, SessionFunction, SignInFunction } from "./features/sessions.ts";
import {
  UsageDetailsFunction,
  UsageExportFunction,
  UsageFunction,
  UsageSearchFunction,
  UsageStatsFunction,
} from "./features/usage.ts";
import { WebFunction } from "./features/web.ts";
import { RedeliveryFunction, WebhookFunction, WebhookTestFunction } from "./features/webhooks.ts";
import { addBrowserLayers } from "./functions/browser-layers.ts";
import { Monitoring } from "./monitoring/monitoring.ts";
import { Rollout } from "./monitoring/rollout.ts";
import type { StageConfig } from "./stages.ts";

export interface ServiceStackProps extends StackProps {
  readonly stage: StageConfig;
  readonly data: ServiceData;
}

/** Each feature is a construct that grants its own function; the stack only connects them. */
export class ServiceStack extends Stack {
  constructor(scope: Construct, id: string, { stage, data, ...props }: ServiceStackProps) {
    // Not protected from termination: it holds no data, and a protected stack whose creation failed can't be deployed again.
    super(scope, id, props);

    const api = new CaptureApi(this, "Api", { stage });
    const layers = addBrowserLayers(this);
    const feature = { stage, data, baseUrl: api.baseUrl };

    const routed = {
      screenshot: new ScreenshotFunction(this, "Screenshot", { ...feature, layers }),
      job: new JobFunction(this, "Job", feature),
      jobs: new JobsFunction(this, "Jobs", feature),
      bulk: new BulkFunction(this, "Bulk", feature),
      redelivery: new RedeliveryFunction(this, "Redelivery", feature),
      storage: new StorageFunction(this, "Storage", feature),
      usage: new UsageFunction(this, "Usage", feature),
      "usage-search": new UsageSearchFunction(this, "UsageSearch", { ...feature, file: "usage-search" }),
      "usage-breakdown": new UsageSearchFunction(this, "UsageBreakdown", { ...feature, file: "usage-breakdown" }),
      "usage-export": new UsageExportFunction(this, "UsageExport", feature),
      "usage-details": new UsageDetailsFunction(this, "UsageDetails", feature),
      "usage-stats": new UsageStatsFunction(this, "UsageStats", feature),
      account: new AccountFunction(this, "Account", feature),
      "account-settings": new AccountSettingsFunction(this, "AccountSettings", feature),
      "invoice-pdf": new InvoicePdfFunction(this, "InvoicePdf", { ...feature, layers }),
      invoices: new InvoicesFunction(this, "Invoices", feature),
      keys: new KeysFunction(this, "Keys", feature),
      key: new KeyFunction(this, "Key", feature),
      "key-rotation": new KeyRotationFunction(this, "KeyRotation", feature),
      session: new SessionFunction(this, "Session", feature),
      "sign-in": new SignInFunction(this, "SignIn", feature),
      "account-data": new AccountDataFunction(this, "AccountData", feature),
      "webhook-test": new WebhookTestFunction(this, "WebhookTest", feature),
      openapi: new OpenapiFunction(this, "Openapi", feature),
      health: new HealthFunction(this, "Health", feature),
      web: new WebFunction(this, "Web", feature),
      mcp: new McpFunction(this, "Mcp", feature),
      unmatched: new UnmatchedFunction(this, "Unmatched", feature),
    };
    api.connect(routed);
    // These are invoked by queues.
    const render = new RenderFunction(this, "Render", { ...feature, layers });
    const deadLetters = new DeadLettersFunction(this, "DeadLetters", feature);
    const webhook = new WebhookFunction(this, "Webhook", feature);

    if (stage.mail) new QuotaAlertFunction(this, "QuotaAlert", feature);

    // The local service has neither CloudWatch nor schedules.
    if (stage.name !== "local") {
      const canary = new CanaryFunction(this, "Canary", { ...feature, layers });
      const brake = new BrakeFunction(this, "Brake", feature);
      const capturing = [routed.screenshot, render];
      const functions = [...capturing, routed.bulk, routed.storage, webhook, deadLetters, canary, brake];
      const { rolloutAlarms } = new Monitoring(this, "Monitoring", { stage, data, api, functions, capturing, brake });
      if (stage.rollout !== "direct") {
        new Rollout(this, "Rollout", { stage, mode: stage.rollout, functions, alarms: rolloutAlarms });
      }
    }
    Tags.of(this).add("stage", stage.name);

    new CfnOutput(this, "BaseUrl", { value: api.baseUrl });
    new CfnOutput(this, "ConcurrentExecutions", {
      value: String(concurrentExecutions(stage)),
      description:
        "Concurrent executions of Lambda that this stage uses under full load. Compare with the account's quota.",
    });
  }
}

/** Executions that hold a function for long. Requests that only read or write a table take milliseconds each. */
export function concurrentExecutions({ browserConcurrency, maxConcurrentCaptures, ...stage }: StageConfig): number {
  const captures = browserConcurrency ?? maxConcurrentCaptures;
  return captures + stage.jobConcurrency + stage.webhookConcurrency + stage.maxWaitingBulks;
}
