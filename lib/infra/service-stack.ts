// The stateless half of a stage: the functions, what each of them may do, and the API that leads to them.
import { CfnOutput, Stack, type StackProps } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { BrowserFunction } from "./browser-function.ts";
import { CaptureApi } from "./capture-api.ts";
import { ChromiumLayer } from "./chromium-layer.ts";
import type { DataStack } from "./data-stack.ts";
import { FontsLayer } from "./fonts-layer.ts";
import { ServiceFunction } from "./function.ts";
import type { StageConfig } from "./stages.ts";

export interface ServiceStackProps extends StackProps {
  readonly stage: StageConfig;
  readonly data: Pick<DataStack, "accounts" | "usage" | "activity" | "results">;
}

export class ServiceStack extends Stack {
  constructor(scope: Construct, id: string, { stage, data, ...props }: ServiceStackProps) {
    super(scope, id, props);
    const { accounts, usage, activity, results } = data;
    const api = new CaptureApi(this, "Api", { stage });

    const screenshot = new BrowserFunction(this, "Screenshot", {
      stage,
      file: "screenshot",
      chromium: new ChromiumLayer(this, "Chromium"),
      fonts: new FontsLayer(this, "Fonts"),
    });
    screenshot.provide("BASE_URL", api.baseUrl);
    accounts.grantMakeSecret(screenshot);
    usage.grantRecord(screenshot);
    activity.grantRecord(screenshot);
    results.grantWrite(screenshot);

    const storage = new ServiceFunction(this, "Storage", { stage, file: "storage" });
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

    for (const fn of [screenshot, usageLog, usageStats, account, invoices, keys, key, keyRotation]) {
      accounts.grantLookUp(fn);
      usage.grantCountRequests(fn);
    }

    const openapi = new ServiceFunction(this, "Openapi", { stage, file: "openapi" });
    openapi.provide("BASE_URL", api.baseUrl);

    const health = new ServiceFunction(this, "Health", { stage, file: "health" });
    const unmatched = new ServiceFunction(this, "Unmatched", { stage, file: "unmatched" });

    api.connect({
      screenshot,
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
