// The data keys of a stage: created once, decrypted by KMS once per process, and apart by what a function may decrypt.
import { DeleteCommand, GetCommand, PutCommand, ScanCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import {
  findLinkCaller,
  readKeyRing,
  readKeySecrets,
  updateKeyRing,
} from "../../../lib/service/account/account-store.ts";
import { openAccount } from "../../../lib/service/account/open-account.ts";
import { dynamodb } from "../../../lib/service/aws/clients/dynamodb.ts";
import { kms } from "../../../lib/service/aws/clients/kms.ts";
import {
  apiKeyKey,
  dataKeyKey,
  linkKey,
  linkSecretKey,
  receiverSecretsKey,
} from "../../../lib/service/aws/table-keys.ts";
import { issueKey } from "../../../lib/service/keys/issue-key.ts";
import { withKey } from "../../../lib/service/keys/key-ring.ts";
import { rotateKey } from "../../../lib/service/keys/rotate-key.ts";
import type { Receiver } from "../../../lib/service/receivers/receiver.ts";
import { createReceiver, readReceiverSecrets } from "../../../lib/service/receivers/receiver-store.ts";
import { linkSecret } from "../../../lib/service/results/link-secret.ts";
import type * as DataKeys from "../../../lib/service/secrets/data-keys.ts";
import { makeTable, type RunningTables, startTables } from "../../support/tables.ts";

let running: RunningTables;
let table: string;
beforeAll(async () => {
  running = await startTables();
  table = running.tables.accounts;
});
afterAll(() => running.close());
afterEach(() => vi.unstubAllEnvs());

const now = Date.now();
const open = (label: string, into = table) => openAccount(into, { plan: "pro", label, now });

async function readItem(key: Record<string, string>, from = table) {
  return (await dynamodb().send(new GetCommand({ TableName: from, Key: key }))).Item ?? {};
}

const receiver = (account_id: number): Receiver => ({
  id: "rcv_0000000000000001",
  account_id,
  name: "Orders",
  url: "https://customer.example/hook",
  status: "active",
  created_at: new Date(now).toISOString(),
});

/** The modules of another process, which has cached nothing. */
async function inAnotherProcess(dataKey: "stage" | "links") {
  vi.resetModules();
  vi.stubEnv("DATA_KEY", dataKey);
  const [store, receivers, results, keys, client] = await Promise.all([
    import("../../../lib/service/account/account-store.ts"),
    import("../../../lib/service/receivers/receiver-store.ts"),
    import("../../../lib/service/results/link-secret.ts"),
    import("../../../lib/service/secrets/data-keys.ts"),
    import("../../../lib/service/aws/clients/kms.ts"),
  ]);
  return { ...store, ...receivers, ...results, ...(keys as typeof DataKeys), kms: client.kms };
}

test("secrets: no item of the table has the plain text of a signing secret or of the link secret", async () => {
  const { apiKey, ring } = await open("One");
  const rotated = await rotateKey(table, { account_id: ring.account.id, id: apiKey.id }, { now });
  await createReceiver(table, receiver(ring.account.id), "whsec_cmVjZWl2ZXI=");
  const secrets = [apiKey.signing_secret, rotated.apiKey.signing_secret, "whsec_cmVjZWl2ZXI=", await linkSecret(table)];
  const { Items = [] } = await dynamodb().send(new ScanCommand({ TableName: table }));
  const stored = JSON.stringify(Items);
  expect(secrets.filter((secret) => stored.includes(secret))).toEqual([]);
  expect(await readKeySecrets(table, apiKey)).toMatchObject({
    signing_secret: rotated.apiKey.signing_secret,
    previous_signing_secrets: [{ secret: apiKey.signing_secret }],
  });
});

test("secrets: a process asks KMS once for all that it decrypts", async () => {
  const { apiKey, ring } = await open("Two");
  await createReceiver(table, receiver(ring.account.id), "whsec_b25l");
  const other = await inAnotherProcess("stage");
  const send = vi.spyOn(other.kms(), "send");
  const ids = { account_id: ring.account.id, id: receiver(0).id };
  const [key, received, link] = await Promise.all([
    other.readKeySecrets(table, apiKey),
    other.readReceiverSecrets(table, ids),
    other.linkSecret(table),
  ]);
  expect([key?.signing_secret, received?.signing_secret]).toEqual([apiKey.signing_secret, "whsec_b25l"]);
  expect(link).toBe(await linkSecret(table));
  expect(send).toHaveBeenCalledTimes(1);
});

test("secrets: with the data key of links, a function reads secrets of API keys and of links, and none of receivers", async () => {
  const { apiKey, ring } = await open("Three");
  await createReceiver(table, receiver(ring.account.id), "whsec_b25l");
  const other = await inAnotherProcess("links");
  expect((await other.findLinkCaller(table, apiKey.id))?.secrets.signing_secret).toBe(apiKey.signing_secret);
  expect(await other.linkSecret(table)).toBe(await linkSecret(table));
  const ids = { account_id: ring.account.id, id: receiver(0).id };
  await expect(other.readReceiverSecrets(table, ids)).rejects.toThrow("There is no data key");
});

test("secrets: of several processes that create the data keys at once, the first one wins", async () => {
  const another = "Accounts-of-another-stage";
  await makeTable(another);
  const processes = [await inAnotherProcess("stage"), await inAnotherProcess("stage")];
  expect(await processes[0]?.hasDataKeys(another)).toBe(false);
  await Promise.all(processes.map(({ createDataKeys }) => createDataKeys(another)));
  const keys = await Promise.all(processes.map(({ findDataKeys }) => findDataKeys(another)));
  const links = await (await inAnotherProcess("links")).findDataKeys(another);
  const texts = [...keys.map((each) => each?.links), links?.links].map((each) => each?.export().toString("hex"));
  expect(new Set(texts).size).toBe(1);
  expect(texts[0]).toMatch(/^[0-9a-f]{64}$/);
  expect(await processes[0]?.hasDataKeys(another)).toBe(true);
});

test("secrets: a stage from before there were data keys works, and what it writes then is encrypted", async () => {
  const old = "Accounts-of-an-old-stage";
  await makeTable(old);
  const opened = await open("Old", old);
  const { account_id, id, signing_secret } = opened.apiKey;
  for (const [Key, name] of [
    [apiKeyKey(account_id, id), "signing_secret"],
    [linkKey(id), "secrets.signing_secret"],
  ] as const) {
    const UpdateExpression = `SET ${name} = :secret`;
    const values = { ":secret": signing_secret };
    await dynamodb().send(
      new UpdateCommand({ TableName: old, Key, UpdateExpression, ExpressionAttributeValues: values }),
    );
  }
  expect(await readKeySecrets(old, opened.apiKey)).toMatchObject({ signing_secret });
  expect((await findLinkCaller(old, id))?.secrets.signing_secret).toBe(signing_secret);

  const { apiKey } = issueKey({ account_id, label: "Another", scopes: ["capture"], expires_at: null }, now);
  await updateKeyRing(old, account_id, (ring) => withKey(ring, apiKey));
  expect((await readKeyRing(old, account_id)).keys[0]?.signing_secret).toBe(signing_secret); // it was not written
  await updateKeyRing(old, account_id, ({ account, keys }) => ({ account, keys: keys.map((key) => ({ ...key })) }));
  expect(JSON.stringify(await readItem(apiKeyKey(account_id, id), old))).not.toContain(signing_secret);
  expect(JSON.stringify(await readItem(linkKey(id), old))).not.toContain(signing_secret);
  expect(await readKeySecrets(old, opened.apiKey)).toMatchObject({ signing_secret });
});

test("secrets: after the loss of the data keys, a rotation makes a key work again", async () => {
  const lost = "Accounts-whose-key-was-lost";
  await makeTable(lost);
  const { apiKey } = await open("Lost", lost);
  const names = [dataKeyKey("stage"), dataKeyKey("links"), linkSecretKey];
  await Promise.all(names.map((Key) => dynamodb().send(new DeleteCommand({ TableName: lost, Key }))));
  const other = await inAnotherProcess("stage");
  await other.rotateLinkSecret(lost, { now, overlapSeconds: 0 });
  await expect(other.readKeySecrets(lost, apiKey)).rejects.toThrow();
  const { rotateKey: rotateInOther } = await import("../../../lib/service/keys/rotate-key.ts");
  const rotated = await rotateInOther(lost, apiKey, { now });
  const { signing_secret } = rotated.apiKey;
  expect(await other.readKeySecrets(lost, apiKey)).toMatchObject({ signing_secret, previous_signing_secrets: [] });
});

test("secrets: a data key is decrypted for its own purpose only", async () => {
  await open("Four");
  const { ciphertext, kms_key } = await readItem(dataKeyKey("stage"));
  const { DecryptCommand } = await import("@aws-sdk/client-kms");
  const decrypt = (purpose: string) =>
    kms().send(
      new DecryptCommand({
        KeyId: kms_key,
        CiphertextBlob: Buffer.from(ciphertext, "base64"),
        EncryptionContext: { purpose },
      }),
    );
  await expect(decrypt("links")).rejects.toMatchObject({ name: "InvalidCiphertextException" });
  expect((await decrypt("stage")).Plaintext).toHaveLength(32);
});

test("secrets: those of a receiver that were copied to another account are not decrypted", async () => {
  const [{ ring: one }, { ring: other }] = await Promise.all([open("Five"), open("Six")]);
  await createReceiver(table, receiver(one.account.id), "whsec_b25l");
  const { id } = receiver(0);
  const stored = await readItem(receiverSecretsKey(one.account.id, id));
  const Item = { ...stored, ...receiverSecretsKey(other.account.id, id) };
  await dynamodb().send(new PutCommand({ TableName: table, Item }));
  await expect(readReceiverSecrets(table, { account_id: other.account.id, id })).rejects.toThrow();
});
