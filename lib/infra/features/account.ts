// `GET /api/v1/account` and `GET /api/v1/account/invoices`: the plan, its quota and the past billing periods.
import type { Construct } from "constructs";
import { AuthenticatedFunction } from "../functions/authenticated-function.ts";
import type { FeatureProps } from "./feature-props.ts";

export class AccountFunction extends AuthenticatedFunction {
  constructor(scope: Construct, id: string, { stage, data }: FeatureProps<"accounts" | "usage">) {
    super(scope, id, { stage, file: "account", data });
    data.usage.grantReadCounts(this);
  }
}

export class InvoicesFunction extends AuthenticatedFunction {
  constructor(scope: Construct, id: string, { stage, data }: FeatureProps<"accounts" | "usage">) {
    super(scope, id, { stage, file: "invoices", data });
    data.usage.grantReadPeriods(this);
    data.usage.grantFreezePeriods(this);
  }
}
