// What each function is told and may do.
import { describe, expect, test } from "vitest";
import { stageConfig } from "../../lib/infra/stages.ts";
import { functionsOf, type Resource, readable, resources, templatesOf } from "./synthesized.ts";

const { service } = templatesOf("dev");
const functions = functionsOf(service);

/** What finds out who is calling. */
const looksUpCallers = "GetItem <Accounts> CALLER#*";

/** The same, and what holds callers to their rate limit. */
const ofCallers = [looksUpCallers, "UpdateItem <Usage> REQUESTS#*"];

/** What changes an account's keys, and tells when they were used. */
const managesKeys = [
  "Query <Accounts> ACCOUNT#*",
  "PutItem <Accounts> ACCOUNT#* CALLER#* LINK#*",
  "Query+UpdateItem <Usage> REQUESTS#*",
];

/** What records the end of a capture, and gives back what was held for it. */
const recordsCaptures = [
  "UpdateItem <Usage> PERIODS#* MONTHS#* HOURS#*",
  "UpdateItem <Usage> SLOTS#*",
  "PutItem <Activity> LOG#*#*",
];

/** Results, by their lifetimes. */
const results = "<Results>/1-day/* <Results>/30-days/* <Results>/7-days/*";
/** What is known of large ones. */
const facts = "<Results>/1-day/*.facts <Results>/30-days/*.facts <Results>/7-days/*.facts";

/** What takes captures, or finds them in the cache, and stores them; `references` is what it does to those. */
const takesCaptures = (references: readonly string[]) => [
  `AbortMultipartUpload+PutObject ${results}`,
  `GetObject ${results}`,
  "GetItem+PutItem <Activity> CACHE#*",
  "DeleteItem+GetItem+PutItem+UpdateItem <Activity> FLIGHTS#*",
  ...references,
  ...recordsCaptures,
  expect.stringMatching("^AssumeRole all but "),
];

/** How Lambda takes the messages of a queue for a function, whose code can only put off the one it has. */
const takesMessages = (queue: string) => [
  `DeleteMessage+GetQueueAttributes+ReceiveMessage <${queue}> if Null lambda:SourceFunctionArn=true`,
  `ChangeMessageVisibility <${queue}>`,
];

/** What carries out a request with an `Idempotency-Key` once. */
const repeatsAnswers = "DeleteItem+GetItem+PutItem+UpdateItem <Activity> ANSWERS#*";

/** The whole of what the roles allow, apart from writing the function's own log. */
const permissions = {
  screenshot: [
    "DeleteItem+PutItem <Activity> JOBS#*",
    "SendMessage <QueuesRender>",
    "GetItem <Accounts> LINK#*",
    "DeleteObject+PutObject <Results>/options/*",
    "GetItem+UpdateItem <Usage> PERIODS#*",
    ...takesCaptures(["UpdateItem <Activity> REFERENCES#*"]),
    "GetItem <Accounts> SECRET#result-links",
    repeatsAnswers,
    "AbortMultipartUpload+GetObject+PutObject <Results>/answers/*",
    ...ofCallers,
  ],
  render: [
    ...takesMessages("QueuesRender"),
    "DeleteObject+GetObject <Results>/options/*",
    "PutItem+UpdateItem <Activity> REFERENCES#*",
    ...takesCaptures([]),
    "GetItem+UpdateItem <Activity> JOBS#*",
    "SendMessage <QueuesWebhook>",
  ],
  webhook: [
    "GetItem <Accounts> ACCOUNT#*",
    `GetObject ${facts}`,
    ...takesMessages("QueuesWebhook"),
    "GetItem+UpdateItem <Usage> SLOTS#*", // it sees, too, which receivers hung
    ...recordsCaptures.filter((statement) => !statement.includes("SLOTS")),
    "GetItem+UpdateItem <Activity> JOBS#*",
    "GetItem <Accounts> SECRET#result-links",
  ],
  job: [
    `GetObject ${facts}`,
    `DeleteObject ${results}`,
    "UpdateItem <Activity> REFERENCES#*",
    "DeleteItem <Activity> CACHE#*",
    "GetItem+UpdateItem <Activity> JOBS#*",
    "GetItem <Accounts> SECRET#result-links",
    ...ofCallers,
  ],
  redelivery: ["GetItem+UpdateItem <Activity> JOBS#*", "SendMessage <QueuesWebhook>", repeatsAnswers, ...ofCallers],
  bulk: [
    "GetItem+UpdateItem <Usage> PERIODS#*",
    "UpdateItem <Usage> SLOTS#*",
    "DeleteItem+GetItem+PutItem <Activity> JOBS#*",
    "DeleteObject+PutObject <Results>/options/*",
    `GetObject ${facts}`,
    "SendMessage <QueuesRender>",
    "GetItem <Accounts> SECRET#result-links",
    repeatsAnswers,
    ...ofCallers,
  ],
  storage: ["GetItem <Accounts> SECRET#result-links", `GetObject ${results}`],
  usage: ["Query <Usage> MONTHS#* HOURS#*", "Query <Activity> LOG#*#*", ...ofCallers],
  "usage-stats": ["Query <Usage> MONTHS#* HOURS#*", ...ofCallers],
  account: ["GetItem <Usage> PERIODS#*", ...ofCallers],
  invoices: ["Query+UpdateItem <Usage> PERIODS#*", ...ofCallers],
  keys: [...managesKeys, repeatsAnswers, looksUpCallers],
  key: [...managesKeys, looksUpCallers],
  "key-rotation": [...managesKeys, repeatsAnswers, looksUpCallers],
  openapi: [],
  health: [],
  unmatched: [],
};

