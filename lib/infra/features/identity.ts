// What proves and changes who a caller is, and holds secrets: keys, webhook receivers, sessions, sign-in, settings, and what starts an export of
// all data of an account, or its deletion. With this function alone, credentials and secrets can be written.
import { Duration } from "aws-cdk-lib";
import type { Construct } from "constructs";
import type { ServiceData } from "../data/data-stack.ts";
import { AuthenticatedFunction } from "../functions/authenticated-function.ts";
import { setPaymentTerms } from "../functions/billing-terms.ts";
import { grantSendMail } from "../functions/mail.ts";
import type { StageConfig } from "../stages.ts";
import type { FeatureProps } from "./feature-props.ts";

type IdentityData = Pick<ServiceData, "accounts" | "usage" | "activity" | "queues">;

export class IdentityFunction extends AuthenticatedFunction {
  constructor(scope: Construct, id: string, { stage, data }: FeatureProps<keyof IdentityData>) {
    // The deletion of an account revokes its keys first; every route has a deadline of its own.
    super(scope, id, {
      stage,
      file: "identity",
      data,
      timeout: Duration.seconds(30),
      ...(stage.reservedConcurrency && { reservedConcurrentExecutions: stage.reservedConcurrency.identity }),
    });
    grantSendMail(this, stage);
    if (stage.mail) this.setEnvironment("SIGN_UP", stage.signUp);

    setPaymentTerms(this, stage);
    this.grantPlanChanges(data, stage);
    this.grantKeys(data);
    this.grantReceivers(data, stage);
    this.grantSignIn(data);
    this.grantAccountData(data);
    data.activity.grantStoreOperatorEvents(this); // of the settings
  }

  /** The keys, and the account, which is stored together with them. */
  private grantKeys({ accounts, usage, activity }: IdentityData): void {
    accounts.grantManageKeys(this);
    accounts.grantDecryptSecrets(this, "stage");
    usage.grantReadKeyUse(this);
    activity.grantRepeatResponses(this);
  }

  /** Smaller plans and cancellations, which are events for the operator, and signed addresses of the operator's page for payments. */
  private grantPlanChanges({ accounts, usage }: IdentityData, { billing }: StageConfig): void {
    usage.grantReadPeriods(this);
    usage.grantFreezePeriods(this); // before the plan changes
    if (billing?.url === undefined) return;
    this.setEnvironment("BILLING_URL", billing.url);
    accounts.grantReadOperatorSecret(this);
  }

  /** The saved receivers of webhooks with their secrets. What is kept for one that is deleted is sent, and fails. */
  private grantReceivers({ accounts, activity, queues }: IdentityData, stage: StageConfig): void {
    accounts.grantManageReceivers(this);
    activity.grantCountStoredEvents(this);
    queues.grantSendWebhooks(this);
    this.allowOrigins(stage);
  }

  private grantSignIn({ accounts, usage }: IdentityData): void {
    accounts.grantManageSessions(this);
    accounts.grantReadKeys(this);
    accounts.grantRedeemLinks(this);
    accounts.grantRedeemCodes(this);
    accounts.grantReportSignIns(this);
    accounts.grantManageEmails(this);
    usage.grantCountAttempts(this);
  }

  /** Exports and deletions, which another function makes; keys and sessions of an account that is deleted end here. */
  private grantAccountData({ accounts, activity, queues }: IdentityData): void {
    accounts.grantStartDeletions(this);
    activity.grantStartExports(this);
    queues.grantStartAccountTasks(this);
  }
}
