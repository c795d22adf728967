// The configuration of each stage: typed values instead of CloudFormation parameters.
import { RemovalPolicy } from "aws-cdk-lib";
import { RetentionDays } from "aws-cdk-lib/aws-logs";
import { type OperatorIdentity, parseIdentity } from "../contract/operator-identity.ts";
import type { CaptureLimits } from "../contract/options/capture-limits.ts";

export const stageNames = ["dev", "prod", "local"] as const;
export type StageName = (typeof stageNames)[number];

export interface StageConfig {
  readonly name: StageName;

  /**
   * Account to deploy to.
   * @default - the account of the credentials in use; the templates are then account-agnostic
   */
  readonly account?: string;

  /**
   * Region to deploy to.
   * @default - the region of the credentials in use; the templates are then region-agnostic
   */
  readonly region?: string;

  /**
   * Whether tables, bucket, queues and logs are kept when they leave the stack or the stack is deleted. Those of a stack whose
   * creation failed are empty and not kept, except for tables, which deletion protection would keep anyway.
   */
  readonly removalPolicy: RemovalPolicy;

  /** Turns on point-in-time recovery, deletion protection of the tables, and termination protection of their stack. */
  readonly protectsData: boolean;

  /** How long CloudWatch keeps the logs of the functions and of the API. */
  readonly logRetention: RetentionDays;

  /**
   * Days for which captures are listed and counted after the day of the capture. A lower number applies at once. A higher
   * one applies to new captures: earlier ones expire on the day that was stored with them, and those of the current month
   * stay counted for longer than they are listed.
   */
  readonly usageRetentionDays: number;

  /**
   * Memory of the function that runs Chromium for synchronous captures, in MB, or for all captures where the renderer is separate. Lambda
   * assigns CPU in proportion: 1,769 MB are one vCPU.
   */
  readonly browserMemoryMb: number;

  /**
   * Where Chromium runs: in a function of its own, whose role can write its log and nothing else, or embedded in each function that
   * captures, which saves a second execution.
   */
  readonly renderer: "separate" | "embedded";

  /**
   * Whether an execution environment of the renderer serves one account only, by Lambda's tenant isolation mode. It needs
   * `renderer: "separate"`. AWS bills each environment that is created, and accounts that capture rarely start one more often. It can't be
   * changed for an existing function: a change replaces the renderer.
   * https://docs.aws.amazon.com/lambda/latest/dg/tenant-isolation.html
   */
  readonly tenantIsolation: boolean;

  /**
   * How many tenants accounts share by a hash of their ids, with `tenantIsolation`: less isolation, and fewer execution environments than
   * accounts, for a stage that nears Lambda's limit of 2.5 environments for each concurrent execution of the quota. A change moves
   * accounts to other tenants, at once.
   * @default - each account is a tenant
   */
  readonly tenantPool?: number;

  /**
   * Memory of the function of asynchronous captures, in MB, where it runs Chromium itself. It records long videos, which need the CPU.
   */
  readonly renderMemoryMb: number;

  /**
   * Reserved concurrency of the screenshot function: how many captures may run at once.
   * @default - no reservation: a new account has ten concurrent executions, of which Lambda lets none be reserved
   */
  readonly browserConcurrency?: number;

  /**
   * How many synchronous captures can run at once where `browserConcurrency` does not say it: the concurrent executions that
   * the AWS account has for them. An account of the service can use a share of them, by its plan.
   */
  readonly maxConcurrentCaptures: number;

  /**
   * How many bulk requests can wait for their captures at once. Each holds an execution for up to three and a half minutes;
   * further ones are answered at once with 202.
   */
  readonly maxWaitingBulks: number;

  /**
   * Maximum of concurrent asynchronous captures, at least 2. More than 1,000 need provisioned pollers, which are billed by the hour, and
   * take at most 20,000 in steps of 10.
   */
  readonly jobConcurrency: number;

  /**
   * Maximum of concurrent webhook deliveries, with the same bounds. The maximum of one account is
   * `MAX_DELIVERIES_PER_ACCOUNT` in `lib/service/webhooks/delivery-slots.ts`.
   */
  readonly webhookConcurrency: number;

  /**
   * Where alarms are sent: to an e-mail address, whose owner confirms the subscription, or to an https address. The e-mail address
   * also gets requests of customers for another plan, in a stage with `mail`.
   * @default - alarms show in CloudWatch only
   */
  readonly alarms: { readonly email?: string; readonly webhook?: string };

