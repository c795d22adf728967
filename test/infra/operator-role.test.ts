// What the role of the operator's function can't do, judged by the evaluator of policies: each with what it can do, next to it.
import { describe, expect, test } from "vitest";
import { stageConfig } from "../../lib/infra/stages.ts";
import * as keys from "../../lib/service/aws/table-keys.ts";
import { evaluate } from "../../lib/tools/local/iam/evaluate.ts";
import { everySetting } from "./every-setting.ts";
import { roleOf, statementsOf } from "./role-statements.ts";
import { functionsOf, type Resource, templatesOf } from "./synthesized.ts";

const { service } = templatesOf(everySetting);
const functions = functionsOf(service);
const statements = statementsOf(service, roleOf(functions.get("operator") as Resource));

type Table = "Accounts" | "Usage" | "Activity";

/** Whether the role may do something. */
function may(action: string, resource: string, context: Record<string, string[]> = {}): boolean {
  return evaluate({ identity: statements, resource: [] }, { action, resource, context }).isAllowed;
}

/** Whether the role may do something with the items of a partition. */
const mayItems = (action: string, table: Table, pk: string) =>
  may(`dynamodb:${action}`, `arn:aws:reference:::<${table}>`, { "dynamodb:LeadingKeys": [pk] });

const READING = ["GetItem", "BatchGetItem", "Query"];
const WRITING = ["PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem"];
const hash = "0".repeat(64);

describe("operator's role: it can't read", () => {
  test.each([
    ["secrets", keys.linkSecretKey.pk],
    ["data keys", keys.dataKeyKey("stage").pk],
    ["the operator's secret", keys.operatorSecretKey.pk],
    ["sessions of customers", keys.sessionsPartition(7)],
    ["codes of customers", keys.signInCodeKey(hash).pk],
    ["links to sign in, which it creates", keys.signInLinkKey(hash).pk],
    ["links that undo a change of address", keys.addressUndoPartition(7)],
    ["links that report a sign-in", keys.signInReportsPartition(7)],
    ["secrets of webhook receivers", keys.receiverSecretsPartition(7)],
    ["callers, by which keys authenticate", keys.callerKey(hash).pk],
  ])("%s", (_, pk) => {
    for (const action of READING) expect([action, mayItems(action, "Accounts", pk)]).toEqual([action, false]);
    expect(mayItems("Query", "Accounts", keys.accountPartition(7))).toBe(true);
    expect(mayItems("GetItem", "Accounts", keys.operatorKey("SESSION", hash).pk)).toBe(true);
  });

  test.each([
    ["jobs, which have results", keys.jobsPartition(7)],
    ["cached results", keys.cachePartition(7)],
    ["stored responses", keys.responsesPartition(7)],
    ["exports", keys.exportsPartition(7)],
    ["kept events of webhooks", keys.storedEventsPartition(7)],
    ["pictures of visitors", keys.keylessPicturePartition(hash)],
  ])("%s", (_, pk) => {
    for (const action of READING) expect([action, mayItems(action, "Activity", pk)]).toEqual([action, false]);
    expect(mayItems("Query", "Activity", keys.logPartition(7, "2026-01"))).toBe(true);
  });

  test.each(["1-day", "7-days", "30-days", "renderings", "options", "answers", "exports"])(
    "objects in %s",
    (prefix) => {
      const read = (name: string) =>
        may("s3:GetObject", `arn:aws:reference:::<Results>/${name}/x`, { "aws:ResourceAccount": ["<AWS::AccountId>"] });
      expect(read(prefix)).toBe(false);
      expect(read("thumbnails")).toBe(true); // as the stage shows pictures
    },
  );

  test("thumbnails, in a stage that shows no pictures", () => {
    const hidden = templatesOf({ ...everySetting, operators: { addresses: [], showsPictures: false } }).service;
    const role = statementsOf(hidden, roleOf(functionsOf(hidden).get("operator") as Resource));
    expect(role.flatMap(({ actions }) => actions).filter((action) => /s3/.test(JSON.stringify(action)))).toEqual([]);
  });

  test("secrets by KMS", () => {
    expect(may("kms:Decrypt", "arn:aws:reference:::<Accounts>", { "kms:EncryptionContext:purpose": ["stage"] })).toBe(
      false,
    );
  });
});

