// `GET /api/v1/usage` and `GET /api/v1/usage/stats`: the log of captures, and their counts.
import { Duration } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { AuthenticatedFunction } from "../functions/authenticated-function.ts";
import type { ServiceFunction } from "../functions/service-function.ts";
import type { StageConfig } from "../stages.ts";
import type { FeatureProps } from "./feature-props.ts";

export class UsageFunction extends AuthenticatedFunction {
  constructor(scope: Construct, id: string, { stage, data }: FeatureProps<"accounts" | "usage" | "activity">) {
    super(scope, id, { stage, file: "usage", data });
    data.usage.grantRead(this);
    data.activity.grantRead(this);
  }
}

/** `GET /api/v1/usage/search` and `GET /api/v1/usage/breakdown`, a function each. */
export class UsageSearchFunction extends AuthenticatedFunction {
  constructor(
    scope: Construct,
    id: string,
    {
      stage,
      data,
      file,
    }: FeatureProps<"accounts" | "usage" | "activity"> & { file: "usage-search" | "usage-breakdown" },
  ) {
    super(scope, id, { stage, file, data });
    grantReadLogs(this, stage, data);
  }
}

/** `GET /api/v1/usage/export`, which streams for as long as the log is. */
export class UsageExportFunction extends AuthenticatedFunction {
  constructor(scope: Construct, id: string, { stage, data }: FeatureProps<"accounts" | "usage" | "activity">) {
    super(scope, id, { stage, file: "usage-export", data, timeout: Duration.minutes(5) });
    grantReadLogs(this, stage, data);
  }
}

/** `GET /api/v1/usage/{id}` */
export class UsageDetailsFunction extends AuthenticatedFunction {
  constructor(scope: Construct, id: string, { stage, data }: FeatureProps<"accounts" | "usage" | "activity">) {
    super(scope, id, { stage, file: "usage-details", data });
    grantReadLogs(this, stage, data);
    data.accounts.grantReadLinkSecret(this);
  }
}

function grantReadLogs(
  fn: ServiceFunction,
  { usageRetentionDays }: StageConfig,
  { activity }: FeatureProps<"activity">["data"],
): void {
  fn.setEnvironment("USAGE_RETENTION_DAYS", String(usageRetentionDays));
  activity.grantRead(fn);
}

export class UsageStatsFunction extends AuthenticatedFunction {
  constructor(scope: Construct, id: string, { stage, data }: FeatureProps<"accounts" | "usage">) {
    super(scope, id, { stage, file: "usage-stats", data });
    data.usage.grantRead(this);
  }
}