  /**
   * Dollars that the AWS account may cost in a month. At 80 % of it, and when its forecast exceeds it, the alarms' receivers
   * are notified.
   * @default - no budget
   */
  readonly monthlyBudget?: number;

  /**
   * Whether accounts without a paid plan get no new captures for the rest of the month once its costs exceed
   * `monthlyBudget`. AWS updates costs a few times a day.
   */
  readonly pausesTrialsAboveBudget: boolean;

  /**
   * Throttling of each method of the API, all callers together. Functions enforce the limits of an account.
   * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-request-throttling.html
   */
  readonly throttling: { readonly requestsPerSecond: number; readonly burst: number };

  /**
   * AWS WAF in front of the API, which refuses floods from one address.
   * @default - none, which costs nothing
   */
  readonly webAcl?: WebAclConfig;

  /**
   * Concurrency that is reserved for the functions that anyone can invoke without an API key: the website and sign-in. It is also their
   * maximum, so that a flood of them takes nothing from captures. Lambda lets an account reserve all but 100 of its quota.
   * @default - no reservation: a new account has ten concurrent executions, of which Lambda lets none be reserved
   */
  readonly reservedConcurrency?: { readonly web: number; readonly identity: number };

  /**
   * The AWS account's quota of concurrent executions in the region. An alarm fires when 80 % of it are in use, by all that runs in the
   * region, so one stage needs it. The doctor compares it with the account.
   * @default - no alarm
   */
  readonly concurrencyQuota?: number;

  /**
   * Non-public origins, as `address:port`, that captures may reach.
   * @default - none, which is required wherever untrusted callers can send captures
   */
  readonly allowOrigins: readonly string[];

  /** Limits of one capture that override the defaults of `lib/contract/options/capture-limits.ts`. */
  readonly captureLimits: Partial<CaptureLimits>;

  /**
   * Captures of more bytes are stored and answered with a redirect to their signed link, and stored images, videos and PDFs of
   * more bytes with a redirect to the bucket; others are answered with their content.
   * Lambda streams the first 6 MB at full speed and free of charge, the rest at 2 MB/s for 0.008 USD per GB, and at most
   * 200 MB.
   * https://docs.aws.amazon.com/lambda/latest/dg/configuration-response-streaming.html
   */
  readonly maxStreamedResultBytes: number;

  /**
   * Public address of the API without a trailing slash, for a custom domain or a reverse proxy. All links begin with it.
   * @default - the address of API Gateway
   */
  readonly baseUrl?: string;

  /**
   * Addresses and ranges of the reverse proxies in front of API Gateway, such as `203.0.113.7` or `10.0.0.0/8`. A caller's address
   * is then the first one in X-Forwarded-For, from the right, that is none of them. It limits sign-in, and is in the log.
   * @default - none: the address of the connection, which is the same for all callers behind a proxy
   */
  readonly trustedProxies?: readonly string[];

  /**
   * Sender of e-mail, which codes to sign in need. Verify its domain as an identity of Amazon SES in the region of the stage.
   * @default - no e-mail is sent
   */
  readonly mail?: { readonly from: string };

  /**
   * Seconds after a capture at which the quotas of its account are checked for alerts by e-mail, at most 900. All captures
   * until then share a check, so a longer delay costs less. It needs `mail`.
   */
  readonly quotaAlertDelaySeconds: number;

  /**
   * Seconds after the deletion of an account at which what captures that were still running have written is deleted, too; at most 900.
   * A capture runs for up to two minutes; a queued one isn't attempted without its job, which is deleted.
   */
  readonly deletionSweepSeconds: number;

  /**
   * Who signs in to the operator's page, at `/operator`: by a code to one of these addresses, which needs `mail`, or by the link of
   * `npm run operator -- sign-in`. It shows thumbnails of customers' captures only with `showsPictures`.
   * @default - the page, its function, and its role don't exist
   */
  readonly operators?: OperatorConfig;

  /**
   * Address that gets what concerns the operator's business, such as a request for another plan, as signed webhooks. It must be https and
   * public.
   * @default - events are stored only; the operator's page lists them
   */
  readonly operatorWebhook?: string;

