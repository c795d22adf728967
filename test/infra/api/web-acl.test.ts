// The web ACL: what it refuses, what it only counts, and whom its limits spare.
import { describe, expect, test } from "vitest";
import { plans } from "../../../lib/contract/plans.ts";
import { stageConfig } from "../../../lib/infra/stages.ts";
import { everySetting } from "../every-setting.ts";
import { appWith, only, type Resource, readable, resources, templatesOf } from "../synthesized.ts";

type Rule = Resource["Properties"];

const rulesOf = (stage: Parameters<typeof templatesOf>[0]): Rule[] =>
  only(templatesOf(stage).service, "AWS::WAFv2::WebACL").Rules;
const rules = rulesOf("prod");
const allRules = rulesOf(everySetting);
const named = (some: readonly Rule[], name: string): Rule => some.find(({ Name }) => Name === name);
/** The statements of which a rate rule counts no request that one of them matches. */
const exempt = (rule: Rule): object[] => {
  const inner = rule.Statement.RateBasedStatement.ScopeDownStatement?.NotStatement.Statement;
  return inner === undefined ? [] : (inner.OrStatement?.Statements ?? [inner]);
};
const fields = (rule: Rule) => JSON.stringify(exempt(rule).map((each) => Object.values(each)[0].FieldToMatch ?? each));

test("web ACL: it is on in production only, at the stage of the API", () => {
  const { service } = templatesOf("prod");
  expect(readable(only(service, "AWS::WAFv2::WebACLAssociation").ResourceArn)).toMatch(
    /^arn:<AWS::Partition>:apigateway:<AWS::Region>::\/restapis\/<ApiRest[0-9A-F]{8}>\/stages\/<ApiRestDeploymentStagelive[0-9A-F]{8}>$/,
  );
  for (const stage of ["dev", "local"] as const) {
    expect(resources(templatesOf(stage).service, "AWS::WAFv2::WebACL")).toEqual([]);
  }
});

test("web ACL: addresses of bad reputation and floods are refused; all other requests pass", () => {
  expect(only(templatesOf("prod").service, "AWS::WAFv2::WebACL").DefaultAction).toEqual({ Allow: {} });
  expect(rules.map(({ Name, Action, OverrideAction }) => [Name, Object.keys(Action ?? OverrideAction)])).toEqual([
    ["AWSManagedRulesAmazonIpReputationList", ["None"]],
    ["AddressRate", ["Block"]],
    ["AnonymousAddressRate", ["Block"]],
  ]);
});

test("web ACL: other managed rules count only, because they would refuse large bodies, HTML, and customers at hosting providers", () => {
  const managed = allRules.filter(({ Statement }) => Statement.ManagedRuleGroupStatement);
  expect(managed.map(({ Name, OverrideAction }) => [Name, OverrideAction])).toEqual([
    ["AWSManagedRulesAmazonIpReputationList", { None: {} }],
    ["AWSManagedRulesCommonRuleSet", { Count: {} }],
    ["AWSManagedRulesAnonymousIpList", { Count: {} }],
  ]);
});

test("web ACL: no request is sampled, because samples show query strings with API keys", () => {
  const { VisibilityConfig, Rules } = only(templatesOf(everySetting).service, "AWS::WAFv2::WebACL");
  for (const each of [VisibilityConfig, ...Rules.map((rule: Rule) => rule.VisibilityConfig)]) {
    expect(each.SampledRequestsEnabled).toBe(false);
  }
});

describe("web ACL: the limit of an address", () => {
  const limits = Object.fromEntries(
    rules.flatMap(({ Name, Statement: { RateBasedStatement: rate } }) => (rate ? [[Name, rate.Limit]] : [])),
  );

  test("spares ten customers of the largest plan who poll from one address", () => {
    const largest = Math.max(...Object.values(plans).map(({ requestsPerMinute }) => requestsPerMinute));
    expect(limits["AddressRate"]).toBeGreaterThanOrEqual(10 * largest * 5);
    expect(named(rules, "AddressRate").Statement.RateBasedStatement).toMatchObject({
      AggregateKeyType: "IP",
      EvaluationWindowSec: 300,
    });
  });

  test("is lower for requests without an API key, a signature, and a session", () => {
    expect(limits["AnonymousAddressRate"]).toBeLessThan(limits["AddressRate"] / 4);
    const counted = fields(named(rules, "AnonymousAddressRate"));
    for (const name of ["authorization", "access_key", "signature", "__Host-session"])
      expect(counted).toContain(`"${name}"`);
    expect(fields(named(rules, "AddressRate"))).toBe("[]");
  });

  test("can't be set so low that a plan's captures reach it", () => {
    const low = {
      ...stageConfig("prod"),
      webAcl: { requestsPerAddress: 2_999, anonymousRequestsPerAddress: 100, countedRuleGroups: [] },
    };
    expect(() => appWith(low)).toThrow(
      "one customer of the largest plan can send 3000 requests in 5 minutes from one address",
    );
  });

  test("doesn't hold for CloudFront and trusted proxies, whose address all of their callers share", () => {
    for (const name of ["AddressRate", "AnonymousAddressRate"]) {
      const sets = resources(templatesOf(everySetting).service, "AWS::WAFv2::IPSet").map(
        ([, { Properties }]) => Properties,
      );
      expect(sets.map(({ Addresses }) => Addresses)).toEqual([["203.0.113.7/32"], ["2001:db8::/32"]]);
      const spared = exempt(named(allRules, name));
      expect(spared.filter((each) => "IPSetReferenceStatement" in each)).toHaveLength(2);
      expect(fields(named(allRules, name))).toContain('"x-origin-verify"');
    }
  });

  test("knows CloudFront by the header that it sends, which no caller knows", () => {
    const { service } = templatesOf(everySetting);
    const [origin] = only(service, "AWS::CloudFront::Distribution").DistributionConfig.Origins;
    const [header] = origin.OriginCustomHeaders;
    const spared = exempt(named(allRules, "AddressRate")).find((each) => "ByteMatchStatement" in each) as Rule;
    expect(header).toEqual({ HeaderName: "x-origin-verify", HeaderValue: spared.ByteMatchStatement.SearchString });
    expect(JSON.stringify(header.HeaderValue)).toContain("AWS::StackId");
  });

  test("is answered as any other rate limit: 429 with when to try again, in JSON that pages can read", () => {
    const { ResponseCode, ResponseHeaders, CustomResponseBodyKey } = named(rules, "AddressRate").Action.Block
      .CustomResponse;
    const headers = Object.fromEntries(ResponseHeaders.map(({ Name, Value }: Record<string, string>) => [Name, Value]));
    expect([ResponseCode, headers]).toEqual([
      429,
      expect.objectContaining({
        "Retry-After": "300",
        "Access-Control-Allow-Origin": "*",
        "Cache-Control": "no-store",
      }),
    ]);
    const { ContentType, Content } = only(templatesOf("prod").service, "AWS::WAFv2::WebACL").CustomResponseBodies[
      CustomResponseBodyKey
    ];
    expect([ContentType, JSON.parse(Content)]).toEqual([
      "APPLICATION_JSON",
      { error: expect.stringContaining("Wait"), code: "RATE_LIMITED", request_id: "none", retryable: true },
    ]);
  });
});
