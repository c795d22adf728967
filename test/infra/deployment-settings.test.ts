// The settings of a stage that change how it is deployed and reached: rollout, domain, edge, network, traces.
import { isDeepStrictEqual } from "node:util";
import { Template } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import { parseRollout, stageConfig } from "../../lib/infra/stages.ts";
import { versionChecks } from "../../lib/service/health/version-checks.ts";
import { sample, sampled } from "../support/slow-run.ts";
import { dependenciesOf, needsOf } from "./dependencies.ts";
import { everySetting } from "./every-setting.ts";
import { appWith, functionsOf, only, type Resource, readable, resources, templatesOf } from "./synthesized.ts";

interface UpdatedAlias extends Resource {
  readonly UpdatePolicy?: { readonly CodeDeployLambdaAliasUpdate: { readonly BeforeAllowTrafficHook?: unknown } };
}

const prod = stageConfig("prod");
/** The functions of a gradual rollout: all but the budget guard, and the hook that checks the others. */
const VERSIONED = [
  "Screenshot",
  "Renderer",
  "InvoicePdf",
  "ApiFunction",
  "Identity",
  "Web",
  "Mcp",
  "Render",
  "Webhook",
  "DeadLetters",
  "Canary",
];

sampled(test, 3).each(["gradual", "direct", "all-at-once"] as const)(
  "stage with every setting, rollout %s: its stacks leave room below the 500 resources of CloudFormation",
  (rollout) => {
    const { data, service } = templatesOf({ ...everySetting, rollout });
    for (const template of [data, service]) {
      expect(Object.keys(template.toJSON()["Resources"]).length).toBeLessThan(270);
    }
  },
);

test.each([
  ["dev", 170],
  ["prod", 220],
] as const)("stage %s: has at most %i resources", (stage, most) => {
  expect(Object.keys(templatesOf(stage).service.toJSON()["Resources"]).length).toBeLessThanOrEqual(most);
});