  /**
   * Payments of invoices, which a payment provider reports to `POST /billing/events`: see docs/payments.md.
   * @default - no payments are recorded, and owners ask the operator for another plan
   */
  readonly billing?: BillingConfig;

  /**
   * Who runs the service, as the website, errors of the service, mails, `llms.txt`, and the OpenAPI document name it. `support` is an e-mail
   * address or an https address, and the others are https addresses.
   * @default - nothing of it is shown
   */
  readonly identity?: OperatorIdentity;

  /** Whether a new e-mail address gets an account with a free trial. It needs `mail`. */
  readonly signUp: "open" | "closed";

  /**
   * Captures that visitors of the landing page make without an API key. At most `perDay` are made on a UTC day, and `atOnce` at the
   * same time, which come on top of `maxConcurrentCaptures`. With 0 a day, the page has no field, and the function isn't deployed.
   */
  readonly keylessCaptures: { readonly perDay: number; readonly atOnce: number };

  /**
   * Whether this service sets the role with which API Gateway writes logs, in a stack that all stages share. It is one
   * setting per account and region, and access logs need it. Turn it off where another stack owns that setting.
   * https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-logging.html
   */
  readonly ownsApiLogRole: boolean;

  /**
   * Custom domain of the API; it sets the base address.
   * @default - the address of API Gateway
   */
  readonly domain?: DomainConfig;

  /**
   * How a deployment replaces functions:
   * - `direct`: at once. There are no versions.
   * - `gradual`: new versions are invoked by a hook, then get a tenth of the requests for 15 minutes, then all; an alarm that a
   *   version can cause rolls back.
   * - `all-at-once`: versions as with `gradual`, but at once and without the hook, for an urgent fix while an alarm fires.
   */
  readonly rollout: RolloutSettings;

  /**
   * Whether X-Ray traces the functions, and the phases of captures. API Gateway's own traces stay off, because they store
   * query strings, which can contain API keys.
   */
  readonly tracing: boolean;

  /**
   * NAT gateways through which captures, webhooks, and uploads leave AWS, by addresses that never change.
   * @default - the functions are in no network of their own, and their addresses change
   */
  readonly staticEgress?: { readonly natGateways: 1 | 2 };
}

export interface OperatorConfig {
  readonly addresses: readonly string[];
  readonly showsPictures: boolean;
}

export interface BillingConfig {
  /**
   * Address of the operator's page on which customers choose and pay a plan, without a query. The dashboard leads to it, with a signature.
   * @default - owners ask the operator for another plan
   */
  readonly url?: string;
  /** Days after the end of its period from which an unpaid invoice is overdue, and its owner is reminded. */
  readonly overdueAfterDays: number;
  /**
   * Days after which the account of an unpaid invoice is suspended, at least `overdueAfterDays`.
   * @default - no account is suspended for that
   */
  readonly suspendAfterDays?: number;
}

export interface WebAclConfig {
  /**
   * Requests of one address in five minutes. It must leave room for a customer of the largest plan. Customers behind one address, such as
   * that of a company or a proxy, share it.
   */
  readonly requestsPerAddress: number;

  /** Requests of one address in five minutes without an API key, a signature, or a session: mostly visitors of the website. */
  readonly anonymousRequestsPerAddress: number;

  /** Names of further managed rule groups of AWS, such as `AWSManagedRulesCommonRuleSet`. They count, and refuse nothing. */
  readonly countedRuleGroups: readonly string[];
}

const rollouts = ["direct", "gradual", "all-at-once"] as const;
export type RolloutSettings = (typeof rollouts)[number];

export interface DomainConfig {
  /** Host name, such as `captures.example.com`. */
  readonly name: string;

  /**
   * The zone of Amazon Route 53 that has the name: its records and those of the certificate are made there.
   * @default - you add the records where your domain is; the outputs name them
   */
  readonly hostedZone?: HostedZoneConfig;

  /**
   * ARN of a certificate of the stage's region for the name.
   * @default - one is requested
   */
  readonly certificateArn?: string;

  /**
   * CloudFront in front of links to results, signed links to captures, and files of the website.
   * @default - they are answered by API Gateway
   */
  readonly edge?: EdgeConfig;
}

export interface HostedZoneConfig {
  readonly id: string;
  /** Such as `example.com`. */
  readonly name: string;
}