test.each(Object.entries(permissions))("%s may do no more than it needs", (file, expected) => {
  expect(statements(file).filter((statement) => !statement.includes("Log"))).toEqual(expected);
});

test.each(Object.keys(permissions))("%s writes its own log only", (file) => {
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
    "FONT_FILES",
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
    "FONT_FILES",
    "RENDER_QUEUE_URL",
    "RESULTS_BUCKET",
    "USAGE_RETENTION_DAYS",
    "USAGE_TABLE",
    "WEBHOOK_QUEUE_URL",
  ],
  webhook: [
    "ACCOUNTS_TABLE",
    "ACTIVITY_TABLE",
    "BASE_URL",
    "RESULTS_BUCKET",
    "USAGE_RETENTION_DAYS",
    "USAGE_TABLE",
    "WEBHOOK_QUEUE_URL",
  ],
  job: ["ACCOUNTS_TABLE", "ACTIVITY_TABLE", "BASE_URL", "RESULTS_BUCKET", "USAGE_TABLE"],
  redelivery: ["ACCOUNTS_TABLE", "ACTIVITY_TABLE", "BASE_URL", "USAGE_TABLE", "WEBHOOK_QUEUE_URL"],
  bulk: ["ACCOUNTS_TABLE", "ACTIVITY_TABLE", "BASE_URL", "RENDER_QUEUE_URL", "RESULTS_BUCKET", "USAGE_TABLE"],
  storage: ["ACCOUNTS_TABLE", "MAX_STREAMED_RESULT_BYTES", "RESULTS_BUCKET"],
  usage: ["ACCOUNTS_TABLE", "ACTIVITY_TABLE", "BASE_URL", "USAGE_RETENTION_DAYS", "USAGE_TABLE"],
  "usage-stats": ["ACCOUNTS_TABLE", "USAGE_RETENTION_DAYS", "USAGE_TABLE"],
  account: ["ACCOUNTS_TABLE", "USAGE_TABLE"],
  invoices: ["ACCOUNTS_TABLE", "USAGE_TABLE"],
  keys: ["ACCOUNTS_TABLE", "ACTIVITY_TABLE", "USAGE_TABLE"],
  key: ["ACCOUNTS_TABLE", "USAGE_TABLE"],
  "key-rotation": ["ACCOUNTS_TABLE", "ACTIVITY_TABLE", "USAGE_TABLE"],
  openapi: ["BASE_URL"],
  health: [],
  unmatched: [],
};

test.each(Object.entries(environments))("%s is told where to find what it may use", (file, expected) => {
  const names = Object.keys(environment(file)).filter((name) => !(name in allocation));
  expect(names.toSorted()).toEqual(expected);
});

