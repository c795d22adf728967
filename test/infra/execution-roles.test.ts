// What Lambda itself does with the role of a function: it writes the log, sends traces, and connects the function to its network. None of
// it is a call of the function's code, so no local run judges it.
import { describe, expect, test } from "vitest";
import { stageConfig } from "../../lib/infra/stages.ts";
import { evaluate } from "../../lib/tools/local/iam/evaluate.ts";
import type { ConditionContext } from "../../lib/tools/local/iam/policy.ts";
import { sample } from "../support/slow-run.ts";
import { dependenciesOf, needsOf } from "./dependencies.ts";
import { everySetting } from "./every-setting.ts";
import { arnOf, policiesOf, roleOf, statementsOf } from "./role-statements.ts";
import { functionsOf, templatesOf } from "./synthesized.ts";

const NETWORK = [
  "ec2:AssignPrivateIpAddresses",
  "ec2:CreateNetworkInterface",
  "ec2:DeleteNetworkInterface",
  "ec2:DescribeNetworkInterfaces",
  "ec2:DescribeSubnets",
  "ec2:UnassignPrivateIpAddresses",
];
const TRACES = ["xray:PutTelemetryRecords", "xray:PutTraceSegments"];
const LOG = ["logs:CreateLogStream", "logs:PutLogEvents"];

/** In requests with the credentials that the function's code has, and in no request of Lambda. */
const OWN_CODE: ConditionContext = { "lambda:SourceFunctionArn": ["arn:aws:lambda:us-east-1:111122223333:function:x"] };

const { staticEgress: _, tracing: __, ...others } = everySetting;
const stages = sample(
  [
    ["with every setting", everySetting],
    [
      "with every setting, and Chromium in each function",
      { ...everySetting, renderer: "embedded", tenantIsolation: false },
    ],
    ["dev", stageConfig("dev")],
    ["prod", stageConfig("prod")],
    ["with static egress alone", { ...others, tracing: false, staticEgress: { natGateways: 1 } }],
    ["with traces alone", { ...others, tracing: true }],
  ] as const,
  2,
);

describe.each(stages)("stage %s", (_, stage) => {
  const { service } = templatesOf(stage);
  const functions = [...functionsOf(service)];

  test.each(functions)(
    "the role of %s has what Lambda needs for it, and its own code can't use the network's part",
    (_, fn) => {
      const { VpcConfig, TracingConfig, LoggingConfig } = fn.Properties;
      const statements = statementsOf(service, roleOf(fn));
      const allowed = (actions: readonly string[], resource: string, context: ConditionContext = {}) =>
        actions.filter(
          (action) => evaluate({ identity: statements, resource: [] }, { action, resource, context }).isAllowed,
        );
      const log = arnOf({ "Fn::GetAtt": [LoggingConfig.LogGroup.Ref, "Arn"] });
      expect(allowed(LOG, log, OWN_CODE)).toEqual(LOG);
      expect(allowed(LOG, arnOf({ "Fn::GetAtt": ["AnotherLog", "Arn"] }))).toEqual([]);
      expect(allowed(NETWORK, "*")).toEqual(VpcConfig ? NETWORK : []);
      expect(allowed(NETWORK, "*", OWN_CODE)).toEqual([]);
      expect(allowed(TRACES, "*")).toEqual(TracingConfig?.Mode === "Active" ? TRACES : []);
    },
  );

  test("a function is created after the policy of its role", () => {
    const needs = dependenciesOf(service);
    for (const [, fn] of functions)
      expect([...needsOf(fn.id, needs)]).toEqual(
        expect.arrayContaining(policiesOf(service, roleOf(fn)).map(([id]) => id)),
      );
  });
});

test("the renderer's role has only its log, its network, and traces, with every setting", () => {
  for (const [, stage] of stages) {
    const { service } = templatesOf(stage);
    const renderer = functionsOf(service).get("renderer");
    if (!renderer) continue;
    const actions = policiesOf(service, roleOf(renderer)).flatMap(([, { Properties }]) =>
      Properties.PolicyDocument.Statement.flatMap(({ Action }: { Action: unknown }) => Action),
    );
    const expected = [
      ...LOG,
      ...(renderer.Properties.VpcConfig ? NETWORK : []),
      ...(renderer.Properties.TracingConfig ? TRACES : []),
    ];
    expect([...new Set(actions)].toSorted()).toEqual(expected.toSorted());
  }
});
