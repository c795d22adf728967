// Security invariants of every stage.
import { mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App, CfnResource, Stack, Validations } from "aws-cdk-lib";
import type { Template } from "aws-cdk-lib/assertions";
import { Bucket } from "aws-cdk-lib/aws-s3";
import { AwsSolutionsChecks } from "cdk-nag";
import type { IConstruct } from "constructs";
import { describe, expect, test } from "vitest";
import cdkJson from "../../cdk.json" with { type: "json" };
import { type StageConfig, stageConfig, stageNames } from "../../lib/infra/stages.ts";
import { slowTest } from "../support/slow-run.ts";
import { everySetting } from "./every-setting.ts";
import { rules } from "./rules.ts";
import { appWith, functionsOf, type Resource, resources, templatesOf } from "./synthesized.ts";

/** Statements that need every resource, as `role's policy: action`, each with its reason. */
const EVERY_RESOURCE_ALLOWED = {
  all: [
    // The accounts of customers' roles are not known in advance. Roles of the service's own account are excluded.
    "RenderRoleDefaultPolicy: sts:AssumeRole",
    "ScreenshotRoleDefaultPolicy: sts:AssumeRole",
  ],
  // CodeDeploy reads alarms, as by AWS's own policy for it.
  gradual: ["RolloutRoleDefaultPolicy: cloudwatch:DescribeAlarms"],
};

/** The functions that run Chromium, by where the stage has it. Captures of visitors run in a function that reaches no account. */
const BROWSER_FUNCTIONS = {
  embedded: ["screenshot", "invoice-pdf", "try", "render", "canary"],
  separate: ["renderer", "try"],
};

describe.each(stageNames)("stage %s", (stage) => {
  const { data, service } = templatesOf(stage);
  const both = [data, service];
  const functions = functionsOf(service);

  const all = () => structuredClone({ ...data.toJSON()["Resources"], ...service.toJSON()["Resources"] });

  test.each(rules)("$rule", ({ offenders }) => {
    expect(offenders(all())).toEqual([]);
  });

  test("no role has a statement about every resource", () => {
    const found = both.flatMap(policyStatements).filter(({ resource }) => resource.includes("*"));
    const { all: ofAll, gradual } = EVERY_RESOURCE_ALLOWED;
    const allowed = [...ofAll, ...(stageConfig(stage).rollout === "gradual" ? gradual : [])];
    expect(found.map(({ id, action }) => `${id.slice(0, -8)}: ${action}`).toSorted()).toEqual(allowed.toSorted());
  });

  test("no role has a wildcard action", () => {
    const found = both.flatMap(policyStatements).filter(({ action }) => action.includes("*"));
    expect(found).toEqual([]);
  });

  test("no bucket is public", () => {
    for (const [, bucket] of both.flatMap((template) => resources(template, "AWS::S3::Bucket"))) {
      expect(bucket.Properties.PublicAccessBlockConfiguration).toEqual({
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      });
    }
  });

  test("only browser functions have layers", () => {
    const carriers = [...functions].filter(([, fn]) => fn.Properties.Layers !== undefined);
    expect(carriers.map(([file]) => file)).toEqual(
      BROWSER_FUNCTIONS[stageConfig(stage).renderer].filter((file) => functions.has(file)),
    );
  });

  test("the deployed functions are the files of functions/", () => {
    const all = readdirSync(join(import.meta.dirname, "../../functions")).map((file) => file.replace(/\.ts$/, ""));
    // The local stage has no CloudWatch, and it alone sends mail, to its catcher, captures for visitors, has operators, and records payments. Only `prod` is rolled out gradually.
    const absent = {
      local: ["budget-guard", "pre-traffic"],
      dev: ["quota-alert", "pre-traffic", "try", "renderer", "operator", "billing"],
      prod: ["quota-alert", "try", "operator", "billing"],
    }[stage];
    const files = all.filter((file) => !absent.includes(file));
    expect([...functions.keys()].toSorted()).toEqual(files.toSorted());
  });

  test("each function has a role of its own", () => {
    const roles = [...functions.values()].map((fn) => fn.Properties.Role["Fn::GetAtt"][0]);
    expect(new Set(roles).size).toBe(functions.size);
  });

  test("each function has its own JSON log, and Node.js 24", () => {
    const logs = [...functions.values()].map(({ Properties: { LoggingConfig, Runtime } }) => {
      expect({ format: LoggingConfig.LogFormat, runtime: Runtime }).toEqual({ format: "JSON", runtime: "nodejs24.x" });
      return LoggingConfig.LogGroup.Ref;
    });
    expect(new Set(logs).size).toBe(functions.size);
  });

  test("no log is kept forever", () => {
    const retentions = resources(service, "AWS::Logs::LogGroup").map(([, log]) => log.Properties.RetentionInDays);
    expect(retentions).toEqual(retentions.map(() => expect.any(Number)));
    expect(retentions).toHaveLength(functions.size + 1);
  });

  test("no function is traced, because traces store URLs with their query strings", () => {
    expect([...functions.values()].filter((fn) => fn.Properties.TracingConfig)).toEqual([]);
  });

  test("cdk-nag has no unacknowledged finding, and every acknowledgement matches one of its findings", () => {
    const { app } = appWith(stage);
    expect(findingsIn(app)).toEqual([]);
    expect(acknowledged(app).toSorted()).toEqual(findingsIn(app, { isAcknowledged: () => false }).toSorted());
  });
});

