// The environment of a function as a schema: read once at start, and a missing or wrong variable stops it there.
import * as v from "valibot";
import { type IdentitySetting, parseIdentity } from "../../contract/operator-identity.ts";
import { captureLimits } from "../../contract/options/capture-limits.ts";

const name = v.pipe(v.string(), v.minLength(3));

/** An address of the operator's identity. */
const identityAddress = (setting: IdentitySetting) =>
  v.optional(
    v.pipe(
      v.string(),
      v.rawTransform(({ dataset, addIssue, NEVER }) => {
        try {
          return parseIdentity({ [setting]: dataset.value })[setting];
        } catch (error) {
          addIssue({ message: (error as Error).message });
          return NEVER;
        }
      }),
    ),
  );

const variables = {
  ACCOUNTS_TABLE: name,
  USAGE_TABLE: name,
  ACTIVITY_TABLE: name,
  RESULTS_BUCKET: name,
  /** Public address of the API without a trailing slash; links are built from it, never from a request. */
  BASE_URL: v.pipe(v.string(), v.regex(/^https?:\/\/.*[^/]$/, "must be an http(s) address without a trailing slash")),
  /** Address with which links to results begin where it is not BASE_URL: that of CloudFront. */
  LINK_BASE_URL: v.optional(v.pipe(v.string(), v.regex(/^https:\/\/.*[^/]$/, "must be an https address"))),
  /** Seconds for which CloudFront may answer a link without asking. Without it, there is no CloudFront. */
  EDGE_CACHE_SECONDS: v.optional(v.pipe(v.string(), v.toNumber(), v.integer(), v.minValue(1))),
  /** The data key by which a function decrypts secrets. */
  DATA_KEY: v.optional(v.picklist(["stage", "links"]), "stage"),
  /** ARN of the KMS key of the stage, for the operator's commands. */
  SECRETS_KEY: name,
  /** Address from which codes and notices are sent by e-mail. Without it, none are. */
  MAIL_FROM: v.optional(v.pipe(v.string(), v.regex(/^[^@]+@[^@]+$/, "must be an e-mail address"))),
  /** Address of the operator, who gets mails about events of accounts. Without it, none are sent. */
  OPERATOR_MAIL: v.optional(v.pipe(v.string(), v.regex(/^[^@]+@[^@]+$/, "must be an e-mail address"))),
  /** Address that gets the events for the operator as webhooks. Without it, they are stored only. */
  OPERATOR_WEBHOOK: v.optional(v.pipe(v.string(), v.regex(/^https?:\/\/./, "must be an http(s) address"))),
  /** Comma-separated addresses of the operators, who sign in to the operator's page by a code. */
  OPERATOR_ADDRESSES: v.optional(v.string(), ""),
  /** Whether the operator's page shows the thumbnails of captures. */
  OPERATOR_PICTURES: v.optional(v.picklist(["shown", "hidden"]), "hidden"),
  /** Where customers choose and pay a plan: a page of the operator, to which a signed address leads. */
  BILLING_URL: v.optional(v.pipe(v.string(), v.regex(/^https?:\/\/[^?#]+$/, "must be an address without a query"))),
  /** Days after the end of a billing period from which an unpaid invoice is overdue. Without it, no payments are recorded. */
  OVERDUE_AFTER_DAYS: v.optional(v.pipe(v.string(), v.toNumber(), v.integer(), v.minValue(1))),
  /** Days after which the account of an unpaid invoice is suspended. Without it, none is. */
  SUSPEND_OVERDUE_AFTER_DAYS: v.optional(v.pipe(v.string(), v.toNumber(), v.integer(), v.minValue(1))),
  /** Who runs the service, for customers: addresses of its support, terms, privacy policy, imprint, and source code. */
  SUPPORT: identityAddress("support"),
  TERMS_URL: identityAddress("terms"),
  PRIVACY_URL: identityAddress("privacy"),
  IMPRINT_URL: identityAddress("imprint"),
  SOURCE_URL: identityAddress("source"),
  /** Whether a new e-mail address gets an account. */
  SIGN_UP: v.optional(v.picklist(["open", "closed"]), "closed"),
  /** Whether the service sends codes to sign in with by e-mail. */
  SIGN_IN_MAIL: v.optional(v.picklist(["on", "off"]), "off"),
  /** Whether the service has operators, whose page the website then has. */
  OPERATOR_PAGE: v.optional(v.picklist(["on", "off"]), "off"),
  /** How many captures without an API key are made on a day; with 0, none are. */
  KEYLESS_CAPTURES_PER_DAY: v.optional(v.pipe(v.string(), v.toNumber(), v.integer(), v.minValue(0)), "0"),
  /** How many captures without an API key can run at the same time. */
  MAX_CONCURRENT_KEYLESS_CAPTURES: v.pipe(v.string(), v.toNumber(), v.integer(), v.minValue(1)),
  /** Comma-separated addresses and ranges of the reverse proxies whose X-Forwarded-For is believed. */
  TRUSTED_PROXIES: v.optional(v.string(), ""),
  /** Addresses of the local service's engines: of S3, and of all services. AWS has addresses of its own. */
  AWS_ENDPOINT_URL_S3: v.optional(v.string()),
  AWS_ENDPOINT_URL: v.optional(v.string()),
  /** ARN of the function that renders captures. Without it, the function runs Chromium itself. */
  RENDERER_FUNCTION: v.optional(name),
  /** Its memory in MB, for the estimate of what a capture costs. */
  RENDERER_MEMORY_MB: v.optional(v.pipe(v.string(), v.toNumber(), v.minValue(128))),
  /** Whether an execution environment of that function serves one account only. */
  TENANT_ISOLATION: v.optional(v.picklist(["on", "off"]), "off"),
  /** How many tenants accounts share there. Without it, each account is one. */
  TENANT_POOL: v.optional(v.pipe(v.string(), v.toNumber(), v.integer(), v.minValue(1))),
  /** Folder of the packed Chromium files: the layer's `/opt/chromium`. */
  CHROMIUM_FILES: name,
  /** Folder of the fonts and what fontconfig is to know of them: the layer's `/opt/fonts`. */
  FONT_FILES: name,
  /** Folder of the filter lists: the layer's `/opt/blocking`. */
  BLOCKING_FILES: name,
  /** Comma-separated `address:port` that captures may reach although they are not public. */
  CAPTURE_ALLOW_ORIGINS: v.optional(v.string(), ""),
  /** `true` only where the stage's settings ask for allowed origins; without it CAPTURE_ALLOW_ORIGINS must be empty. */
  CAPTURE_ALLOW_ORIGINS_PERMITTED: v.optional(v.picklist(["true", "false"]), "false"),
  /** `false` where no role of a customer can be assumed, because the service does not run on AWS. */
  CUSTOMER_ROLES: v.optional(v.picklist(["true", "false"]), "true"),
  /** For how many days captures are listed and counted. */
  USAGE_RETENTION_DAYS: v.optional(
    v.pipe(v.string(), v.toNumber(), v.integer(), v.minValue(1), v.maxValue(36_500)),
    "400",
  ),
  /** Captures, and stored images, videos and PDFs, of more bytes are answered by a redirect. */
  MAX_STREAMED_RESULT_BYTES: v.pipe(v.string(), v.toNumber(), v.integer(), v.minValue(1)),
  /** Addresses of the queues of captures to take and of webhooks to send. */
  RENDER_QUEUE_URL: name,
  WEBHOOK_QUEUE_URL: name,
  /** Name of the group of schedules that send webhooks later, and the ARN of the role with which they do. */
  WEBHOOK_SCHEDULE_GROUP: name,
  WEBHOOK_SCHEDULE_ROLE_ARN: name,
  /** ARN of the queue of messages of the webhook queue that no function could handle. */
  WEBHOOK_DEAD_LETTER_QUEUE_ARN: name,
  /** Its address. */
  WEBHOOK_DEAD_LETTER_QUEUE_URL: name,
  /** Address of the queue of messages whose captures were never rendered. */
  RENDER_DEAD_LETTER_QUEUE_URL: name,
  /** Address of the queue that keeps the messages of failed captures for the operator. */
  FAILED_RENDER_QUEUE_URL: name,
  /** ARN of the function that lists and retries messages of failed captures and webhooks. */
  DEAD_LETTERS_FUNCTION: name,
  /** Address of the queue of exports of accounts' data, and of deletions of accounts. */
  ACCOUNT_DATA_QUEUE_URL: name,
  /** Seconds after which what running captures have written of a deleted account is deleted; at most 900, the maximum of SQS. */
  DELETION_SWEEP_SECONDS: v.pipe(v.string(), v.toNumber(), v.integer(), v.minValue(1), v.maxValue(900)),
  /** Address of the queue of notices by e-mail, and of accounts whose quotas are to be checked for them; only where mail is sent. */
  QUOTA_ALERT_QUEUE_URL: name,
  /** How long after a capture the quotas of its account are checked; at most 900, the maximum of SQS. */
  QUOTA_ALERT_DELAY_SECONDS: v.pipe(v.string(), v.toNumber(), v.integer(), v.minValue(1), v.maxValue(900)),
  /** Name of the stage, which is the dimension of its metrics. */
  STAGE_NAME: v.pipe(v.string(), v.minLength(1)),
  /** How many synchronous captures can run at the same time. Each account has a share of them. */
  MAX_CONCURRENT_CAPTURES: v.pipe(v.string(), v.toNumber(), v.integer(), v.minValue(1)),
  /** How many bulk requests can wait for their captures at the same time; further ones are answered at once. */
  MAX_WAITING_BULKS: v.pipe(v.string(), v.toNumber(), v.integer(), v.minValue(0)),
  /** As JSON, the ARN of the version that each deployment group of CodeDeploy moves its alias to, by the group's name. */
  NEW_VERSIONS: v.pipe(v.string(), v.parseJson(), v.record(v.string(), name)),
  /** As JSON, the limits of captures that the stage sets otherwise. */
  CAPTURE_LIMITS: v.optional(v.pipe(v.string(), v.parseJson(), captureLimits), "{}"),
  /** `false` where no browser is kept ready for the next capture; it holds 180 MB. */
  LAUNCH_AHEAD: v.optional(v.picklist(["true", "false"]), "true"),
  /**
   * Path of a file that exists while this sandbox may keep a browser ready: on a machine that is shared by many of them. Without
   * the variable, it always may.
   */
  READY_BROWSER_PERMIT: v.optional(v.string()),
  /** `open` where tools on the same machine read the memory and the descriptors of a function's process. */
  PROCESS_ACCESS: v.optional(v.picklist(["open", "closed"]), "closed"),
  /** Names of the log groups of the stage's functions, separated by commas, of which the operator sees the lines. */
  LOG_GROUPS: v.pipe(
    v.string(),
    v.transform((names) => names.split(",")),
  ),
  /** Folder of the log files of the local service, which has no log groups. */
  LOG_FOLDER: v.optional(name),
  /** Whether Chromium runs in a function of its own, or embedded in each function that captures. */
  RENDERER: v.picklist(["separate", "embedded"]),
  /** Memory of the function in MB, set by Lambda. */
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: v.optional(v.pipe(v.string(), v.toNumber(), v.minValue(128)), "2048"),
  /** Why Lambda starts the sandbox, set by Lambda: `on-demand`, `provisioned-concurrency`, and others. */
  AWS_LAMBDA_INITIALIZATION_TYPE: v.optional(v.string(), "on-demand"),
  /** The trace of the invocation, and the address of the X-Ray daemon, set by Lambda where a stage has traces. */
  _X_AMZN_TRACE_ID: v.string(),
  AWS_XRAY_DAEMON_ADDRESS: v.string(),
};

export type EnvironmentVariable = keyof typeof variables;
export type Environment = { [K in EnvironmentVariable]: v.InferOutput<(typeof variables)[K]> };

/** Reads a variable that a function also works without; undefined if it is missing or wrong. */
export function optionalVariable<K extends EnvironmentVariable>(name: K): Environment[K] | undefined {
  const schema: v.GenericSchema = variables[name];
  const parsed = v.safeParse(schema, process.env[name]);
  return parsed.success ? (parsed.output as Environment[K]) : undefined;
}

/** Reads the named variables. Throws one error that names every variable that is missing or wrong. */
export function environment<K extends EnvironmentVariable>(...names: K[]): Pick<Environment, K> {
  const entries: v.ObjectEntries = Object.fromEntries(names.map((key) => [key, variables[key]]));
  const parsed = v.safeParse(v.object(entries), process.env);
  if (parsed.success) return parsed.output as Pick<Environment, K>;
  const problems = parsed.issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`);
  throw new Error(`The function's environment is not usable. ${problems.join("; ")}`);
}