test.each(["Scan", "ListTables", "DescribeTable", "PartiQLSelect", "ExportTableToPointInTime", "BatchWriteItem"])(
  "operator's role: it can't %s any table",
  (action) => {
    for (const table of ["Accounts", "Usage", "Activity"] as const)
      for (const pk of ["AUDIT#2026-01", "ACCOUNT#7", "PERIODS#7", "DIRECTORY#ACCOUNTS"])
        expect(mayItems(action, table, pk)).toBe(false);
  },
);

describe("operator's role: the audit log", () => {
  const AUDIT = keys.auditPartition("2026-01");

  test("is added to and read, and never changed", () => {
    const allowed = [...READING, ...WRITING].filter((action) => mayItems(action, "Activity", AUDIT));
    expect(allowed).toEqual(["Query", "PutItem"]);
  });

  test("is all that it writes in its table", () => {
    const events = keys.operatorEventsPartition("2026-01");
    for (const pk of [keys.logPartition(7, "2026-01"), keys.jobsPartition(7), keys.canaryKey.pk, events])
      expect(WRITING.filter((action) => mayItems(action, "Activity", pk))).toEqual([]);
  });

  test("is written by no other function but those of payments, which change plans and suspend accounts", () => {
    const others = [...functions].filter(([file]) => file !== "operator");
    const writers = others.filter(([, fn]) =>
      WRITING.some(
        (action) =>
          evaluate(
            { identity: statementsOf(service, roleOf(fn)), resource: [] },
            {
              action: `dynamodb:${action}`,
              resource: "arn:aws:reference:::<Activity>",
              context: { "dynamodb:LeadingKeys": [AUDIT] },
            },
          ).isAllowed,
      ),
    );
    expect(writers.map(([file]) => file)).toEqual(["billing", "billing-run"]);
  });
});

test("operator's role: it puts accounts, and updates or deletes nothing in their table", () => {
  const partitions = [
    keys.accountPartition(7),
    keys.callerKey(hash).pk,
    keys.linkKey(7).pk,
    keys.directoryRowKey(7).pk,
    keys.signInLinkKey(hash).pk,
    keys.operatorKey("SESSION", hash).pk,
  ];
  for (const pk of partitions)
    expect(WRITING.filter((action) => mayItems(action, "Accounts", pk))).toEqual(["PutItem"]);
  const others = [
    keys.sessionsPartition(7),
    keys.emailKey(hash).pk,
    keys.trialKey(hash).pk,
    keys.receiversPartition(7),
    "SECRET#x",
  ];
  for (const pk of others) expect(WRITING.filter((action) => mayItems(action, "Accounts", pk))).toEqual([]);
});

test("operator's role: it receives no message of any queue, and sends to that of webhooks alone", () => {
  const queues = [
    "QueuesRender",
    "QueuesWebhook",
    "QueuesFailedRenders",
    "QueuesWebhookDeadLetters",
    "QueuesAccountData",
  ];
  for (const queue of queues) {
    const resource = `arn:aws:reference:::<${queue}>`;
    const allowed = ["ReceiveMessage", "DeleteMessage", "ChangeMessageVisibility", "PurgeQueue", "SendMessage"].filter(
      (action) => may(`sqs:${action}`, resource),
    );
    expect([queue, allowed]).toEqual([queue, queue === "QueuesWebhook" ? ["SendMessage"] : []]);
  }
});

test("operator's role: it invokes the function of dead letters alone", () => {
  const invoked = [...functions].filter(([, fn]) =>
    ["", ":live"].some((suffix) => may("lambda:InvokeFunction", `arn:aws:reference:::<${fn.id}.Arn>${suffix}`)),
  );
  expect(invoked.map(([file]) => file)).toEqual(["dead-letters"]);
});

test("operators: a stage with them has one function more, of 13 in dev", () => {
  const dev = functionsOf(templatesOf("dev").service);
  const operated = functionsOf(templatesOf({ ...stageConfig("dev"), operators: everySetting.operators }).service);
  expect([dev.size, operated.size]).toEqual([13, 14]);
  expect([...operated.keys()].filter((file) => !dev.has(file))).toEqual(["operator"]);
});

test("operator's secret: no function reads it but those that sign webhooks and addresses, and verify calls", () => {
  const readers = [...functions].filter(
    ([, fn]) =>
      evaluate(
        { identity: statementsOf(service, roleOf(fn)), resource: [] },
        {
          action: "dynamodb:GetItem",
          resource: "arn:aws:reference:::<Accounts>",
          context: { "dynamodb:LeadingKeys": [keys.operatorSecretKey.pk] },
        },
      ).isAllowed,
  );
  expect(readers.map(([file]) => file)).toEqual(["identity", "billing", "webhook"]);
});
