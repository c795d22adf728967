// `/session`, `/sessions` and `/sign-in`: signing in and out, and the sessions of an account.
import type { Construct } from "constructs";
import { AuthenticatedFunction } from "../functions/authenticated-function.ts";
import type { FeatureProps } from "./feature-props.ts";

export class SessionFunction extends AuthenticatedFunction {
  constructor(scope: Construct, id: string, { stage, data }: FeatureProps<"accounts" | "usage">) {
    super(scope, id, { stage, file: "session", data });
    data.accounts.grantManageSessions(this);
    data.accounts.grantReadKeys(this); // the account is in the partition of its keys
    data.accounts.grantManageKeys(this); // stores the caller of the sessions of an account that has none yet
    data.usage.grantCountAttempts(this);
  }
}
