// Whose roles captures may be put into storage with: those of other accounts, and none that our own account is full of.
import { expect, test } from "vitest";
import { readable, resources, templatesOf } from "./synthesized.ts";

const { service } = templatesOf("dev");

const assuming = resources(service, "AWS::IAM::Policy").flatMap(([id, { Properties }]) =>
  Properties.PolicyDocument.Statement.filter(({ Action }: { Action: unknown }) => Action === "sts:AssumeRole").map(
    ({ NotResource, ...rest }: { NotResource: unknown }) => ({ ...rest, id, exempt: readable(NotResource) }),
  ),
);

test("only what takes captures may assume roles, and of the account of the service none", () => {
  const exempt = "arn:<AWS::Partition>:iam::<AWS::AccountId>:role/*";
  expect(assuming).toEqual([
    { id: expect.stringMatching(/^ScreenshotRole/), Effect: "Allow", Action: "sts:AssumeRole", exempt },
    { id: expect.stringMatching(/^RenderRole/), Effect: "Allow", Action: "sts:AssumeRole", exempt },
  ]);
});
