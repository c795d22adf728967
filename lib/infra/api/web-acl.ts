// The web ACL of the API: AWS WAF refuses floods from one address, and addresses of bad reputation, before they reach API Gateway.
import { Aws, Fn } from "aws-cdk-lib";
import type { Stage } from "aws-cdk-lib/aws-apigateway";
import { Metric, Stats } from "aws-cdk-lib/aws-cloudwatch";
import { CfnIPSet, CfnWebACL, CfnWebACLAssociation } from "aws-cdk-lib/aws-wafv2";
import { Construct } from "constructs";
import { plans } from "../../contract/plans.ts";
import { parseTrustedProxies } from "../../service/http/caller-address.ts";
import type { StageConfig, WebAclConfig } from "../stages.ts";
import { errorTemplate, sentence } from "./gateway-responses.ts";

/** Seconds over which AWS WAF counts the requests of an address. */
const WINDOW_S = 300;

/** Requests of a client for one asynchronous capture: the capture, two polls of its state, and its result. */
const REQUESTS_PER_CAPTURE = 4;

/** Rules of Amazon that refuse addresses which its threat intelligence knows as malicious; those of DDoS bots are counted. */
const IP_REPUTATION = "AWSManagedRulesAmazonIpReputationList";

/** The names of the two rate rules, by which CloudWatch counts what they refuse. */
const ADDRESS_RATE = "AddressRate";
const ANONYMOUS_RATE = "AnonymousAddressRate";

/** The cookie of a session, at an https address and at another. */
const SESSION_COOKIES = ["__Host-session", "session"];

/** A header of CloudFront's requests to the API, which callers don't know. */
const EDGE_HEADER = "x-origin-verify";

/**
 * The header by which the API knows requests of its own CloudFront distribution: the UUID of the stack. It is no secret that opens
 * anything: with it, a caller escapes the rate rules only.
 */
export function edgeHeaders(): Record<string, string> {
  return { [EDGE_HEADER]: stackUuid() };
}

const stackUuid = () => Fn.select(2, Fn.split("/", Aws.STACK_ID));

export interface WebAclProps {
  readonly stage: StageConfig;
  readonly config: WebAclConfig;
  /** The deployed stage of the API. */
  readonly apiStage: Stage;
}

/**
 * Two rate rules, by address: a high limit for all requests, since a paying customer can send many from one address, and a lower one
 * for requests without credentials. Whether credentials are right, only the functions know; a flood with wrong ones meets the high
 * limit. Requests of CloudFront and of trusted proxies carry the address of these, and are exempt.
 *
 * No other managed rules refuse anything: the core rule set refuses bodies above 8 KB, queries above 2,048 bytes, and what
 * `html` and `url` carry, and the list of anonymous addresses refuses hosting providers, where our customers are.
 */
export class WebAcl extends Construct {
  readonly #metricName: string;
  private priority = 0;