describe("rollout", () => {
  const gradual = templatesOf("prod").service;
  const allAtOnce = templatesOf({ ...prod, rollout: "all-at-once" }).service;
  const aliasesOf = (template: Template) => resources(template, "AWS::Lambda::Alias") as [string, UpdatedAlias][];
  const groupsOf = (template: Template) => resources(template, "AWS::CodeDeploy::DeploymentGroup");

  test("direct: routes and queues invoke the functions, which have no versions", () => {
    const { service } = templatesOf("dev");
    for (const type of ["Lambda::Version", "Lambda::Alias", "CodeDeploy::DeploymentGroup", "CodeDeploy::Application"]) {
      expect(resources(service, `AWS::${type}`)).toEqual([]);
    }
  });

  test("gradual: all functions have versions, and CodeDeploy moves their aliases in two steps", () => {
    expect(aliasesOf(gradual)).toHaveLength(VERSIONED.length);
    expect(resources(gradual, "AWS::Lambda::Version")).toHaveLength(VERSIONED.length);
    expect(groupsOf(gradual).map(([, { Properties }]) => Properties.DeploymentGroupName)).toEqual(
      expect.arrayContaining(VERSIONED),
    );
    for (const [, { Properties }] of groupsOf(gradual)) {
      expect(Properties.DeploymentConfigName).toBe("CodeDeployDefault.LambdaCanary10Percent15Minutes");
    }
  });

  test("gradual: what a version can cause stops a deployment and rolls it back, and old dead letters do not", () => {
    for (const [, { Properties }] of groupsOf(gradual)) {
      const { Alarms, Enabled } = Properties.AlarmConfiguration;
      const names = Alarms.map(
        ({ Name }: { Name: { Ref: string } }) => /^Monitoring(.+)[0-9A-F]{8}$/.exec(Name.Ref)?.[1],
      );
      expect([Enabled, names]).toEqual([
        true,
        [
          "capturefaults",
          "canary",
          "servererrors",
          "capturetime",
          "functionerrors",
          "backgrounderrors",
          "browsererrors",
        ],
      ]);
      expect(Properties.AutoRollbackConfiguration.Events).toContain("DEPLOYMENT_STOP_ON_ALARM");
    }
  });

  test("gradual: a hook checks each new version before it gets traffic, and may do nothing else", () => {
    const hook = functionsOf(gradual).get("pre-traffic");
    for (const [, { UpdatePolicy }] of aliasesOf(gradual)) {
      expect(UpdatePolicy?.CodeDeployLambdaAliasUpdate.BeforeAllowTrafficHook).toEqual({ Ref: hook?.id });
    }
    expect(Object.keys(versionChecks).toSorted()).toEqual([...VERSIONED, "QuotaAlert", "Try", "Operator"].toSorted()); // by settings
    expect(Object.keys(JSON.parse(readable(hook?.Properties.Environment.Variables.NEW_VERSIONS))).toSorted()).toEqual(
      VERSIONED.toSorted(),
    );
    const policy = resources(gradual, "AWS::IAM::Policy").find(([id]) => id.startsWith("PreTrafficRole"))?.[1];
    const keys = policy?.Properties.PolicyDocument.Statement.flatMap(
      ({ Condition }: { Condition?: Record<string, Record<string, string>> }) =>
        Condition?.["ForAllValues:StringLike"]?.["dynamodb:LeadingKeys"] ?? [],
    );
    expect(keys.toSorted()).toEqual(["CALLER#internal-*", "JOBS#0"]); // of the service's own account
    const statements = policy?.Properties.PolicyDocument.Statement.filter(
      ({ Action }: { Action: unknown }) => !/logs:|dynamodb:/.test(JSON.stringify(Action)),
    ).map(({ Action, Resource }: { Action: unknown; Resource: unknown[] }) => [Action, Resource.map(readable)]);
    const ids = VERSIONED.map((name) => aliasesOf(gradual).find(([id]) => id.startsWith(`${name}Live`))?.[1]);
    expect(statements).toEqual([
      [
        "lambda:InvokeFunction",
        expect.arrayContaining(ids.map((alias) => `<${alias?.Properties.FunctionName.Ref}.Arn>:*`)),
      ],
      [
        ["codedeploy:GetDeployment", "codedeploy:PutLifecycleEventHookExecutionStatus"],
        expect.arrayContaining(
          VERSIONED.map(
            (name) =>
              `arn:<AWS::Partition>:codedeploy:<AWS::Region>:<AWS::AccountId>:deploymentgroup:screen-capture-prod-service/${name}`,
          ),
        ),
      ],
    ]);
  });

  test("gradual: schedules and routes invoke the live versions", () => {
    const uris = resources(gradual, "AWS::ApiGateway::Method").map(([, { Properties }]) => Properties.Integration.Uri);
    const invoked = [
      ...uris,
      ...resources(gradual, "AWS::Events::Rule").map(([, rule]) => rule.Properties.Targets[0].Arn),
    ];
    const named = (pattern: RegExp) => invoked.filter((target) => pattern.test(JSON.stringify(target)));
    expect(named(/"Ref":"(Screenshot|ApiFunction|Identity|Web|Canary)Live[0-9A-F]{8}"/).length).toBeGreaterThan(15);
    expect(named(/"(Screenshot|ApiFunction|Identity|Web|Canary)[0-9A-F]{8}"/)).toEqual([]);
  });

  test("gradual: CodeDeploy may move the aliases of these functions only", () => {
    const policy = resources(gradual, "AWS::IAM::Policy").find(([id]) => id.startsWith("Rollout"))?.[1].Properties;
    const [aliases, hook, alarms] = policy.PolicyDocument.Statement;
    expect(aliases.Resource).toHaveLength(2 * VERSIONED.length);
    expect(readable(hook.Resource)).toMatch(/^<PreTraffic[0-9A-F]{8}.Arn>$/);
    expect([alarms.Action, alarms.Resource]).toEqual(["cloudwatch:DescribeAlarms", "*"]); // as in AWS's own policy
  });

  test.each([
    ["gradual", gradual],
    ["all-at-once", allAtOnce],
  ])("%s: what a deployment needs is updated before the alias, whose update is the deployment", (_, template) => {
    const needs = dependenciesOf(template);
    const policy = Object.keys(needs).find((id) => id.startsWith("RolloutRoleDefaultPolicy"));
    for (const [alias] of aliasesOf(template)) {
      expect([...needsOf(alias, needs)]).toEqual(
        expect.arrayContaining([policy, expect.stringMatching(/^PreTrafficRoleDefaultPolicy/)]),
      );
    }
    for (const [group] of groupsOf(template)) {
      expect(
        [...needsOf(group, needs)].filter((id) => template.toJSON()["Resources"][id].Type === "AWS::Lambda::Alias"),
      ).toEqual([]);
      expect([...needsOf(group, needs)]).toContain(policy);
    }
  });

  test("all-at-once: nothing waits for alarms or for the hook", () => {
    for (const [, { Properties }] of groupsOf(allAtOnce)) {
      expect(Properties.DeploymentConfigName).toBe("CodeDeployDefault.LambdaAllAtOnce");
      expect(Properties.AlarmConfiguration).toEqual({ Enabled: false }); // without it, CodeDeploy would keep those it has
    }
    for (const [, { UpdatePolicy }] of aliasesOf(allAtOnce)) {
      expect(UpdatePolicy?.CodeDeployLambdaAliasUpdate).not.toHaveProperty("BeforeAllowTrafficHook");
    }
  });

  test("all-at-once: a deployment in between creates and deletes nothing, so that the next gradual one works", () => {
    const ids = (template: Template) => Object.keys(template.toJSON()["Resources"]);
    expect(ids(allAtOnce)).toEqual(ids(gradual));
    const changed = ids(gradual).filter(
      (id) => !isDeepStrictEqual(gradual.toJSON()["Resources"][id], allAtOnce.toJSON()["Resources"][id]),
    );
    expect(changed.toSorted()).toEqual([...aliasesOf(gradual), ...groupsOf(gradual)].map(([id]) => id).toSorted());
  });

  test("an unknown rollout fails with the names of the known ones", () => {
    expect(() => parseRollout("fast")).toThrow('Unknown rollout "fast". Choose one of direct, gradual, all-at-once');
  });
});

