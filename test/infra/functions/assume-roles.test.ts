// Whose roles captures may be put into storage with: those of other accounts, and none that accounts are administered by.
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

test("only what takes captures may assume roles", () => {
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
])("and of them %s", (_, role) => {
  for (const { exempt } of assuming) expect(exempt).toContain(`arn:<AWS::Partition>:iam::${role}`);
});

test("their owners see in their logs who assumed them, whatever has become of a function", () => {
  for (const { Condition } of assuming) {
    expect(Condition).toEqual({ StringEquals: { "sts:RoleSessionName": "screen-capture" } });
  }
});