export interface EdgeConfig {
  /** Host name of the links, such as `links.example.com`, in the same zone. */
  readonly name: string;
  /** ARN of a certificate for that name in us-east-1, where CloudFront reads it. */
  readonly certificateArn: string;
  /** How long the edge answers without asking the service. A result that is deleted meanwhile is still answered. */
  readonly cacheSeconds: number;
  /**
   * ARN of a web ACL of AWS WAF, of the scope CloudFront.
   * @default - none, which costs nothing
   */
  readonly webAclArn?: string;
}

/** Parses the name of a rollout. Throws an error that names the known ones. */
export function parseRollout(name: string): RolloutSettings {
  const known = rollouts.find((candidate) => candidate === name);
  if (known) return known;
  throw new Error(`Unknown rollout "${name}". Choose one of ${rollouts.join(", ")}, as in: -c rollout=all-at-once`);
}

/** The configuration of a stage. Throws an error that names the known stages when the name is unknown. */
export function stageConfig(name: string): StageConfig {
  const known = stageNames.find((candidate) => candidate === name);
  if (known) return { name: known, ...stages[known] };
  throw new Error(`Unknown stage "${name}". Choose one of ${stageNames.join(", ")}, as in: -c stage=dev`);
}

/** Who runs a stage, as it is shown. Throws an error of one sentence for an address that must not be deployed. */
export function stageIdentity({ identity = {} }: Pick<StageConfig, "identity">): OperatorIdentity {
  return parseIdentity(identity, (setting) => `identity.${setting}`);
}

const disposable = {
  removalPolicy: RemovalPolicy.DESTROY,
  protectsData: false,
  logRetention: RetentionDays.ONE_WEEK,
  usageRetentionDays: 400,
  browserMemoryMb: 2048,
  renderer: "embedded",
  tenantIsolation: false,
  renderMemoryMb: 3008, // the maximum of a new AWS account
  maxConcurrentCaptures: 10, // all concurrent executions of a new AWS account
  maxWaitingBulks: 2,
  jobConcurrency: 2,
  webhookConcurrency: 8, // with jobConcurrency, the 10 concurrent executions of a new AWS account
  alarms: {},
  pausesTrialsAboveBudget: true,
  throttling: { requestsPerSecond: 20, burst: 40 },
  allowOrigins: [],
  captureLimits: {},
  maxStreamedResultBytes: 10_000_000,
  quotaAlertDelaySeconds: 300,
  deletionSweepSeconds: 900,
  signUp: "closed",
  keylessCaptures: { perDay: 0, atOnce: 2 },
  ownsApiLogRole: true,
  rollout: "direct",
  tracing: false,
} satisfies Omit<StageConfig, "name">;

const stages: Record<StageName, Omit<StageConfig, "name">> = {
  dev: disposable,

  prod: {
    ...disposable,
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    protectsData: true,
    logRetention: RetentionDays.THREE_MONTHS,
    maxConcurrentCaptures: 100,
    maxWaitingBulks: 20,
    jobConcurrency: 20,
    webhookConcurrency: 50,
    throttling: { requestsPerSecond: 200, burst: 400 },
    webAcl: { requestsPerAddress: 10_000, anonymousRequestsPerAddress: 2_000, countedRuleGroups: [] },
    reservedConcurrency: { web: 20, identity: 20 },
    concurrencyQuota: 1_000, // the default of an account that is not new
    renderer: "separate",
    tenantIsolation: true,
    rollout: "gradual",
  },

  /** Never deployed: the local runner reads its template. */
  local: {
    ...disposable,
    // The object store listens on loopback, where clients on other machines could not follow a redirect.
    maxStreamedResultBytes: 200_000_000,
    mail: { from: "screen-capture@localhost.invalid" }, // to the mail catcher
    alarms: { email: "operator@localhost.invalid" },
    quotaAlertDelaySeconds: 1,
    deletionSweepSeconds: 5,
    renderer: "separate",
    tenantIsolation: true,
    keylessCaptures: { perDay: 1_000, atOnce: 2 },
    // The start of the service decides whether payments are recorded; see billing-settings.ts.
    billing: { url: "https://billing.invalid", overdueAfterDays: 14 },
    operators: { addresses: [], showsPictures: true }, // the start of the service decides
    // No executions to share: further requests wait for a sandbox.
    maxConcurrentCaptures: 200,
    maxWaitingBulks: 20,
    ownsApiLogRole: false, // there is no CloudWatch
  },
};
