// Notices by e-mail: the function that checks quotas, and reports first uses of API keys and requests for another plan.
import type { Construct } from "constructs";
import { setPaymentTerms } from "../functions/billing-terms.ts";
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
    data.usage.grantReportFirstUses(this);
    if (stage.alarms.email !== undefined) this.setEnvironment("OPERATOR_MAIL", stage.alarms.email);
    this.setEnvironment("BASE_URL", baseUrl);
    setPaymentTerms(this, stage);
    grantSendMail(this, stage);
  }
}
