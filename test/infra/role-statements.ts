// The statements of a function's role in a template, as the evaluator of policies reads them: references are names in angle brackets.
import type { Template } from "aws-cdk-lib/assertions";
import { parsePolicy, type Statement } from "../../lib/tools/local/iam/policy.ts";
import { type Resource, readable, resources } from "./synthesized.ts";

/** The logical id of a function's role. */
export function roleOf({ Properties }: Resource): string {
  return Properties.Role["Fn::GetAtt"][0];
}

/** The policies of a role, with their logical ids. */
export function policiesOf(template: Template, role: string): [string, Resource][] {
  return resources(template, "AWS::IAM::Policy").filter(([, { Properties }]) =>
    Properties.Roles.some(({ Ref }: { Ref: string }) => Ref === role),
  );
}

/** The statements of a role. */
export function statementsOf(template: Template, role: string): readonly Statement[] {
  const statements = policiesOf(template, role).flatMap(([, { Properties }]) =>
    Properties.PolicyDocument.Statement.map(
      ({ Resource, NotResource, Condition, ...rest }: Resource["Properties"]) => ({
        ...rest,
        ...(Resource && { Resource: [Resource].flat().map(arnOf) }),
        ...(NotResource && { NotResource: [NotResource].flat().map(arnOf) }),
        ...(Condition && { Condition: readableValues(Condition) }),
      }),
    ),
  );
  return parsePolicy({ Version: "2012-10-17", Statement: statements }, "identity", role);
}

/** An ARN of the template; one that only AWS knows is made of the reference. */
export function arnOf(value: unknown): string {
  const text = readable(value);
  return /^(arn:|\*$)/.test(text) ? text : `arn:aws:reference:::${text}`;
}

function readableValues(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readableValues);
  if (typeof value !== "object" || value === null) return value;
  const [name = ""] = Object.keys(value);
  if (name === "Ref" || name.startsWith("Fn::")) return readable(value);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, readableValues(inner)]));
}
