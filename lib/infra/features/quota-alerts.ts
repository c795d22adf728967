// Quota alerts by e-mail: who may queue them, and the function that sends them.
import type { Construct } from "constructs";
import { grantSendMail } from "../functions/mail.ts";
import { ServiceFunction } from "../functions/service-function.ts";
import type { FeatureProps } from "./feature-props.ts";

/** Lets a function that captures see when an alert is due, and queue it, in a stage that sends mail. */
export function grantQuotaAlerts(
  fn: ServiceFunction,
  { stage, data: { usage, queues } }: Pick<FeatureProps<"usage" | "queues">, "stage" | "data">,
): void {
  if (!stage.mail) return;
  usage.grantReadCounts(fn);
  queues.grantSendQuotaAlerts(fn);
}

/** Sends what is due. It exists in a stage that sends mail. */
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