/** Of glibc: one heap, and blocks of 64 KB and more go back when they are freed. */
const allocation = { MALLOC_ARENA_MAX: "1", MALLOC_MMAP_THRESHOLD_: "7680", MALLOC_TOP_PAD_: "4096" };

test.each(Object.keys(environments))("%s gives back the memory that it has used", (file) => {
  expect(environment(file)).toMatchObject(allocation);
});

describe.each([
  ["screenshot", 2048],
  ["render", 3008],
])("%s, which runs Chromium,", (file, memory) => {
  test("has memory, disk and time for it", () => {
    expect(functions.get(file)?.Properties).toMatchObject({
      MemorySize: memory,
      EphemeralStorage: { Size: 2048 },
      Timeout: 120,
      Architectures: ["x86_64"],
    });
  });

  test("finds the packed browser, the fonts and the filter lists in its layers", () => {
    expect(environment(file)).toMatchObject({
      CHROMIUM_FILES: "/opt/chromium",
      FONT_FILES: "/opt/fonts",
      BLOCKING_FILES: "/opt/blocking",
    });
    expect(layers(file)).toEqual(["Chromium", "Filter", "Fonts"]);
  });
});

test("concurrency is reserved only where the stage asks for it, and for those who wait for an answer", () => {
  const reserved = functionsOf(templatesOf({ ...stageConfig("prod"), browserConcurrency: 5 }).service);
  const reservations = (among: typeof functions) =>
    [...among].flatMap(([file, { Properties }]) =>
      Properties.ReservedConcurrentExecutions === undefined ? [] : [[file, Properties.ReservedConcurrentExecutions]],
    );
  expect([reservations(functions), reservations(reserved)]).toEqual([[], [["screenshot", 5]]]);
});

test("private addresses are reached only where the stage lists them, and it says so twice", () => {
  const allowing = functionsOf(
    templatesOf({ ...stageConfig("local"), allowOrigins: ["127.0.0.1:80", "[::1]:81"] }).service,
  );
  const reaching = [...allowing.keys()].filter((file) => "CAPTURE_ALLOW_ORIGINS" in environment(file, allowing));
  expect(reaching.toSorted()).toEqual(["bulk", "render", "screenshot", "webhook"]);
  for (const file of reaching) {
    expect(environment(file, allowing)).toMatchObject({
      CAPTURE_ALLOW_ORIGINS: "127.0.0.1:80,[::1]:81",
      CAPTURE_ALLOW_ORIGINS_PERMITTED: "true",
    });
  }
});

test("links start with API Gateway's address, which is known before its stage exists", () => {
  expect(readable(environment("screenshot")["BASE_URL"])).toMatch(
    /^https:\/\/<ApiRest\w+>\.execute-api\.<AWS::Region>\.<AWS::URLSuffix>\/live$/,
  );
});

test("links start with the stage's own domain where it has one", () => {
  const custom = templatesOf({ ...stageConfig("prod"), baseUrl: "https://api.example.com" }).service;
  expect(environment("screenshot", functionsOf(custom))["BASE_URL"]).toBe("https://api.example.com");
});

test("captures are listed and counted for as long as the stage says, by all that record and read them", () => {
  const brief = functionsOf(templatesOf({ ...stageConfig("prod"), usageRetentionDays: 30 }).service);
  for (const file of ["screenshot", "render", "webhook", "usage", "usage-stats"]) {
    expect(environment(file, brief)).toMatchObject({ USAGE_RETENTION_DAYS: "30" });
  }
});

function environment(file: string, among = functions): Record<string, unknown> {
  return among.get(file)?.Properties.Environment?.Variables ?? {};
}

/** What the layers of a function hold, by the first word of their descriptions. */
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

/** Each statement of a function's role in a line: actions, resources, the partitions it is held to, and what else is asked. */
function statements(file: string): string[] {
  const role = functions.get(file)?.Properties.Role["Fn::GetAtt"][0];
  const policies = resources(service, "AWS::IAM::Policy").filter(([, policy]) =>
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
