// Payments, in a stage that records them: the function that the operator's payment provider calls, and the hourly run.
import { Duration } from "aws-cdk-lib";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import type { Construct } from "constructs";
import type { ServiceData } from "../data/data-stack.ts";
import { setPaymentTerms } from "../functions/billing-terms.ts";
import { ServiceFunction } from "../functions/service-function.ts";
import type { FeatureProps } from "./feature-props.ts";

type BillingData = Pick<ServiceData, "accounts" | "usage" | "activity" | "queues">;

/** `POST /billing/events`. It reads the operator's secret, and no other. */
export class BillingFunction extends ServiceFunction {
  constructor(scope: Construct, id: string, { stage, data }: FeatureProps<keyof BillingData>) {
    super(scope, id, { stage, file: "billing" });
    setPaymentTerms(this, stage);
    grantBilling(this, data);
    data.accounts.grantReadOperatorSecret(this);
    data.accounts.grantDecryptSecrets(this, "stage");
    data.activity.grantApplyBillingEvents(this);
  }
}

/** The billing run. It reads no secrets, and deletes nothing. */
export class BillingRunFunction extends ServiceFunction {
  constructor(scope: Construct, id: string, { stage, data }: FeatureProps<keyof BillingData>) {
    super(scope, id, { stage, file: "billing-run", timeout: Duration.minutes(10) });
    setPaymentTerms(this, stage);
    grantBilling(this, data);
    data.accounts.grantListDirectory(this);
    data.usage.grantStoreBillingRuns(this);
    data.activity.grantStoreOperatorEvents(this);
    data.activity.grantFindPendingOperatorEvents(this);
    new Rule(scope, `${id}Schedule`, {
      schedule: Schedule.rate(Duration.hours(1)),
      targets: [new LambdaFunction(this.target, { retryAttempts: 0 })],
    });
  }
}

/** Lets a function change accounts for payments: their plans, their unpaid invoices, and suspensions, each with its entry in the audit log. */
function grantBilling(fn: ServiceFunction, { accounts, usage, activity, queues }: BillingData): void {
  accounts.grantChangeAccounts(fn);
  usage.grantReadPeriods(fn);
  usage.grantFreezePeriods(fn);
  usage.grantSuspend(fn);
  activity.grantAddToAudit(fn);
  queues.grantSendWebhooks(fn);
  queues.grantQueueNotices(fn);
}