describe("custom domain", () => {
  const { service } = templatesOf(everySetting);
  const webAclArn = "arn:aws:wafv2:us-east-1:123456789012:global/webacl/x/1";
  const { hostedZone: _, edge, ...domain } = everySetting.domain;
  /** Of a stage whose domain is in no zone of the account, with a web ACL. */
  const foreign = templatesOf({ ...everySetting, domain: { ...domain, edge: { ...edge, webAclArn } } }).service;
  const variables = (file: string) => functionsOf(service).get(file)?.Properties.Environment.Variables;

  test("has a certificate that is validated in the zone, the TLS policy of the API, records, and no stage in its paths", () => {
    const { SecurityPolicy, EndpointAccessMode } = only(service, "AWS::ApiGateway::RestApi");
    expect(SecurityPolicy).toMatch(/^SecurityPolicy_TLS13_1_2_PFS_PQ_/);
    expect(only(service, "AWS::ApiGateway::DomainName")).toMatchObject({
      DomainName: "api.example.com",
      EndpointConfiguration: { Types: ["REGIONAL"] },
      SecurityPolicy,
      EndpointAccessMode,
    });
    expect(only(service, "AWS::CertificateManager::Certificate")).toMatchObject({
      DomainName: "api.example.com",
      DomainValidationOptions: [{ DomainName: "api.example.com", HostedZoneId: "Z123" }],
      ValidationMethod: "DNS",
    });
    const records = resources(service, "AWS::Route53::RecordSet").map(
      ([, { Properties }]) => `${Properties.Type} ${Properties.Name}`,
    );
    expect(records.toSorted()).toEqual([
      "A api.example.com.",
      "A links.example.com.",
      "AAAA api.example.com.",
      "AAAA links.example.com.",
    ]);
    expect(only(service, "AWS::ApiGateway::BasePathMapping")).not.toHaveProperty("BasePath");
  });

  test("all functions know it as their address, and links to results begin with the edge", () => {
    expect(variables("screenshot")).toMatchObject({
      BASE_URL: "https://api.example.com",
      LINK_BASE_URL: "https://links.example.com",
      EDGE_CACHE_SECONDS: "300",
    });
    const linking = [...functionsOf(service)]
      .filter(([, { Properties }]) => "LINK_BASE_URL" in Properties.Environment.Variables)
      .map(([file]) => file);
    expect(linking.toSorted()).toEqual(["api", "screenshot", "webhook"]);
  });

  test("without a zone, the outputs name the targets of the records", () => {
    expect(Object.keys(foreign.findOutputs("*"))).toEqual(expect.arrayContaining(["DomainTarget", "EdgeTarget"]));
    expect(resources(foreign, "AWS::Route53::RecordSet")).toEqual([]);
  });

  test("the edge passes GET and HEAD without credentials, and keeps what the service allows", () => {
    const { DistributionConfig: config } = only(service, "AWS::CloudFront::Distribution");
    expect(config.CacheBehaviors.map(({ PathPattern }: { PathPattern: string }) => PathPattern)).toEqual([
      "/storage/*",
      "/api/v1/screenshot",
    ]);
    for (const behavior of [config.DefaultCacheBehavior, ...config.CacheBehaviors]) {
      expect(behavior).toMatchObject({
        AllowedMethods: ["GET", "HEAD"],
        Compress: true,
        ViewerProtocolPolicy: "https-only",
      });
      expect(behavior).not.toHaveProperty("OriginRequestPolicyId");
    }
    expect(only(service, "AWS::CloudFront::CachePolicy").CachePolicyConfig).toMatchObject({
      MinTTL: 0,
      DefaultTTL: 0,
      MaxTTL: 300,
      ParametersInCacheKeyAndForwardedToOrigin: {
        CookiesConfig: { CookieBehavior: "none" },
        HeadersConfig: { HeaderBehavior: "none" },
        QueryStringsConfig: { QueryStringBehavior: "all" },
      },
    });
  });

  test("a web ACL of the stage protects the edge", () => {
    expect(only(foreign, "AWS::CloudFront::Distribution").DistributionConfig.WebACLId).toBe(webAclArn);
  });
});

