// What was deleted doesn't come back: neither by the `Idempotency-Key` of its request, nor by the cache, and nothing of an account is left.
import { randomUUID } from "node:crypto";
import { gunzipSync, inflateRawSync } from "node:zlib";
import { GetObjectCommand, ListObjectsV2Command } from "@aws-sdk/client-s3";
import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import { unzipSync } from "fflate";
import { beforeAll, expect, inject, test, vi } from "vitest";
import { dynamodb } from "../../lib/service/aws/clients/dynamodb.ts";
import { s3 } from "../../lib/service/aws/clients/s3.ts";
import { type Client, openClient, sendWith } from "../support/client.ts";
import { deleteAllData, exportAllData } from "../support/exported-data.ts";
import { signIn } from "../support/signed-in.ts";

const { receiver, ownStorage, accountsTable, usageTable, activityTable, resultsBucket, sqs } = inject("service");
process.env["AWS_ENDPOINT_URL_S3"] = sqs; // one engine is both

let client: Client;
beforeAll(async () => {
  client = await openClient();
});

const small = { viewport_width: 200, viewport_height: 100 };
const aWord = () => `canary${randomUUID().replaceAll("-", "")}`;
const pageWith = (word: string) => `<title>${word}</title><p>${word}</p>`;

const send = (method: string, path: string, { by = client, body, key }: Sending = {}) =>
  sendWith(by, method, path, { body, ...(key !== undefined && { headers: { "Idempotency-Key": key } }) });
interface Sending {
  readonly by?: Client;
  readonly body?: object;
  readonly key?: string;
}

const capture = (body: object, key?: string, by = client) =>
  send("POST", "/api/v1/screenshot", { by, body: { ...small, ...body }, ...(key !== undefined && { key }) });
const isReplayed = ({ headers }: Response) => headers.get("idempotent-replayed") === "true";
const usedCaptures = async (by = client) => (await (await by.get("/api/v1/account")).json()).quotas.captures.used;

/** All ids of the captures of a response: its own, and those of its outputs. */
async function idsOf(response: Response): Promise<number[]> {
  const own = response.headers.get("x-request-id");
  const bytes = Buffer.from(await response.arrayBuffer());
  const type = response.headers.get("content-type") ?? "";
  if (type.includes("zip"))
    return outputIds(JSON.parse(Buffer.from(unzipSync(bytes)["manifest.json"] ?? []).toString()));
  if (type.includes("json")) {
    const json = JSON.parse(bytes.toString());
    return json.outputs ? outputIds(json) : [json.request_id];
  }
  return [Number(own)];
}
const outputIds = ({ outputs }: { readonly outputs: readonly { readonly request_id: number }[] }) =>
  outputs.map(({ request_id }) => request_id);

const outputs = [
  { name: "text", format: "text" },
  { name: "image", format: "png" },
];

test.each([
  ["bytes", { format: "text" }],
  ["cached bytes", { format: "text", cache: true, cache_ttl: 3600 }],
  ["bytes that are cached for more than a day", { format: "text", cache: true, cache_ttl: 172_800 }],
  ["base64", { format: "text", response_type: "base64" }],
  ["JSON with content", { response_type: "json", metadata_content: true }],
  ["outputs", { outputs }],
  ["a ZIP archive", { outputs, response_type: "zip" }],
])("a deleted capture isn't replayed, and isn't billed again: %s", async (_, options) => {
  const word = aWord();
  const key = randomUUID();
  const body = { html: pageWith(word), ...options };
  const first = await capture(body, key);
  expect(first.status).toBe(200);
  const ids = await idsOf(first);
  const again = await capture(body, key);
  expect([again.status, isReplayed(again)]).toEqual([200, true]);
  const used = await usedCaptures();
  expect((await send("DELETE", `/api/v1/usage/${ids.at(-1)}`)).status).toBe(204);
  for (const _time of [1, 2]) {
    const gone = await capture(body, key);
    expect([gone.status, isReplayed(gone)]).toEqual([410, false]);
    expect(await gone.json()).toMatchObject({ code: "GONE", error: expect.stringContaining("new Idempotency-Key") });
  }
  expect(await usedCaptures()).toBe(used);
  for (const id of ids) await send("DELETE", `/api/v1/usage/${id}`);
  const kept = await placesWith(word);
  expect(kept.filter((place) => !place.startsWith("item LOG#"))).toEqual([]);
  expect((await capture(body, randomUUID())).status).toBe(200);
});

test("a cached capture isn't replayed once the capture was deleted that made it", async () => {
  const [first, hit] = [randomUUID(), randomUUID()];
  const body = { html: pageWith(aWord()), format: "text", cache: true, cache_ttl: 3600 };
  const [id] = await idsOf(await capture(body, first));
  expect((await capture(body, hit)).headers.get("x-cache")).toBe("HIT");
  expect(isReplayed(await capture(body, hit))).toBe(true);
  await send("DELETE", `/api/v1/usage/${id}`);
  expect((await capture(body, hit)).status).toBe(410);
});

