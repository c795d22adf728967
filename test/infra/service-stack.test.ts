// The environment, the permissions and the settings of each function.
import { describe, expect, test } from "vitest";
import { stageConfig } from "../../lib/infra/stages.ts";
import { MAX_RENDERING_MS } from "../../lib/service/rendering/rendering-limits.ts";
import { everySetting } from "./every-setting.ts";
import { appWith, functionsOf, type Resource, readable, resources, templatesOf } from "./synthesized.ts";

const { service } = templatesOf("dev");
const functions = functionsOf(service);

/** Authenticates callers by their API key, or by their session. */
const authenticates = "GetItem <Accounts> CALLER#* SESSIONS#*";

/** Authenticates callers and counts their requests for the rate limit. */
const servesCallers = [authenticates, "UpdateItem <Usage> REQUESTS#*"];

/** Changes an account's API keys, and reads when they were last used and what they captured. */
const managesKeys = [
  "Query <Accounts> ACCOUNT#*",
  "DeleteItem+PutItem <Accounts> ACCOUNT#* CALLER#* LINK#* DIRECTORY#*",
  "Query+UpdateItem <Usage> REQUESTS#*",
  "Query <Usage> MONTHS#*",
  "GetItem <Usage> KEYLIMITS#*",
];

/** Records the end of a capture, and releases the quota and the slot that were reserved for it. */
const recordsCaptures = [
  "UpdateItem <Usage> PERIODS#* TESTS#* KEYLIMITS#* DAYLIMITS#* FAILURES#* MONTHS#* HOURS#*",
  "UpdateItem <Usage> SLOTS#*",
  "PutItem <Activity> LOG#*#*",
];

/** Results, by lifetime. */
const results = "<Results>/1-day/* <Results>/30-days/* <Results>/7-days/*";
const thumbnails = "<Results>/thumbnails/*";
/** Facts of large results. */
const facts = "<Results>/1-day/*.facts <Results>/30-days/*.facts <Results>/7-days/*.facts";

/** Renders captures, or reads them from the cache, and stores them. `references` is its access to reference counts. */
const rendersCaptures = (references: readonly string[]) => [
  `AbortMultipartUpload+PutObject ${results}`,
  `PutObject ${thumbnails}`,
  `GetObject ${results}`,
  "GetItem+PutItem <Activity> CACHE#*",
  "DeleteItem+GetItem+PutItem+UpdateItem <Activity> FLIGHTS#*",
  ...references,
  ...recordsCaptures,
  expect.stringMatching("^AssumeRole all but "),
];

/** Lambda's poller receives and deletes messages; the function's code can only postpone the message that it has. */
const isFedBy = (queue: string) => [
  `DeleteMessage+GetQueueAttributes+ReceiveMessage <${queue}> if Null lambda:SourceFunctionArn=true`,
  `ChangeMessageVisibility <${queue}>`,
];

/** Repeats the response of a request with an `Idempotency-Key`. */
const repeatsResponses = "DeleteItem+GetItem+PutItem+UpdateItem <Activity> ANSWERS#*";

/** Decrypts secrets with the data key of this name, and KMS decrypts no other for the function. */
const decryptsWith = (dataKey: string) => [
  `GetItem <Accounts> SECRET#data-key-${dataKey}`,
  `Decrypt <Accounts> if StringEquals kms:EncryptionContext:purpose=${dataKey}`,
];

