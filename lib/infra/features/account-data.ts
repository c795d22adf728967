// Exports of all data of accounts and of captures, and deletions of accounts, in steps from their queue.
import { Duration } from "aws-cdk-lib";
import { RecursiveLoop } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import { setPaymentTerms } from "../functions/billing-terms.ts";
import { grantSendMail } from "../functions/mail.ts";
import { ServiceFunction } from "../functions/service-function.ts";
import type { FeatureProps } from "./feature-props.ts";

/** It alone can delete what accounts have. It has no versions: no caller waits for its answer, and a step that fails is repeated. */
export class AccountDataFunction extends ServiceFunction {
  constructor(
    scope: Construct,
    id: string,
    { stage, data, baseUrl }: FeatureProps<"accounts" | "usage" | "activity" | "results" | "queues">,
  ) {
    super(scope, id, {
      stage,
      file: "account-data",
      memorySize: 1769, // one processor: a step computes most of its time
      timeout: Duration.seconds(120),
      isVersioned: false,
      recursiveLoop: RecursiveLoop.ALLOW, // Lambda stops a function whose messages have led to its own 16 times; a task has more steps
    });
    const { accounts, usage, activity, results, queues } = data;
    queues.feedAccountTasks(this);
    this.setEnvironment("BASE_URL", baseUrl); // of links in the rows of an export
    this.setEnvironment("USAGE_RETENTION_DAYS", String(stage.usageRetentionDays));
    this.setEnvironment("DELETION_SWEEP_SECONDS", String(stage.deletionSweepSeconds));

    setPaymentTerms(this, stage);
    accounts.grantExport(this);
    usage.grantReadPeriods(this);
    usage.grantFreezePeriods(this); // reading invoices freezes the terms of months that have ended
    activity.grantExport(this);
    results.grantWriteExports(this);

    accounts.grantRemoveAccounts(this);
    usage.grantRemoveAccounts(this);
    activity.grantRemoveAccounts(this);
    results.grantReadFacts(this);
    results.grantDelete(this);
    grantSendMail(this, stage);
  }
}
