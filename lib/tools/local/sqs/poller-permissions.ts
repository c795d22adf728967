// The permissions of Lambda's poller, which receives messages with the role of the function that it invokes.
// https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html

import type { Permissions } from "../iam/permissions.ts";
import { accessRequest } from "../iam/requests/aws-call.ts";
import { LocalServiceError } from "../local-service-error.ts";
import type { EventSource } from "./event-source-definition.ts";

const POLLER_ACTIONS = ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"];

/** Throws `LocalServiceError` where a role lacks one: CloudFormation would not create the mapping. */
export function requirePollerPermissions(sources: readonly EventSource[], permissions: Permissions): void {
  for (const { functionName, queueArn } of sources) {
    for (const action of POLLER_ACTIONS) {
      // Unlike those of the function's code, the requests of the poller do not name the function.
      if (permissions.decide(functionName, accessRequest(action, queueArn)).isAllowed) continue;
      throw new LocalServiceError(
        `The role of ${functionName} does not allow ${action} on ${queueArn}, which Lambda needs to invoke it with messages.`,
      );
    }
  }
}