/** All that the roles allow, apart from writing the function's own log. */
const permissions = {
  screenshot: [
    "DeleteItem+PutItem <Activity> JOBS#*",
    "GetItem <Accounts> RECEIVERS#*", // and not their secrets
    "SendMessage <QueuesRender>",
    "GetItem <Accounts> LINK#*",
    "UpdateItem <Usage> VIEWS#*",
    "DeleteObject+PutObject <Results>/options/*",
    "GetItem+UpdateItem <Usage> PERIODS#* TESTS#*",
    "GetItem <Usage> PAUSE#trials",
    "Query <Usage> MONTHS#*", // free failures, as many as there were successes
    ...rendersCaptures(["UpdateItem <Activity> REFERENCES#*"]),
    "GetItem <Accounts> SECRET#result-links",
    ...decryptsWith("links"),
    repeatsResponses,
    "AbortMultipartUpload+DeleteObject+GetObject+PutObject <Results>/answers/*",
    ...servesCallers,
  ],
  render: [
    ...isFedBy("QueuesRender"),
    "DeleteObject+GetObject <Results>/options/*",
    `DeleteObject ${results}`,
    "PutItem+UpdateItem <Activity> REFERENCES#*",
    ...rendersCaptures([]),
    "GetItem+UpdateItem <Activity> JOBS#*",
    "SendMessage <QueuesFailedRenders> <QueuesWebhook>",
  ],
  "dead-letters": [
    ...isFedBy("QueuesRenderDeadLetters"),
    ...recordsCaptures,
    "GetItem+UpdateItem <Activity> JOBS#*",
    "SendMessage <QueuesFailedRenders> <QueuesWebhook>",
  ],
  webhook: [
    "GetItem <Accounts> ACCOUNT#*",
    `GetObject ${facts}`,
    ...isFedBy("QueuesWebhook").filter((statement) => !statement.startsWith("ChangeMessageVisibility")),
    "ChangeMessageVisibility+SendMessage <QueuesWebhook>",
    // Waits of more than 15 minutes.
    "CreateSchedule arn:<AWS::Partition>:scheduler:<AWS::Region>:<AWS::AccountId>:schedule/<QueuesWebhookSchedulesGroup>/*",
    "PassRole <QueuesWebhookSchedulesRole> if StringEquals iam:PassedToService=scheduler.amazonaws.com",
    // Receivers: their secrets, health, and deliveries, what is kept for them, and what is sent again.
    "GetItem+UpdateItem <Accounts> RECEIVERS#*",
    "GetItem <Accounts> RECEIVERSECRETS#*",
    "PutItem+Query <Activity> DELIVERIES#*",
    "DeleteItem+PutItem+Query <Activity> KEPT#*",
    "GetItem+UpdateItem <Usage> SLOTS#*", // it also reads which receivers did not respond
    ...recordsCaptures.filter((statement) => !statement.includes("SLOTS")),
    // Suspended accounts: their jobs, and whether one is suspended, without anything by which requests are authenticated.
    "GetItem <Accounts> CALLER#ACCOUNT#*",
    "GetItem+Query+UpdateItem <Activity> JOBS#*",
    "GetItem <Accounts> SECRET#result-links",
    ...decryptsWith("stage"),
    // Events for the operator, which the operator's secret signs, and mails about them, which are limited.
    "DeleteItem+GetItem+PutItem+UpdateItem <Activity> EVENTS#*",
    "GetItem <Accounts> SECRET#operator",
    "UpdateItem <Usage> ATTEMPTS#event-mails#*",
  ],
  api: [
    ...servesCallers,
    // Usage, and the account.
    "Query+UpdateItem <Activity> LOG#*#*", // a log forgets what was deleted
    "Query <Usage> PERIODS#* MONTHS#* HOURS#*",
    "GetItem+UpdateItem <Usage> PERIODS#*",
    // Asynchronous captures, and bulk requests.
    "GetItem+UpdateItem <Usage> TESTS#*",
    "UpdateItem <Usage> KEYLIMITS#*",
    "UpdateItem <Usage> DAYLIMITS#*",
    "GetItem+UpdateItem <Usage> FAILURES#*",
    "UpdateItem <Usage> SLOTS#*",
    "GetItem <Usage> PAUSE#trials",
    "DeleteItem+GetItem+PutItem+Query+UpdateItem <Activity> JOBS#*",
    "UpdateItem <Activity> REFERENCES#*",
    "DeleteItem <Activity> CACHE#*",
    "DeleteObject+PutObject <Results>/options/*",
    repeatsResponses,
    // Results, and links to them.
    "GetItem <Accounts> SECRET#result-links",
    ...decryptsWith("stage"),
    expect.stringMatching(/^GetObject (<Results>\/(1-day|30-days|7-days|exports|thumbnails)\/\*(\.facts)? ?)+$/),
    `DeleteObject ${results} <Results>/answers/* ${thumbnails}`,
    // Webhooks, of which a test is signed with the caller's secret.
    "GetItem <Accounts> ACCOUNT#*",
    "SendMessage <QueuesAccountData> <QueuesRender> <QueuesWebhook>",
    // Exports of captures, and the files of all exports.
    "GetItem+PutItem+Query <Activity> EXPORTS#*",
    // Saved receivers: their state, their deliveries, and a test, which is signed with a receiver's secret.
    "GetItem+UpdateItem <Accounts> RECEIVERS#*",
    "GetItem <Accounts> RECEIVERSECRETS#*",
    "PutItem+Query <Activity> DELIVERIES#*",
    "Query <Activity> KEPT#*",
  ],
  identity: [
    ...servesCallers,
    ...managesKeys,
    repeatsResponses,
    // Sessions, and signing in.
    "DeleteItem+PutItem+Query+UpdateItem <Accounts> SESSIONS#*",
    "GetItem <Accounts> ACCOUNT#*",
    "DeleteItem <Accounts> SIGNIN#*",
    "DeleteItem+PutItem+UpdateItem <Accounts> CODE#*",
    "DeleteItem+PutItem+Query <Accounts> UNDO#*",
    "DeleteItem+GetItem+PutItem <Accounts> REPORTS#*",
    "DeleteItem+GetItem+PutItem <Accounts> EMAIL#*",
    "GetItem+PutItem <Accounts> TRIAL#*",
    "GetItem <Accounts> SECRET#result-links",
    ...decryptsWith("stage"),
    "UpdateItem <Usage> ATTEMPTS#*",
    // Saved receivers of webhooks. What is kept for one that is deleted is queued.
    "DeleteItem+GetItem+PutItem+Query+UpdateItem <Accounts> RECEIVERS#*",
    "DeleteItem+GetItem+PutItem <Accounts> RECEIVERSECRETS#*",
    "Query <Activity> KEPT#*",
    "SendMessage <QueuesAccountData> <QueuesWebhook>",
    // A plan that ends or becomes smaller freezes the terms of months that have ended.
    "Query <Usage> PERIODS#*",
    "UpdateItem <Usage> PERIODS#*",
    // An event for the operator, when an owner asks for another plan, or changes it.
    "PutItem <Activity> EVENTS#*",
    // What starts an export or the deletion of an account.
    "GetItem+PutItem <Accounts> DELETION#*",
    "GetItem+PutItem+Query <Activity> EXPORTS#*",
  ],
  "account-data": [
    ...isFedBy("QueuesAccountData").filter((statement) => !statement.startsWith("ChangeMessageVisibility")),
    "ChangeMessageVisibility+SendMessage <QueuesAccountData>",
    // Exports. Invoices freeze the terms of months that have ended.
    "UpdateItem <Activity> EXPORTS#*",
    "UpdateItem <Usage> PERIODS#*",
    `AbortMultipartUpload+DeleteObject+GetObject+PutObject <Results>/exports/*`,
    // Deletions, which revoke the keys first.
    "UpdateItem <Accounts> DELETION#*",
    "PutItem <Accounts> ACCOUNT#* CALLER#* LINK#* DIRECTORY#*",
    "Query <Accounts> ACCOUNT#* SESSIONS#* UNDO#* REPORTS#* RECEIVERS#* RECEIVERSECRETS#*",
    "DeleteItem <Accounts> ACCOUNT#* SESSIONS#* UNDO#* REPORTS#* RECEIVERS#* RECEIVERSECRETS#* CALLER#* LINK#* EMAIL#*",
    "DeleteItem+Query <Usage> REQUESTS#* VIEWS#* PERIODS#* TESTS#* KEYLIMITS#* DAYLIMITS#* FAILURES#* FIRSTUSES#* INVOICES#* SLOTS#* MONTHS#* HOURS#*",
    "DeleteItem+Query <Activity> LOG#*#* JOBS#* CACHE#* REFERENCES#* FLIGHTS#* ANSWERS#* DELIVERIES#* KEPT#* EXPORTS#*",
    `GetObject ${facts}`,
    `DeleteObject ${results} <Results>/answers/* ${thumbnails}`,
  ],
  web: ["GetItem <Activity> CANARY#last"],
  "invoice-pdf": [
    "Query <Accounts> ACCOUNT#*",
    "Query <Usage> PERIODS#* MONTHS#*",
    "UpdateItem <Usage> PERIODS#*",
    "UpdateItem <Usage> SLOTS#*",
    "GetItem+PutItem <Usage> INVOICES#*",
    ...servesCallers,
  ],
  // It reads nothing of an account, and makes keys of no account but the service's own.
  canary: [
    "PutItem <Activity> CANARY#last",
    "PutItem <Accounts> CALLER#internal-*",
    "UpdateItem <Activity> STATUS#DAYS",
    "Query <Activity> STATUS#DAYS STATUS#INCIDENTS",
    "PutObject <Results>/status/*",
  ],
  "budget-guard": ["PutItem <Usage> PAUSE#trials"],
  "billing-run": [
    // Accounts whose invoices close, or are overdue.
    "Query <Accounts> ACCOUNT#*",
    "Query <Accounts> DIRECTORY#*",
    "PutItem <Accounts> ACCOUNT#* CALLER#* LINK#* DIRECTORY#*",
    "Query <Usage> PERIODS#* MONTHS#*",
    "UpdateItem <Usage> PERIODS#* MONTHS#*",
    "GetItem+PutItem <Usage> BILLING#run",
    "PutItem <Activity> AUDIT#* EVENTS#*",
    "BatchGetItem+Query <Activity> EVENTS#*",
    "SendMessage <QueuesWebhook>",
  ],
  mcp: [], // and the renderer, where the stage has one
};

