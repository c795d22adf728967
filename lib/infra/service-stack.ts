// The stateless stack of a stage: the features with their functions, and the API that routes requests to them.
import { CfnOutput, Stack, type StackProps, Tags } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { CaptureApi } from "./api/capture-api.ts";
import type { ServiceData } from "./data/data-stack.ts";
import { AccountDataFunction } from "./features/account-data.ts";
import { ApiFunction } from "./features/api.ts";
import { BillingFunction, BillingRunFunction } from "./features/billing.ts";
import { BudgetGuardFunction } from "./features/budget-guard.ts";
import { CanaryFunction } from "./features/canary.ts";
import { IdentityFunction } from "./features/identity.ts";
import { InvoicePdfFunction } from "./features/invoice-pdf.ts";
import { TryFunction } from "./features/keyless.ts";
import { McpFunction } from "./features/mcp.ts";
import { OperatorFunction } from "./features/operator.ts";
import { QuotaAlertFunction } from "./features/quota-alerts.ts";
import { RendererFunction } from "./features/renderer.ts";
import { DeadLettersFunction, RenderFunction } from "./features/rendering.ts";
import { ScreenshotFunction } from "./features/screenshot.ts";
import { WebFunction } from "./features/web.ts";
import { WebhookFunction } from "./features/webhooks.ts";
import { addBrowserLayers } from "./functions/browser-layers.ts";
import { ServiceFunction } from "./functions/service-function.ts";
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

    if (stage.tenantIsolation && stage.renderer !== "separate")
      throw new Error('The setting "tenantIsolation" needs a renderer of its own. Set renderer: "separate", too.');
    if (stage.tenantPool !== undefined && (!stage.tenantIsolation || !(stage.tenantPool >= 1)))
      throw new Error('The setting "tenantPool" is a number of tenants from 1 on, and needs tenantIsolation: true.');

    const api = new CaptureApi(this, "Api", { stage });
    const layers = addBrowserLayers(this);
    const feature = { stage, data, baseUrl: api.baseUrl };
    const renderer =
      stage.renderer === "separate" ? new RendererFunction(this, "Renderer", { ...feature, layers }) : undefined;
    const rendering = renderer ? { renderer } : { layers };

    const routed = {
      screenshot: new ScreenshotFunction(this, "Screenshot", { ...feature, rendering }),
      "invoice-pdf": new InvoicePdfFunction(this, "InvoicePdf", { ...feature, rendering }),
      api: new ApiFunction(this, "ApiFunction", feature) /* `Api` is API Gateway's */,
      identity: new IdentityFunction(this, "Identity", feature),
      web: new WebFunction(this, "Web", feature),
      mcp: new McpFunction(this, "Mcp", { ...feature, renderer }),
      ...(stage.billing && { billing: new BillingFunction(this, "Billing", feature) }),
      ...(stage.operators && { operator: new OperatorFunction(this, "Operator", feature) }),
      ...(stage.keylessCaptures.perDay > 0 && { try: new TryFunction(this, "Try", { ...feature, layers }) }),
    };
    api.connect(routed);
    api.serveStatus(data.results);
    // These are invoked by queues.
    const render = new RenderFunction(this, "Render", { ...feature, rendering });
    const deadLetters = new DeadLettersFunction(this, "DeadLetters", feature);
    const queued: ServiceFunction[] = [
      render,
      ...(renderer ? [renderer] : []),
      new WebhookFunction(this, "Webhook", feature),
      deadLetters,
      new AccountDataFunction(this, "AccountData", feature),
      new BillingRunFunction(this, "BillingRun", feature),
    ];
    if (stage.mail) queued.push(new QuotaAlertFunction(this, "QuotaAlert", feature));

    const canary = new CanaryFunction(this, "Canary", { ...feature, rendering });

    // The local service has no CloudWatch.
    if (stage.name !== "local") {
      // Deployed stacks have this id: with another one, CloudFormation would replace the function.
      const budgetGuard = new BudgetGuardFunction(this, "Brake", feature);
      const capturing = [routed.screenshot, render, ...(renderer ? [renderer] : [])];
      const [answering, others] = [Object.values(routed), [...queued, canary, budgetGuard]];
      const watched = {
        routed: answering.filter(({ runsChromium }) => !runsChromium),
        background: others.filter(({ runsChromium }) => !runsChromium),
        browsers: [...answering, ...others].filter(({ runsChromium }) => runsChromium),
      };
      const functions = Object.values(watched).flat();
      const { rolloutAlarms } = new Monitoring(this, "Monitoring", {
        stage,
        data,
        api,
        ...watched,
        capturing,
        budgetGuard,
      });
      if (stage.rollout !== "direct") {
        new Rollout(this, "Rollout", { stage, data, mode: stage.rollout, functions, alarms: rolloutAlarms });
      }
    }
    if (routed.operator) {
      deadLetters.grantInvokeBy(routed.operator, "DEAD_LETTERS_FUNCTION");
      routed.operator.grantSearchLogs(this.node.findAll().filter((each) => each instanceof ServiceFunction));
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

/** Executions that hold a function for long, and reserved ones. Requests that only read or write a table take milliseconds each. */
export function concurrentExecutions(stage: StageConfig): number {
  const executions = stage.renderer === "separate" ? 2 : 1; // of a capture: one waits for the renderer
  const captures = stage.browserConcurrency ?? stage.maxConcurrentCaptures;
  const keyless = stage.keylessCaptures.perDay > 0 ? stage.keylessCaptures.atOnce : 0;
  const { web = 0, identity = 0 } = stage.reservedConcurrency ?? {};
  const others = stage.webhookConcurrency + stage.maxWaitingBulks + keyless + web + identity;
  return (captures + stage.jobConcurrency) * executions + others;
}

/** Executions that are reserved for single functions. */
export function reservedExecutions({ browserConcurrency = 0, reservedConcurrency }: StageConfig): number {
  return browserConcurrency + (reservedConcurrency?.web ?? 0) + (reservedConcurrency?.identity ?? 0);
}
