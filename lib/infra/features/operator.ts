// What the operator sees and changes at `/operator`, in a stage that has operators.
import { Duration } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { grantSendMail } from "../functions/mail.ts";
import { ServiceFunction } from "../functions/service-function.ts";
import type { FeatureProps } from "./feature-props.ts";

/**
 * A function of its own: what is opened to operators is open to no route of customers. Its rights are those of its screens, and of what
 * the operator changes there; `docs/security.md` lists them.
 */
export class OperatorFunction extends ServiceFunction {
  constructor(scope: Construct, id: string, { stage, data }: FeatureProps<"accounts" | "usage" | "activity">) {
    super(scope, id, { stage, file: "operator", timeout: Duration.seconds(65) }); // the export of the audit log takes the longest
    const { addresses = [], showsPictures = false } = stage.operators ?? {};
    this.setEnvironment("OPERATOR_ADDRESSES", addresses.join(","));
    this.setEnvironment("OPERATOR_PICTURES", showsPictures ? "shown" : "hidden");
    grantSendMail(this, stage);
    data.accounts.grantSignOperatorsIn(this);
    data.usage.grantCountOperatorAttempts(this);
    data.activity.grantAudit(this);
  }
}