test.each(Object.entries(permissions))("the role of %s allows no more than its feature needs", (file, expected) => {
  const actual = permissionsOf(statements(file).filter((statement) => !statement.includes("Log")));
  const allowed = permissionsOf(expected);
  // The order of statements has no meaning.
  expect(actual).toEqual(expect.arrayContaining(allowed));
  expect(actual).toHaveLength(allowed.length);
});

test("the role of quota-alert, in a stage that sends mail, reads what an account has used, and sends from the stage's address", () => {
  const { mail } = everySetting; // without its tracing, for which each role has a statement
  const { service: mailing } = templatesOf({ ...stageConfig("dev"), mail });
  const actual = permissionsOf(statements("quota-alert", mailing).filter((statement) => !statement.includes("Log")));
  // SES checks the identity of a recipient, too, where the account has one: in its sandbox, always.
  const identities = "arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>:identity/*";
  expect(actual.toSorted()).toEqual(
    permissionsOf([
      ...isFedBy("QueuesQuotaAlerts"),
      "Query <Accounts> ACCOUNT#*",
      "GetItem+UpdateItem <Usage> PERIODS#*",
      "GetItem <Usage> FAILURES#*",
      "Query <Usage> MONTHS#*",
      "DeleteItem+PutItem <Usage> FIRSTUSES#*",
      `SendEmail ${identities} if StringEquals ses:FromAddress=${mail.from}`,
    ]).toSorted(),
  );
});

