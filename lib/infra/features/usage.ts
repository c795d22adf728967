// `GET /api/v1/usage` and `GET /api/v1/usage/stats`: the log of captures, and their counts.
import type { Construct } from "constructs";
import { AuthenticatedFunction } from "../functions/authenticated-function.ts";
import type { FeatureProps } from "./feature-props.ts";

export class UsageFunction extends AuthenticatedFunction {
  constructor(scope: Construct, id: string, { stage, data }: FeatureProps<"accounts" | "usage" | "activity">) {
    super(scope, id, { stage, file: "usage", data });
    data.usage.grantRead(this);
    data.activity.grantRead(this);
  }
}

export class UsageStatsFunction extends AuthenticatedFunction {
  constructor(scope: Construct, id: string, { stage, data }: FeatureProps<"accounts" | "usage">) {
    super(scope, id, { stage, file: "usage-stats", data });
    data.usage.grantRead(this);
  }
}