  constructor(scope: Construct, id: string, { stage, config, apiStage }: WebAclProps) {
    super(scope, id);
    requireRoomForCustomers(config);
    this.#metricName = `screen-capture-${stage.name}`;
    const exempt = this.exemptStatements(stage);
    const anyone = not(exempt);
    const anonymous = not([...exempt, ...hasCredentials]);
    const acl = new CfnWebACL(this, "Acl", {
      scope: "REGIONAL",
      defaultAction: { allow: {} },
      visibilityConfig: visibility(this.#metricName),
      customResponseBodies: { tooMany: { contentType: "APPLICATION_JSON", content: TOO_MANY } },
      rules: [
        this.managedRule(IP_REPUTATION, { none: {} }),
        this.rateRule(ADDRESS_RATE, config.requestsPerAddress, anyone),
        this.rateRule(ANONYMOUS_RATE, config.anonymousRequestsPerAddress, anonymous),
        ...config.countedRuleGroups.map((name) => this.managedRule(name, { count: {} })),
      ],
    });
    new CfnWebACLAssociation(this, "Association", { resourceArn: apiStage.stageArn, webAclArn: acl.attrArn });
  }

  /** Requests that each rule has refused, for the dashboard. */
  blockedByRule(): Metric[] {
    const blocked = (rule: string, label: string) =>
      new Metric({
        namespace: "AWS/WAFV2",
        metricName: "BlockedRequests",
        dimensionsMap: { WebACL: this.#metricName, Region: Aws.REGION, Rule: rule },
        statistic: Stats.SUM,
        label,
      });
    return [
      blocked(ADDRESS_RATE, "Too many of an address"),
      blocked(ANONYMOUS_RATE, "Too many without credentials"),
      blocked(IP_REPUTATION, "Bad reputation"),
    ];
  }

  private rateRule(name: string, limit: number, scopeDownStatement: CfnWebACL.StatementProperty | undefined) {
    return {
      name,
      priority: this.priority++,
      action: {
        block: {
          customResponse: {
            responseCode: 429,
            customResponseBodyKey: "tooMany",
            responseHeaders: [
              { name: "Retry-After", value: String(WINDOW_S) },
              { name: "Access-Control-Allow-Origin", value: "*" },
              { name: "Access-Control-Expose-Headers", value: "*" },
              { name: "Cache-Control", value: "no-store" },
            ],
          },
        },
      },
      statement: {
        rateBasedStatement: {
          aggregateKeyType: "IP",
          evaluationWindowSec: WINDOW_S,
          limit,
          ...(scopeDownStatement && { scopeDownStatement }),
        },
      },
      visibilityConfig: visibility(name),
    } satisfies CfnWebACL.RuleProperty;
  }

  private managedRule(name: string, overrideAction: CfnWebACL.OverrideActionProperty) {
    return {
      name,
      priority: this.priority++,
      overrideAction,
      statement: { managedRuleGroupStatement: { vendorName: "AWS", name } },
      visibilityConfig: visibility(name),
    } satisfies CfnWebACL.RuleProperty;
  }

  private exemptStatements({ trustedProxies = [], domain }: StageConfig): CfnWebACL.StatementProperty[] {
    const ranges = parseTrustedProxies(trustedProxies.join(","));
    const sets = (["ipv4", "ipv6"] as const).flatMap((kind) => {
      const addresses = ranges
        .filter(([address]) => address.kind() === kind)
        .map(([address, bits]) => `${address}/${bits}`);
      if (addresses.length === 0) return [];
      const ipAddressVersion = kind === "ipv4" ? "IPV4" : "IPV6";
      return new CfnIPSet(this, `TrustedProxies${ipAddressVersion}`, {
        scope: "REGIONAL",
        ipAddressVersion,
        addresses,
      });
    });
    const byAddress = sets.map(({ attrArn }) => ({ ipSetReferenceStatement: { arn: attrArn } }));
    return domain?.edge ? [...byAddress, isOfEdge] : byAddress;
  }
}

/** Sampled requests would show query strings and headers, and with them API keys. */
function visibility(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false };
}

const asReceived = [{ priority: 0, type: "NONE" }];

/** True for a request whose field is there and not empty. */
function isPresent(fieldToMatch: CfnWebACL.FieldToMatchProperty): CfnWebACL.StatementProperty {
  return {
    sizeConstraintStatement: { fieldToMatch, comparisonOperator: "GT", size: 0, textTransformations: asReceived },
  };
}

/** An API key, a signed link to a capture or to a result, and a session. */
const hasCredentials: readonly CfnWebACL.StatementProperty[] = [
  isPresent({ singleHeader: { Name: "authorization" } }),
  isPresent({ singleQueryArgument: { Name: "access_key" } }),
  isPresent({ singleQueryArgument: { Name: "signature" } }),
  ...SESSION_COOKIES.map((name) =>
    isPresent({
      cookies: { matchPattern: { includedCookies: [name] }, matchScope: "VALUE", oversizeHandling: "NO_MATCH" },
    }),
  ),
];

const isOfEdge: CfnWebACL.StatementProperty = {
  byteMatchStatement: {
    fieldToMatch: { singleHeader: { Name: EDGE_HEADER } },
    positionalConstraint: "EXACTLY",
    searchString: stackUuid(),
    textTransformations: asReceived,
  },
};

/** True where none of the statements is; undefined, which means all requests, for no statements. */
function not(statements: readonly CfnWebACL.StatementProperty[]): CfnWebACL.StatementProperty | undefined {
  const [first, ...others] = statements;
  if (!first) return undefined;
  const any = others.length === 0 ? first : { orStatement: { statements: [...statements] } };
  return { notStatement: { statement: any } };
}

/** AWS WAF knows no id of the request. */
const TOO_MANY = errorTemplate({
  error: sentence("Your address has sent too many requests in five minutes. Wait until they are fewer."),
  code: "RATE_LIMITED",
  retryable: true,
  requestId: "none",
});

/** Throws an error for a limit that a customer of the largest plan could reach by captures that its plan allows. */
function requireRoomForCustomers({ requestsPerAddress }: WebAclConfig): void {
  const largest = Math.max(...Object.values(plans).map(({ requestsPerMinute }) => requestsPerMinute));
  const needed = (largest * WINDOW_S * REQUESTS_PER_CAPTURE) / 60;
  if (requestsPerAddress >= needed) return;
  throw new RangeError(
    `webAcl.requestsPerAddress is ${requestsPerAddress}, and one customer of the largest plan can send ${needed} requests in ` +
      `${WINDOW_S / 60} minutes from one address: ${largest} captures a minute, ${REQUESTS_PER_CAPTURE} requests each. Raise it to ${needed} or more.`,
  );
}