test("the role of operator, in a stage with operators, allows what its screens show and change", () => {
  const { mail, operators } = everySetting;
  const { service: operated } = templatesOf({ ...stageConfig("dev"), mail, operators });
  const actual = permissionsOf(statements("operator", operated).filter((statement) => !statement.includes("Log")));
  const identities = "arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>:identity/*";
  expect(actual.toSorted()).toEqual(
    permissionsOf([
      // Sessions, codes, and links of operators.
      "GetItem+PutItem <Accounts> OPERATORS#*#*",
      "UpdateItem <Usage> ATTEMPTS#operator-*",
      `SendEmail ${identities} if StringEquals ses:FromAddress=${mail.from}`,
      // The audit log, which it can't change.
      "PutItem+Query <Activity> AUDIT#*",
      // Events, which it has sent again by a message.
      "GetItem+Query <Activity> EVENTS#*",
      // Accounts: lists, and the page of one.
      "BatchGetItem+GetItem+Query <Accounts> DIRECTORY#*",
      "Query <Accounts> ACCOUNT#* RECEIVERS#*",
      "BatchGetItem+GetItem+Query <Usage> PERIODS#*",
      "BatchGetItem+Query <Usage> REQUESTS#*",
      "Query <Usage> MONTHS#*",
      "Query <Activity> LOG#*#*",
      `GetObject ${thumbnails}`,
      // What it changes of accounts. It deletes nothing.
      "PutItem <Accounts> ACCOUNT#* CALLER#* LINK#* DIRECTORY#* SIGNIN#*",
      "UpdateItem <Usage> PERIODS#* MONTHS#*",
      "SendMessage <QueuesWebhook>",
      // The running service.
      "GetItem <Activity> CANARY#last",
      "GetQueueAttributes <QueuesFailedRenders> <QueuesRender> <QueuesWebhook> <QueuesWebhookDeadLetters>",
      `InvokeFunction <${functionsOf(operated).get("dead-letters")?.id}.Arn>`,
    ]).toSorted(),
  );
  expect(environment("operator", functionsOf(operated))).toMatchObject({
    OPERATOR_ADDRESSES: "ops@example.com,second@example.com",
    OPERATOR_PICTURES: "shown",
  });
});

