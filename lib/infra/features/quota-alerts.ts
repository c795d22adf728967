// Quota alerts by e-mail: the function that checks quotas and sends what is due.
import type { Construct } from "constructs";
import { grantSendMail } from "../functions/mail.ts";
import { ServiceFunction } from "../functions/service-function.ts";
import type { FeatureProps } from "./feature-props.ts";

/** It exists in a stage that sends mail. */
export class QuotaAlertFunction extends ServiceFunction {
  constructor(scope: Construct, id: string, { stage, data, baseUrl }: FeatureProps<"accounts" | "usage" | "queues">) {
    super(scope, id, { stage, file: "quota-alert" });
    data.queues.feedQuotaAlerts(this);
    data.accounts.grantReadAccounts(this);
    data.usage.grantAlert(this);
    this.setEnvironment("BASE_URL", baseUrl);
    grantSendMail(this, stage);
  }
}