test("static egress: pages and receivers are reached through addresses that the data stack keeps", () => {
  const { data, service } = templatesOf(everySetting);
  const placed = [...functionsOf(service)].filter(([, { Properties }]) => Properties.VpcConfig).map(([file]) => file);
  expect(placed.toSorted()).toEqual(["render", "renderer", "screenshot", "try", "webhook"]);
  expect(resources(data, "AWS::EC2::NatGateway")).toHaveLength(2);
  for (const [, { DeletionPolicy }] of resources(data, "AWS::EC2::EIP"))
    expect(DeletionPolicy).toBe("RetainExceptOnCreate");
  expect(resources(data, "AWS::EC2::VPCEndpoint").map(([, { Properties }]) => Properties.VpcEndpointType)).toEqual([
    "Gateway",
    "Gateway",
  ]);
  expect(Object.keys(data.findOutputs("*")).some((name) => name.startsWith("EgressAddresses"))).toBe(true);
});

test("tracing: functions are traced where the stage asks for it, and API Gateway, which would store queries, is not", () => {
  const { service } = templatesOf(everySetting);
  const modes = [...functionsOf(service).values()].map(({ Properties }) => Properties.TracingConfig?.Mode);
  expect(new Set(modes)).toEqual(new Set(["Active"]));
  expect(only(service, "AWS::ApiGateway::Stage").TracingEnabled).toBe(false);
});

test("API Gateway's log role: one stack sets it for all stages, and keeps it when it is deleted", () => {
  for (const stage of sample(["prod", "dev"] as const, 2)) {
    const { app, service } = appWith(stage);
    const account = app.node.findChild("screen-capture-account") as Parameters<typeof Template.fromStack>[0];
    const template = Template.fromStack(account);
    for (const type of ["AWS::ApiGateway::Account", "AWS::IAM::Role"]) {
      expect(resources(template, type).map(([, { DeletionPolicy }]) => DeletionPolicy)).toEqual([
        "RetainExceptOnCreate",
      ]);
    }
    expect(service.dependencies).toContain(account);
  }
});