test("every function knows who runs the service, and no wrong address is deployed", () => {
  const named = functionsOf(templatesOf(everySetting).service);
  for (const file of named.keys())
    expect([file, environment(file, named)]).toMatchObject([
      file,
      {
        SUPPORT: "support@example.com",
        TERMS_URL: "https://example.com/terms",
        IMPRINT_URL: "https://example.com/imprint",
      },
    ]);
  expect(Object.keys(environment("web")).filter((name) => /SUPPORT|_URL$/.test(name))).toEqual(["BASE_URL"]);
  const wrong = { ...stageConfig("dev"), identity: { terms: "javascript:alert(1)" } };
  expect(() => appWith(wrong)).toThrow(/^identity\.terms must be an https address .*, not 'javascript:alert\(1\)'\.$/);
});

test("a stage without operators has no function, role, or path of them", () => {
  const operator = /operator/i;
  expect(Object.keys(service.toJSON()["Resources"]).filter((id) => operator.test(id))).toEqual([]);
  const template = JSON.stringify(service.toJSON()).replaceAll("SECRET#operator", ""); // events are stored in each stage
  expect(template).not.toMatch(/OPERATORS?[#_]|\boperator\b/);
  const { service: operated } = templatesOf({ ...stageConfig("dev"), operators: everySetting.operators });
  expect(Object.keys(operated.toJSON()["Resources"]).filter((id) => operator.test(id)).length).toBeGreaterThan(3);
});

test("the role of try, in a stage that captures for visitors, can touch nothing of an account", () => {
  const { service: visited } = templatesOf("local");
  const actual = permissionsOf(statements("try", visited).filter((statement) => !statement.includes("Log")));
  expect(actual.toSorted()).toEqual(
    permissionsOf([
      "UpdateItem <Usage> ATTEMPTS#keyless-* SLOTS#keyless",
      "GetItem+PutItem <Activity> KEYLESS#*",
    ]).toSorted(),
  );
  const { CAPTURE_ALLOW_ORIGINS, ...others } = environment("try", functionsOf(templatesOf(ownAddresses).service));
  expect([CAPTURE_ALLOW_ORIGINS, others["KEYLESS_CAPTURES_PER_DAY"]]).toEqual([undefined, "1000"]);
});

test("account-data may lead to itself as often as a task has steps", () => {
  expect(functions.get("account-data")?.Properties).toMatchObject({ RecursiveLoop: "Allow", Timeout: 120 });
});

test.each(Object.keys(permissions))(
  "the role of %s has the same partitions of a table for all actions with which a transaction writes",
  (file) => {
    const writing = statements(file).flatMap((statement) => {
      const [, actions = "", table, keys] = /^(\S+) (<(?:Accounts|Usage|Activity)>) (.+)$/.exec(statement) ?? [];
      return table !== undefined && WRITING.test(actions) ? [`${table} ${keys}`] : [];
    });
    for (const table of ["<Accounts>", "<Usage>", "<Activity>"])
      expect(new Set(writing.filter((each) => each.startsWith(table))).size).toBeLessThanOrEqual(1);
  },
);

/** Actions with which a transaction writes: they share their partitions. */
const WRITING = /\b(?:Put|Update|Delete)Item\b/;

/** Statements about items as one line for each action and partition, without repetitions. Those that write are one action. */
function permissionsOf(lines: readonly string[]): string[] {
  const permissions = lines.flatMap((line) => {
    const [, actions = "", table, keys = ""] = /^(\S+) (<(?:Accounts|Usage|Activity)>) (.+)$/.exec(line) ?? [];
    if (table === undefined) return [line];
    const merged = actions.split("+").map((action) => (WRITING.test(action) ? "Write" : action));
    return merged.flatMap((action) => keys.split(" ").map((key) => `${action} ${table} ${key}`));
  });
  return [...new Set(permissions)];
}

test.each(Object.keys(permissions))("the role of %s allows writing no log but its own", (file) => {
  const logs = statements(file).filter((statement) => statement.includes("Log"));
  expect(logs).toEqual([
    `CreateLogStream+PutLogEvents <${functions.get(file)?.Properties.LoggingConfig.LogGroup.Ref}.Arn>`,
  ]);
});

const environments = {
  screenshot: [
    "ACCOUNTS_TABLE",
    "ACTIVITY_TABLE",
    "BASE_URL",
    "BLOCKING_FILES",
    "CAPTURE_LIMITS",
    "CHROMIUM_FILES",
    "DATA_KEY",
    "FONT_FILES",
    "MAX_CONCURRENT_CAPTURES",
    "MAX_STREAMED_RESULT_BYTES",
    "RENDER_QUEUE_URL",
    "RESULTS_BUCKET",
    "USAGE_RETENTION_DAYS",
    "USAGE_TABLE",
  ],
  render: [
    "ACTIVITY_TABLE",
    "BLOCKING_FILES",
    "CAPTURE_LIMITS",
    "CHROMIUM_FILES",
    "FAILED_RENDER_QUEUE_URL",
    "FONT_FILES",
    "RENDER_QUEUE_URL",
    "RESULTS_BUCKET",
    "USAGE_RETENTION_DAYS",
    "USAGE_TABLE",
    "WEBHOOK_QUEUE_URL",
  ],
  "dead-letters": [
    "ACTIVITY_TABLE",
    "FAILED_RENDER_QUEUE_URL",
    "RENDER_DEAD_LETTER_QUEUE_URL",
    "USAGE_RETENTION_DAYS",
    "USAGE_TABLE",
    "WEBHOOK_QUEUE_URL",
  ],
  webhook: [
    "ACCOUNTS_TABLE",
    "ACTIVITY_TABLE",
    "BASE_URL",
    "DATA_KEY",
    "RESULTS_BUCKET",
    "USAGE_RETENTION_DAYS",
    "USAGE_TABLE",
    "WEBHOOK_DEAD_LETTER_QUEUE_ARN",
    "WEBHOOK_QUEUE_URL",
    "WEBHOOK_SCHEDULE_GROUP",
    "WEBHOOK_SCHEDULE_ROLE_ARN",
  ],
  api: [
    "ACCOUNTS_TABLE",
    "ACCOUNT_DATA_QUEUE_URL",
    "ACTIVITY_TABLE",
    "BASE_URL",
    "DATA_KEY",
    "MAX_CONCURRENT_CAPTURES",
    "MAX_STREAMED_RESULT_BYTES",
    "MAX_WAITING_BULKS",
    "RENDER_QUEUE_URL",
    "RESULTS_BUCKET",
    "USAGE_RETENTION_DAYS",
    "USAGE_TABLE",
    "WEBHOOK_QUEUE_URL",
  ],
  identity: [
    "ACCOUNTS_TABLE",
    "ACCOUNT_DATA_QUEUE_URL",
    "ACTIVITY_TABLE",
    "BASE_URL",
    "DATA_KEY",
    "USAGE_TABLE",
    "WEBHOOK_QUEUE_URL",
  ],
  "account-data": [
    "ACCOUNTS_TABLE",
    "ACCOUNT_DATA_QUEUE_URL",
    "ACTIVITY_TABLE",
    "BASE_URL",
    "DELETION_SWEEP_SECONDS",
    "RESULTS_BUCKET",
    "USAGE_RETENTION_DAYS",
    "USAGE_TABLE",
  ],
  "budget-guard": ["USAGE_TABLE"],
  "billing-run": ["ACCOUNTS_TABLE", "ACTIVITY_TABLE", "USAGE_TABLE", "WEBHOOK_QUEUE_URL"],
  canary: [
    "ACCOUNTS_TABLE",
    "ACTIVITY_TABLE",
    "BASE_URL",
    "BLOCKING_FILES",
    "CHROMIUM_FILES",
    "FONT_FILES",
    "LAUNCH_AHEAD",
    "RESULTS_BUCKET",
  ],
  web: ["ACTIVITY_TABLE", "BASE_URL", "KEYLESS_CAPTURES_PER_DAY"],
  mcp: ["BASE_URL"],
};

test.each(Object.entries(environments))(
  "the environment of %s names the resources that it uses, and no others",
  (file, expected) => {
    const names = Object.keys(environment(file)).filter((name) => !(name in ofAll));
    expect(names.toSorted()).toEqual(expected);
  },
);

/** Of glibc: one arena, and freed blocks of 7.5 KB and more return to the kernel. Metrics have the name of the stage. */
const ofAll = { STAGE_NAME: "dev", MALLOC_ARENA_MAX: "1", MALLOC_MMAP_THRESHOLD_: "7680", MALLOC_TOP_PAD_: "4096" };

test.each(Object.keys(environments))("%s returns freed memory to the kernel, and knows its stage", (file) => {
  expect(environment(file)).toMatchObject(ofAll);
});

describe.each([
  ["screenshot", 2048],
  ["render", 3008],
])("%s, which runs Chromium", (file, memory) => {
  test("has the memory, disk space and timeout of a browser function", () => {
    expect(functions.get(file)?.Properties).toMatchObject({
      MemorySize: memory,
      EphemeralStorage: { Size: 2048 },
      Timeout: 120,
      Architectures: ["x86_64"],
    });
  });

  test("has layers with the packed browser, the fonts and the filter lists", () => {
    expect(environment(file)).toMatchObject({
      CHROMIUM_FILES: "/opt/chromium",
      FONT_FILES: "/opt/fonts",
      BLOCKING_FILES: "/opt/blocking",
    });
    expect(layers(file)).toEqual(["Chromium", "Filter", "Fonts"]);
  });
});

test("concurrency is reserved for the functions that the stage names, and for none where a new account could not", () => {
  const reserved = functionsOf(templatesOf(everySetting).service);
  const reservations = (among: typeof functions) =>
    [...among].flatMap(([file, { Properties }]) =>
      Properties.ReservedConcurrentExecutions === undefined ? [] : [[file, Properties.ReservedConcurrentExecutions]],
    );
  expect(reservations(reserved)).toEqual([
    ["screenshot", 5],
    ["identity", 20],
    ["web", 20],
  ]);
  for (const stage of ["dev", "local"] as const) {
    expect(reservations(functionsOf(templatesOf(stage).service))).toEqual([]);
  }
});

/** A stage with a base URL of its own, whose captures may reach private addresses. */
const ownAddresses = {
  ...stageConfig("local"),
  allowOrigins: ["127.0.0.1:80", "[::1]:81"],
  baseUrl: "https://api.example.com",
};

test("captures reach private addresses only where the stage lists them, which takes two environment variables", () => {
  const allowing = functionsOf(templatesOf(ownAddresses).service);
  const reaching = [...allowing.keys()].filter((file) => "CAPTURE_ALLOW_ORIGINS" in environment(file, allowing));
  expect(reaching.toSorted()).toEqual(["api", "identity", "render", "renderer", "screenshot", "webhook"]);
  for (const file of reaching) {
    expect(environment(file, allowing)).toMatchObject({
      CAPTURE_ALLOW_ORIGINS: "127.0.0.1:80,[::1]:81",
      CAPTURE_ALLOW_ORIGINS_PERMITTED: "true",
    });
  }
});

test("links begin with API Gateway's address, which is known before its stage exists", () => {
  expect(readable(environment("screenshot")["BASE_URL"])).toMatch(
    /^https:\/\/<ApiRest\w+>\.execute-api\.<AWS::Region>\.<AWS::URLSuffix>\/live$/,
  );
});

test("links begin with the base URL of the stage where it has one", () => {
  const custom = templatesOf(ownAddresses).service;
  expect(environment("screenshot", functionsOf(custom))["BASE_URL"]).toBe("https://api.example.com");
});

test("functions that record or read usage get the retention of the stage", () => {
  const brief = functionsOf(templatesOf(everySetting).service);
  for (const file of ["screenshot", "render", "dead-letters", "webhook", "api"]) {
    expect(environment(file, brief)).toMatchObject({ USAGE_RETENTION_DAYS: "30" });
  }
});

function environment(file: string, among = functions): Record<string, unknown> {
  return among.get(file)?.Properties.Environment?.Variables ?? {};
}

/** The layers of a function, by the first word of their descriptions. */
function layers(file: string): string[] {
  const descriptions = new Map(
    resources(service, "AWS::Lambda::LayerVersion").map(([id, layer]) => [
      id,
      layer.Properties.Description.split(" ")[0],
    ]),
  );
  return functions
    .get(file)
    ?.Properties.Layers.map(({ Ref }: { Ref: string }) => descriptions.get(Ref))
    .toSorted();
}

/** Each statement of a function's role in one line: actions, resources, leading keys, other conditions. */
function statements(file: string, template = service): string[] {
  const role = functionsOf(template).get(file)?.Properties.Role["Fn::GetAtt"][0];
  const policies = resources(template, "AWS::IAM::Policy").filter(([, policy]) =>
    policy.Properties.Roles.some(({ Ref }: { Ref: string }) => Ref === role),
  );
  return policies.flatMap(([, policy]) => policy.Properties.PolicyDocument.Statement.map(line));
}

function line({ Action, Resource, NotResource, Condition, ...rest }: Resource["Properties"]): string {
  expect(rest).toEqual({ Effect: "Allow" });
  const actions = [Action].flat().map((action: string) => action.split(":")[1]);
  const { "ForAllValues:StringLike": keys, ...others } = Condition ?? {};
  const named = [NotResource ?? Resource].flat().map(readable).join(" ");
  const resource = NotResource ? `all but ${named}` : named;
  const conditions = Object.entries(others).flatMap(([operator, values]) =>
    Object.entries(values as object)
      // Of every statement about objects; see the invariants.
      .filter(([key]) => key !== "aws:ResourceAccount" && key !== "sts:RoleSessionName")
      .map(([key, value]) => `if ${operator} ${key}=${value}`),
  );
  return [actions.join("+"), resource, ...(keys?.["dynamodb:LeadingKeys"] ?? []), ...conditions].join(" ");
}

describe("a stage with Chromium in a function of its own", () => {
  const separate = templatesOf({ ...stageConfig("prod"), renderer: "separate" }).service;
  const files = functionsOf(separate);

  test("gives the renderer no right but to write its log", () => {
    expect(statements("renderer", separate)).toEqual([
      expect.stringMatching(/^CreateLogStream\+PutLogEvents <RendererLog\w+\.Arn>$/),
    ]);
  });

  test("runs it for every function that captures for an account, none of which has Chromium", () => {
    const callers = [...files.keys()].filter((file) => "RENDERER_FUNCTION" in environment(file, files));
    expect(callers.toSorted()).toEqual(["canary", "invoice-pdf", "mcp", "render", "screenshot"]);
    for (const file of callers) expect(files.get(file)?.Properties.Layers).toBeUndefined();
  });

  test("lets the MCP server have pictures made, and do nothing else", () => {
    const rights = statements("mcp", separate).filter((statement) => !statement.includes("Log"));
    expect(permissionsOf(rights)).toEqual([expect.stringMatching(/^InvokeFunction <Renderer\w+\.Arn>:live$/)]);
  });

  test("gives it and its callers more time than the longest rendering is waited for", () => {
    for (const file of ["renderer", "screenshot", "render"])
      expect(files.get(file)?.Properties.Timeout * 1000).toBeGreaterThan(MAX_RENDERING_MS);
  });

  test("counts it among the functions that Lambda may refuse to run, and tells its callers its memory", () => {
    const alarms = Object.values(separate.findResources("AWS::CloudWatch::Alarm"));
    const alarm = alarms.find(({ Properties }) => Properties.AlarmName.endsWith("-throttled-captures"));
    expect(JSON.stringify(alarm)).toMatch(/"Ref":"Renderer[0-9A-F]{8}"/);
    const memory = files.get("renderer")?.Properties.MemorySize;
    expect(environment("screenshot", files)["RENDERER_MEMORY_MB"]).toBe(String(memory));
  });
});
