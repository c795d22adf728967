// The roles that functions may assume for customer storage: those of other accounts, apart from administrative ones.
import { expect, test } from "vitest";
import { readable, resources, templatesOf } from "../synthesized.ts";

const { service } = templatesOf("dev");

interface Statement {
  readonly Action: unknown;
  readonly NotResource: unknown;
}

const assuming = resources(service, "AWS::IAM::Policy").flatMap(([id, { Properties }]) =>
  Properties.PolicyDocument.Statement.filter(({ Action }: Statement) => Action === "sts:AssumeRole").map(
    ({ NotResource, ...rest }: Statement) => ({ ...rest, id, exempt: [NotResource].flat().map(readable) }),
  ),
);

test("assume role: only functions that render captures may assume roles", () => {
  expect(assuming.map(({ id, Effect }) => [id, Effect])).toEqual([
    [expect.stringMatching(/^ScreenshotRole/), "Allow"],
    [expect.stringMatching(/^RenderRole/), "Allow"],
  ]);
});

test.each([
  ["of the account of the service none", "<AWS::AccountId>:role/*"],
  ["none by which an organization administers its accounts", "*:role/OrganizationAccountAccessRole"],
  ["none by which AWS Control Tower does", "*:role/AWSControlTowerExecution"],
  ["none by which stacks are made in other accounts", "*:role/AWSCloudFormationStackSetExecutionRole"],
  ["none by which CDK deploys to other accounts", "*:role/cdk-*"],
])("assume role: they may assume %s", (_, role) => {
  for (const { exempt } of assuming) expect(exempt).toContain(`arn:<AWS::Partition>:iam::${role}`);
});

test("assume role: the session name is fixed, so that owners of roles recognize it in CloudTrail", () => {
  for (const { Condition } of assuming) {
    expect(Condition).toEqual({ StringEquals: { "sts:RoleSessionName": "screen-capture" } });
  }
});
