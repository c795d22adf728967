// `POST /api/v1/bulk`: queues many captures and waits for them.
import { Duration } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { BULK_DEADLINE_S } from "../../api/bulk/bulk-options.ts";
import { AuthenticatedFunction } from "../functions/authenticated-function.ts";
import type { FeatureProps } from "./feature-props.ts";

export class BulkFunction extends AuthenticatedFunction {
  constructor(
    scope: Construct,
    id: string,
    { stage, data }: FeatureProps<"accounts" | "usage" | "activity" | "results" | "queues">,
  ) {
    super(scope, id, { stage, file: "bulk", isVersioned: true, data, timeout: Duration.seconds(BULK_DEADLINE_S) });
    this.allowOrigins(stage);
    data.usage.grantReserve(this);
    data.usage.grantHoldSlots(this);
    this.setEnvironment("MAX_WAITING_BULKS", String(stage.maxWaitingBulks));
    data.activity.grantCreateJobs(this);
    data.activity.grantReadJobs(this);
    data.results.grantWriteOptions(this);
    data.queues.grantSendRenders(this);

    // The response: links to results, and what is known of them; repeated for the same `Idempotency-Key`.
    data.accounts.grantReadLinkSecret(this);
    data.results.grantReadFacts(this);
    data.activity.grantRepeatResponses(this);
  }
}
