// Asynchronous captures: their list, the state of one, its cancellation, and the deletion of its result.
import type { Construct } from "constructs";
import { AuthenticatedFunction } from "../functions/authenticated-function.ts";
import type { FeatureProps } from "./feature-props.ts";

/** `GET /api/v1/jobs` */
export class JobsFunction extends AuthenticatedFunction {
  constructor(
    scope: Construct,
    id: string,
    { stage, data }: FeatureProps<"accounts" | "usage" | "activity" | "results">,
  ) {
    super(scope, id, { stage, file: "jobs", data });
    data.accounts.grantReadLinkSecret(this);
    data.activity.grantListJobs(this);
    data.results.grantReadFacts(this);
  }
}

/** `GET|DELETE /api/v1/screenshot/{id}` */
export class JobFunction extends AuthenticatedFunction {
  constructor(
    scope: Construct,
    id: string,
    { stage, data }: FeatureProps<"accounts" | "usage" | "activity" | "results" | "queues">,
  ) {
    super(scope, id, { stage, file: "job", data });
    data.accounts.grantReadLinkSecret(this);
    data.activity.grantUpdateJobs(this);
    data.activity.grantReleaseResults(this);
    data.results.grantReadFacts(this);
    data.results.grantDelete(this);

    // The cancellation, and its webhook.
    data.usage.grantRelease(this);
    data.queues.grantSendWebhooks(this);
  }
}
