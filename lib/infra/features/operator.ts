// What the operator sees and changes at `/operator`, in a stage that has operators.
import { Duration } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import { filterListsLiteral } from "../bundling/filter-lists.ts";
import { setPaymentTerms } from "../functions/billing-terms.ts";
import { grantSendMail } from "../functions/mail.ts";
import { ServiceFunction } from "../functions/service-function.ts";
import type { FeatureProps } from "./feature-props.ts";

/**
 * A function of its own: what is opened to operators is open to no route of customers. Its rights are those of its screens, and of what
 * the operator changes there; `docs/security.md` lists them.
 */
export class OperatorFunction extends ServiceFunction {
  constructor(
    scope: Construct,
    id: string,
    { stage, data }: FeatureProps<"accounts" | "usage" | "activity" | "results" | "queues">,
  ) {
    super(scope, id, {
      stage,
      file: "operator",
      timeout: Duration.seconds(65), // the export of the audit log takes the longest
      bundle: { define: { FILTER_LISTS: filterListsLiteral() } },
    });
    const { addresses = [], showsPictures = false } = stage.operators ?? {};
    this.setEnvironment("OPERATOR_ADDRESSES", addresses.join(","));
    this.setEnvironment("OPERATOR_PICTURES", showsPictures ? "shown" : "hidden");
    grantSendMail(this, stage);
    data.accounts.grantSignOperatorsIn(this);
    data.usage.grantCountOperatorAttempts(this);
    data.activity.grantAudit(this);
    data.activity.grantListOperatorEvents(this);

    // Accounts: the list, and the page of one, with its use, invoices, receivers, and captures.
    data.accounts.grantSearchDirectory(this);
    data.accounts.grantListReceivers(this);
    data.usage.grantShowUse(this);
    this.setCaptureCapacity(stage);
    if (showsPictures) data.results.grantReadThumbnails(this);

    setPaymentTerms(this, stage);
    // What it changes of them.
    data.accounts.grantChangeAccounts(this);
    data.accounts.grantCreateSignInLinks(this);
    data.usage.grantFreezePeriods(this); // before the plan changes
    data.usage.grantSuspend(this);
    data.queues.grantSendWebhooks(this);

    // The running service: what waits and what failed, the last capture of the canary, and the log of a capture by its id.
    this.setEnvironment("RENDERER", stage.renderer);
    this.setEnvironment("USAGE_RETENTION_DAYS", String(stage.usageRetentionDays));
    data.queues.grantCountMessages(this);
    data.activity.grantReadCanary(this);
    data.activity.grantRead(this);
  }

  /** Lets the function search the lines that functions have logged. */
  grantSearchLogs(functions: readonly ServiceFunction[]): void {
    const groups = functions.map(({ logGroup }) => logGroup);
    this.setEnvironment("LOG_GROUPS", groups.map(({ logGroupName }) => logGroupName).join(","));
    this.addToRolePolicy(
      new PolicyStatement({
        actions: ["logs:StartQuery", "logs:GetQueryResults"],
        resources: groups.map(({ logGroupArn }) => logGroupArn),
      }),
    );
  }
}