/** All texts of bytes: as they are, of a gzip file, and of the files of a ZIP archive. */
function textsOf(bytes: Buffer): string[] {
  const texts = [bytes.toString("latin1")];
  const inner: (() => Uint8Array[])[] = [
    () => [gunzipSync(bytes)],
    () => Object.values(unzipSync(bytes)),
    () => [inflateRawSync(bytes)],
  ];
  for (const read of inner) {
    try {
      texts.push(...read().map((each) => Buffer.from(each).toString("latin1")));
    } catch {} // of another format
  }
  return texts;
}

/** Objects of earlier tests, of which the bucket has thousands, can't contain the words of this file. S3 states whole seconds. */
const startedAt = Math.floor(Date.now() / 1000) * 1000;

/** Where a word of this file is stored: items of the tables, and objects of the bucket. */
async function placesWith(word: string): Promise<string[]> {
  const forms = [word, Buffer.from(word).toString("base64").slice(0, -4)];
  const places: string[] = [];
  for (const TableName of [accountsTable, usageTable, activityTable]) {
    let start: Record<string, unknown> | undefined;
    do {
      const page = await dynamodb().send(
        new ScanCommand({ TableName, ConsistentRead: true, ...(start && { ExclusiveStartKey: start }) }),
      );
      for (const item of page.Items ?? [])
        if (forms.some((form) => JSON.stringify(item).includes(form))) places.push(`item ${item["pk"]} ${item["sk"]}`);
      start = page.LastEvaluatedKey;
    } while (start);
  }
  let ContinuationToken: string | undefined;
  do {
    const page = await s3().send(
      new ListObjectsV2Command({ Bucket: resultsBucket, ...(ContinuationToken && { ContinuationToken }) }),
    );
    for (const { Key = "", LastModified } of page.Contents ?? []) {
      if (LastModified && LastModified.getTime() < startedAt) continue;
      const object = await s3()
        .send(new GetObjectCommand({ Bucket: resultsBucket, Key }))
        .catch(() => undefined); // another test has deleted it
      const bytes = Buffer.from((await object?.Body?.transformToByteArray()) ?? []);
      if (textsOf(bytes).some((text) => forms.some((form) => text.includes(form)))) places.push(`object ${Key}`);
    }
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken);
  return places;
}

test("nothing of a deleted account is left in any table or object, by content", { timeout: 90_000 }, async () => {
  const by = await openClient();
  const owner = await signIn(by.accountId);
  const word = aWord();
  const html = pageWith(word);
  const large = `${html}${`<p>${word}</p>`.repeat(9_000)}`;
  const own = {
    store: true,
    storage_endpoint: ownStorage,
    storage_bucket: "my-bucket",
    storage_path: word,
    storage_access_key_id: "a",
    storage_secret_access_key: "b",
  };
  const made = await (
    await send("POST", "/api/v1/webhooks/receivers", { by, body: { name: word, url: `${receiver}/to/${word}` } })
  ).json();
  const requests = [
    { html, format: "text" },
    { html: large, response_type: "json", metadata_content: true, metadata_report: true },
    { html: large, response_type: "json", cache: true, cache_ttl: 172_800, metadata_content: true },
    { html, response_type: "json", cache: true, metadata_content: true },
    { html, outputs },
    { html, outputs, response_type: "zip" },
    { html, response_type: "json", ...own },
    { html, format: "mhtml", response_type: "json" },
    { html, async: true, format: "text", webhook_receiver: made.id },
    { html: `${large}${large}`, async: true, format: "text" },
    { html, async: true, outputs, external_identifier: word },
  ];
  for (const body of requests) expect((await capture(body, randomUUID(), by)).ok).toBe(true);
  const bulk = await send("POST", "/api/v1/bulk", {
    by,
    key: randomUUID(),
    body: { requests: [{ html, format: "text" }], options: small, execute: true },
  });
  expect(bulk.ok).toBe(true);
  await exportAllData(owner);
  await vi.waitFor(
    async () => {
      const { data } = await (await by.get("/api/v1/jobs")).json();
      for (const { status } of data) expect(status).toBe("success");
    },
    { timeout: 30_000, interval: 200 },
  );
  const before = await placesWith(word);
  const kinds = new Set(before.map((place) => place.split(/[#/]/)[0]));
  for (const kind of [
    "item LOG",
    "item JOBS",
    "item CACHE",
    "item ANSWERS",
    "item RECEIVERS",
    "object 1-day",
    "object answers",
    "object exports",
  ])
    expect(kinds).toContain(kind);
  await deleteAllData(owner, "Test");
  expect(await placesWith(word)).toEqual([]);
});