/** The first has most of what the others have. */
const synthesized: readonly (readonly [name: string, stage: StageConfig])[] = [
  ["with every setting", everySetting],
  ...stageNames.map((stage) => [stage, stageConfig(stage)] as const),
  [
    "with addresses and a base URL of its own",
    {
      ...stageConfig("local"),
      allowOrigins: ["127.0.0.1:80", "[::1]:81"],
      baseUrl: "https://api.example.com",
    },
  ],
  ["whose budget pauses no trials", { ...stageConfig("prod"), monthlyBudget: 50, pausesTrialsAboveBudget: false }],
  ["with a pool of tenants", { ...stageConfig("prod"), tenantPool: 50 }],
];

slowTest.each(synthesized)(
  "stage %s: cdk-nag and CloudFormation's own rules let it be synthesized",
  { timeout: 0 }, // it is synchronous, so that a timeout would not end it, but repeat it
  (_, stage) => {
    const { app } = appWith(stage, { isValidated: true });
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    expect(() => app.synth()).not.toThrow();
  },
);

describe("each rule finds its violations", () => {
  const { data, service } = templatesOf("dev");
  const all = () => structuredClone({ ...data.toJSON()["Resources"], ...service.toJSON()["Resources"] });

  test.each(
    rules.flatMap(({ violations, ...rule }) =>
      Object.entries(violations).map(([violation, violate]) => ({ ...rule, violation, violate })),
    ),
  )("$violation: $rule", ({ offenders, violate }) => {
    const resources = all();
    violate(resources);
    expect(offenders(resources)).not.toEqual([]);
  });
});

slowTest("cdk-nag finds a bucket without TLS, and does not let the app be synthesized", () => {
  const { app, data } = appWith("dev");
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  new Bucket(data, "Violation");
  expect(findingsIn(app)).toContain("AwsSolutions-S10");
  expect(() => app.synth()).toThrow("The S3 Bucket or bucket policy does not require requests to use SSL");
});

test("CloudFormation's own rules find a wrong type, with the feature flags of cdk.json", () => {
  const app = new App({ outdir: mkdtempSync(join(tmpdir(), "violation-")), context: cdkJson.context });
  const wrong = { type: "AWS::Logs::LogGroup", properties: { RetentionInDays: "a week" } };
  new CfnResource(new Stack(app, "Stack"), "Violation", wrong);
  expect(() => app.synth()).toThrow("'a week' is not of type 'integer'");
});

/** The rules of cdk-nag that an app violates. */
function findingsIn(app: App, overrides: { readonly isAcknowledged?: () => boolean } = {}): string[] {
  const checks = new AwsSolutionsChecks(app);
  Object.assign(checks, overrides);
  return checks.validateScope(app).violations.map(({ ruleName }) => ruleName);
}

function policyStatements(template: Template): { id: string; action: string; resource: unknown[] }[] {
  const inline = resources(template, "AWS::IAM::Role").flatMap(([id, role]) =>
    (role.Properties.Policies ?? []).map((policy: { PolicyDocument: unknown }) => [id, policy.PolicyDocument]),
  );
  const attached = ["AWS::IAM::Policy", "AWS::IAM::ManagedPolicy"].flatMap((type) =>
    resources(template, type).map(([id, policy]): [string, Resource["Properties"]] => [
      id,
      policy.Properties.PolicyDocument,
    ]),
  );
  return [...inline, ...attached].flatMap(([id, document]) =>
    document.Statement.flatMap((statement: Resource["Properties"]) =>
      [statement.Action].flat().map((action: string) => ({ id, action, resource: affected(statement) })),
    ),
  );
}

/** `NotResource` counts as every resource. */
function affected({ Resource: resource, NotResource: others }: Resource["Properties"]): unknown[] {
  return others === undefined ? [resource].flat() : ["*"];
}

function acknowledged(root: IConstruct): string[] {
  const ids = root.node
    .findAll()
    .flatMap(({ node }) => node.metadata)
    .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
    .flatMap(({ data }) => Object.keys(data))
    .map((id) => id.replace(/^Annotation::/, ""));
  return [...new Set(ids)];
}
