// The settings of a stage that change how it is deployed and reached: rollout, domain, edge, network, traces.
import { Validations } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { AwsSolutionsChecks } from "cdk-nag";
import { describe, expect, test } from "vitest";
import { parseRollout, type StageConfig, stageConfig } from "../../lib/infra/stages.ts";
import { appWith, functionsOf, only, type Resource, readable, resources, templatesOf } from "./synthesized.ts";

const prod = stageConfig("prod");
/** Functions of a gradual rollout. */
const VERSIONED = ["Screenshot", "Render", "Bulk", "Storage", "Webhook", "DeadLetters", "Canary"];
const everything = {
  ...prod,
  tracing: true,
  monthlyBudget: 50,
  mail: { from: "screen-capture@example.com" },
  signUp: "open",
  alarms: { email: "ops@example.com", webhook: "https://example.com/alarms" },
  staticEgress: { natGateways: 2 },
  domain: {
    name: "api.example.com",
    hostedZone: { id: "Z123", name: "example.com" },
    edge: {
      name: "links.example.com",
      certificateArn: "arn:aws:acm:us-east-1:123456789012:certificate/edge",
      cacheSeconds: 300,
    },
  },
} satisfies StageConfig;

test("stage with every setting: cdk-nag and CloudFormation's own rules have no finding", { timeout: 60_000 }, () => {
  const { app } = appWith(everything);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  expect(() => app.synth()).not.toThrow();
});

test("stage with every setting: its stacks fit the 500 resources of CloudFormation", () => {
  const { data, service } = templatesOf(everything);
  for (const template of [data, service]) {
    expect(Object.keys(template.toJSON()["Resources"]).length).toBeLessThan(480);
  }
});

describe("rollout", () => {
  const gradual = templatesOf("prod").service;

  test("direct: routes and queues invoke the functions, which have no versions", () => {
    const { service } = templatesOf("dev");
    for (const type of ["Lambda::Version", "Lambda::Alias", "CodeDeploy::DeploymentGroup"]) {
      expect(resources(service, `AWS::${type}`)).toEqual([]);
    }
  });

  test("gradual: functions that render, deliver and serve results have versions, and CodeDeploy moves their aliases in two steps", () => {
    const count = VERSIONED.length;
    const aliases = Object.entries(
      gradual.toJSON()["Resources"] as Record<string, Resource & { UpdatePolicy?: object }>,
    )
      .filter(([, { Type }]) => Type === "AWS::Lambda::Alias")
      .map(([, alias]) => alias);
    const groups = resources(gradual, "AWS::CodeDeploy::DeploymentGroup");
    expect([aliases.length, groups.length, resources(gradual, "AWS::Lambda::Version").length]).toEqual([
      count,
      count,
      count,
    ]);
    for (const { UpdatePolicy } of aliases) {
      expect(UpdatePolicy).toMatchObject({ CodeDeployLambdaAliasUpdate: { DeploymentGroupName: expect.anything() } });
    }
    for (const [, { Properties }] of groups) {
      expect(Properties.DeploymentConfigName).toBe("CodeDeployDefault.LambdaCanary10Percent15Minutes");
    }
  });

  test("gradual: every alarm stops a deployment and rolls it back", () => {
    const alarms = resources(gradual, "AWS::CloudWatch::Alarm").map(([id]) => ({ Name: { Ref: id } }));
    for (const [, { Properties }] of resources(gradual, "AWS::CodeDeploy::DeploymentGroup")) {
      expect(Properties.AlarmConfiguration).toEqual({ Alarms: alarms, Enabled: true });
      expect(Properties.AutoRollbackConfiguration.Events).toContain("DEPLOYMENT_STOP_ON_ALARM");
    }
  });

  test("gradual: schedules and routes invoke the live versions", () => {
    const uris = resources(gradual, "AWS::ApiGateway::Method").map(([, { Properties }]) => Properties.Integration.Uri);
    const invoked = [
      ...uris,
      ...resources(gradual, "AWS::Events::Rule").map(([, rule]) => rule.Properties.Targets[0].Arn),
    ];
    const named = (pattern: RegExp) => invoked.filter((target) => pattern.test(JSON.stringify(target)));
    expect(named(/"Ref":"(Screenshot|Bulk|Storage|Canary)Live[0-9A-F]{8}"/).length).toBeGreaterThan(4);
    expect(named(/"(Screenshot|Bulk|Storage|Canary)[0-9A-F]{8}"/)).toEqual([]);
  });

  test("gradual: CodeDeploy may move the aliases of these functions only", () => {
    const policy = resources(gradual, "AWS::IAM::Policy").find(([id]) => id.startsWith("Rollout"))?.[1].Properties;
    const [aliases, alarms] = policy.PolicyDocument.Statement;
    expect(aliases.Resource).toHaveLength(2 * VERSIONED.length);
    expect(readable(alarms.Resource)).toMatch(/^arn:<AWS::Partition>:cloudwatch:.+:alarm:\*$/);
  });

  test("all-at-once: versions stay, and nothing waits for alarms", () => {
    const { service } = templatesOf({ ...prod, rollout: "all-at-once" });
    expect(resources(service, "AWS::Lambda::Alias")).toHaveLength(VERSIONED.length);
    expect(resources(service, "AWS::CodeDeploy::DeploymentGroup")).toEqual([]);
  });

  test("an unknown rollout fails with the names of the known ones", () => {
    expect(() => parseRollout("fast")).toThrow('Unknown rollout "fast". Choose one of direct, gradual, all-at-once');
  });
});

