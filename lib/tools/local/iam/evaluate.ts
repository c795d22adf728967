// IAM's evaluation of one request of a role, with the policies of the role and of the resource, which are in one account.
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html
import { type ConditionContext, holds, type Statement } from "./policy.ts";

/** An action on one resource, as IAM is asked for it. */
export interface AccessRequest {
  /** Such as `dynamodb:GetItem`. */
  readonly action: string;
  /** ARN. */
  readonly resource: string;
  readonly context: ConditionContext;
}

export interface Policies {
  readonly identity: readonly Statement[];
  readonly resource: readonly Statement[];
}

/** Allowed by statements of the role, or refused with AWS's words for the reason. */
export type Decision =
  | { readonly isAllowed: true; readonly by: readonly Statement[] }
  | { readonly isAllowed: false; readonly reason: string };

/** A statement that denies wins; otherwise one that allows must be in either policy. */
export function evaluate({ identity, resource }: Policies, request: AccessRequest): Decision {
  for (const [kind, statements] of [["identity", identity] as const, ["resource", resource] as const]) {
    if (statements.some((each) => each.effect === "Deny" && applies(each, request))) {
      const article = kind === "identity" ? "an" : "a";
      return { isAllowed: false, reason: `with an explicit deny in ${article} ${kind}-based policy` };
    }
  }
  const allows = (each: Statement) => each.effect === "Allow" && applies(each, request);
  const by = identity.filter(allows);
  if (by.length > 0 || resource.some(allows)) return { isAllowed: true, by };
  return { isAllowed: false, reason: `because no identity-based policy allows the ${request.action} action` };
}

/** Whether a statement is about the request. */
function applies({ actions, resources, excludesResources, conditions }: Statement, request: AccessRequest): boolean {
  return (
    actions.some((pattern) => pattern.matches(request.action)) &&
    resources.some((pattern) => pattern.matches(request.resource)) !== excludesResources &&
    conditions.every((condition) => holds(condition, request.context))
  );
}
