// What is stored: the table of the documentation has every place of the templates in which a function can store data, and no other.
import { expect, test } from "vitest";
import { type StorageLocations, storedData } from "../../lib/service/account-data/stored-data.ts";
import { everySetting } from "./every-setting.ts";
import { functionsOf, readable, resources, templatesOf } from "./synthesized.ts";

const { data, service } = templatesOf(everySetting);

const listed = (place: keyof StorageLocations): string[] =>
  [...new Set(storedData.flatMap(({ where }) => where[place] ?? []))].toSorted();

interface PolicyStatement {
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: Record<string, Record<string, readonly string[]>>;
}

const statements: PolicyStatement[] = resources(service, "AWS::IAM::Policy").flatMap(
  ([, { Properties }]) => Properties.PolicyDocument.Statement,
);

/** The starts of the partition keys of a table that roles of functions name, up to the first `#`. */
function grantedPartitions(table: string): string[] {
  const keys = statements
    .filter(({ Resource }) => safelyReadable(Resource) === `<${table}>`)
    .flatMap(({ Condition }) => Condition?.["ForAllValues:StringLike"]?.["dynamodb:LeadingKeys"] ?? []);
  return [...new Set(keys.map((key) => key.split("#")[0] ?? ""))].toSorted();
}

test.each([
  ["Accounts", "accounts"],
  ["Usage", "usage"],
  ["Activity", "activity"],
] as const)("stored data: has each partition of the table %s that a role names", (table, place) => {
  const granted = grantedPartitions(table);
  expect(granted.length).toBeGreaterThan(5);
  expect(listed(place)).toEqual(granted);
});

test("stored data: has each prefix of the bucket", () => {
  const [[, bucket] = []] = resources(data, "AWS::S3::Bucket");
  const rules: { Prefix?: string }[] = bucket?.Properties.LifecycleConfiguration.Rules;
  const expiring = rules.flatMap(({ Prefix }) => Prefix?.replace("/", "") ?? []);
  const granted = statements
    .flatMap(({ Resource }) => Resource)
    .flatMap((resource) => /^<Results>\/(.+?)\//.exec(safelyReadable(resource))?.[1] ?? []);
  const kept = ["status"]; // the status page, which is replaced
  expect(new Set(granted)).toEqual(new Set([...expiring, ...kept]));
  expect(listed("bucket")).toEqual([...expiring, ...kept].toSorted());
});

test("stored data: has each queue, and the schedules that send to one", () => {
  const queues = resources(data, "AWS::SQS::Queue").map(([id]) => id.replace(/^Queues(.+)[0-9A-F]{8}$/, "$1"));
  expect(resources(data, "AWS::Scheduler::ScheduleGroup")).toHaveLength(1);
  expect(listed("queues")).toEqual([...queues, "WebhookSchedules"].toSorted());
});

test("stored data: has each log", () => {
  const logs = resources(service, "AWS::Logs::LogGroup").map(([id]) => id);
  const ofFunctions = [...functionsOf(service).values()].map(
    ({ Properties }) => Properties.LoggingConfig?.LogGroup.Ref,
  );
  const others = logs.filter((id) => !ofFunctions.includes(id)).map((id) => id.slice(0, -8).replace(/^Api/, ""));
  expect(ofFunctions.length).toBeGreaterThan(10);
  expect(listed("logs")).toEqual([...others, "functions"].toSorted());
});

test("stored data: names no other tables, buckets, or stores", () => {
  const stores =
    /^AWS::(?:DynamoDB|S3|SQS|Logs|RDS|EFS|Kinesis|KinesisFirehose|ElastiCache|Scheduler|OpenSearchService)::(?!.*Policy$)/;
  const types = [data, service].flatMap((template) =>
    Object.values<{ Type: string }>(template.toJSON()["Resources"]).map(({ Type }) => Type),
  );
  expect([...new Set(types.filter((type) => stores.test(type)))].toSorted()).toEqual([
    "AWS::DynamoDB::GlobalTable",
    "AWS::Logs::LogGroup",
    "AWS::S3::Bucket",
    "AWS::SQS::Queue",
    "AWS::Scheduler::ScheduleGroup",
  ]);
});

/** Empty for what no test reads. */
function safelyReadable(resource: unknown): string {
  try {
    return readable(resource);
  } catch {
    return "";
  }
}