describe("custom domain", () => {
  const { service } = templatesOf(everything);
  const variables = (file: string) => functionsOf(service).get(file)?.Properties.Environment.Variables;

  test("has a certificate that is validated in the zone, TLS 1.2, records, and no stage in its paths", () => {
    expect(only(service, "AWS::ApiGateway::DomainName")).toMatchObject({
      DomainName: "api.example.com",
      EndpointConfiguration: { Types: ["REGIONAL"] },
      SecurityPolicy: "TLS_1_2",
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
    expect(linking.toSorted()).toEqual(["bulk", "job", "jobs", "screenshot", "storage", "usage-details", "webhook"]);
  });

  test("without a zone, the outputs name the targets of the records", () => {
    const { hostedZone: _, ...domain } = everything.domain;
    const outputs = templatesOf({ ...everything, domain }).service;
    expect(Object.keys(outputs.findOutputs("*"))).toEqual(expect.arrayContaining(["DomainTarget", "EdgeTarget"]));
    expect(resources(outputs, "AWS::Route53::RecordSet")).toEqual([]);
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
    const webAclArn = "arn:aws:wafv2:us-east-1:123456789012:global/webacl/x/1";
    const { domain } = everything;
    const guarded = templatesOf({ ...everything, domain: { ...domain, edge: { ...domain.edge, webAclArn } } }).service;
    expect(only(guarded, "AWS::CloudFront::Distribution").DistributionConfig.WebACLId).toBe(webAclArn);
  });
});

test("static egress: pages and receivers are reached through addresses that the data stack keeps", () => {
  const { data, service } = templatesOf(everything);
  const placed = [...functionsOf(service)].filter(([, { Properties }]) => Properties.VpcConfig).map(([file]) => file);
  expect(placed.toSorted()).toEqual(["render", "screenshot", "webhook"]);
  expect(resources(data, "AWS::EC2::NatGateway")).toHaveLength(2);
  for (const [, { DeletionPolicy }] of resources(data, "AWS::EC2::EIP")) expect(DeletionPolicy).toBe("Retain");
  expect(resources(data, "AWS::EC2::VPCEndpoint").map(([, { Properties }]) => Properties.VpcEndpointType)).toEqual([
    "Gateway",
    "Gateway",
  ]);
  expect(Object.keys(data.findOutputs("*")).some((name) => name.startsWith("EgressAddresses"))).toBe(true);
});

test("tracing: functions are traced where the stage asks for it, and API Gateway, which would store queries, is not", () => {
  const { service } = templatesOf(everything);
  const modes = [...functionsOf(service).values()].map(({ Properties }) => Properties.TracingConfig?.Mode);
  expect(new Set(modes)).toEqual(new Set(["Active"]));
  expect(only(service, "AWS::ApiGateway::Stage").TracingEnabled).toBe(false);
});

test("API Gateway's log role: one stack sets it for all stages, and keeps it when it is deleted", () => {
  for (const stage of ["dev", "prod"] as const) {
    const { app, service } = appWith(stage);
    const account = app.node.findChild("screen-capture-account") as Parameters<typeof Template.fromStack>[0];
    const template = Template.fromStack(account);
    for (const type of ["AWS::ApiGateway::Account", "AWS::IAM::Role"]) {
      expect(resources(template, type).map(([, { DeletionPolicy }]) => DeletionPolicy)).toEqual(["Retain"]);
    }
    expect(service.dependencies).toContain(account);
  }
});
