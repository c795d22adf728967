// Uploads to customer storage through the whole service.
import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { type Client, endOf, openClient, sendWith } from "../support/client.ts";
import { getObject, storageOptions } from "../support/customer-storage.ts";

const { site, ownStorage, dataDir } = inject("service");
const SECRET = "s3cr3t-0123456789";

const destination = (path: string, secret = SECRET) => storageOptions(ownStorage, path, secret);
const page = { url: `${site}/box`, viewport_width: 200, viewport_height: 100 };

let client: Client;
beforeAll(async () => {
  client = await openClient();
});

const post = (body: object, by = client) => sendWith(by, "POST", "/api/v1/screenshot", { body });

test("customer storage: the bytes are uploaded and returned", async () => {
  const response = await post({ ...page, ...destination("shots/home") });
  expect([response.status, response.headers.get("x-storage-location")]).toEqual([200, null]);
  const body = Buffer.from(await response.arrayBuffer());
  expect(await getObject(ownStorage, "shots/home.png")).toEqual({
    body,
    ContentType: "image/png",
    ContentDisposition: "inline",
  });
});

test("customer storage: the object's URL is returned in the header and in JSON when requested", async () => {
  const requested = { ...page, ...destination("shots/ü 1"), storage_return_location: true, format: "jpg" };
  const bytes = await post(requested);
  const location = `${ownStorage}/my-bucket/shots/%C3%BC%201.jpg`;
  expect([bytes.status, bytes.headers.get("x-storage-location")]).toEqual([200, location]);
  const inJson = await post({ ...requested, response_type: "json" });
  const { url, storage_location } = await inJson.json();
  expect([storage_location, inJson.headers.get("x-storage-location")]).toEqual([location, location]);
  const { body } = await getObject(ownStorage, "shots/ü 1.jpg");
  expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(body)).toBe(true);
});

test("customer storage: an asynchronous capture is uploaded too", async () => {
  // Another secret: the queue of this machine keeps pages of its database that held a message.
  const sent = { ...destination("later", "queued"), storage_return_location: true, async: true };
  const accepted = await post({ ...page, ...sent });
  expect(accepted.status).toBe(202);
  const { request_id } = await accepted.json();
  const state = await endOf(request_id, client);
  expect(state.storage_location).toBe(`${ownStorage}/my-bucket/later.png`);
  expect((await getObject(ownStorage, "later.png")).body.length).toBe(state.file_size_bytes);
});

const billed = async (by: Client) => {
  const { quotas, overage } = await (await by.get("/api/v1/account")).json();
  return { used: quotas.screenshots.used, overage: overage.units };
};

const STORAGE_ERROR = {
  code: "STORAGE_FAILED",
  message: expect.stringMatching(/^The capture was sent to the bucket, but the upload failed: /),
};

describe("customer storage: an upload that fails after bytes were sent", () => {
  test.each(["fails", "breaks"])("counts, and its result is returned with a warning (bucket %s)", async (bucket) => {
    const own = await openClient({ plan: "free" });
    const response = await post({ ...page, ...destination("a"), storage_bucket: bucket }, own);
    expect([response.status, response.headers.get("x-storage-error")]).toEqual([200, "STORAGE_FAILED"]);
    expect(decodeURIComponent(response.headers.get("x-warnings") ?? "")).toContain("but the upload failed");
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(100);
    const [log] = await own.logs();
    expect(log).toMatchObject({ status: "success", error_message: null });
    expect(await billed(own)).toMatchObject({ used: 1 });
  });

  test.each(["json", "empty"])("has a link to its result in JSON (response_type=%s)", async (response_type) => {
    const own = await openClient({ plan: "free" });
    const sent = { ...destination("a"), storage_bucket: "fails", storage_return_location: true, response_type };
    const response = await post({ ...page, ...sent }, own);
    const result = await response.json();
    expect([response.status, result]).toMatchObject([
      200,
      { storage_error: STORAGE_ERROR, warnings: [result.storage_error.message] },
    ]);
    expect(result).not.toHaveProperty("storage_location");
    expect((await (await fetch(result.url)).arrayBuffer()).byteLength).toBe(result.file_size_bytes);
    expect(await billed(own)).toMatchObject({ used: 1 });
  });

  test("is told by the status of an asynchronous capture", async () => {
    const own = await openClient({ plan: "free" });
    const sent = { ...destination("a", "queued"), storage_bucket: "fails", async: true };
    const { request_id } = await (await post({ ...page, ...sent }, own)).json();
    const state = await endOf(request_id, own);
    expect(state).toMatchObject({ status: "success", storage_error: STORAGE_ERROR, url: expect.any(String) });
    expect(await billed(own)).toMatchObject({ used: 1 });
  });

  test("counts for each of several outputs", async () => {
    const own = await openClient({ plan: "free" });
    const outputs = [{ name: "a" }, { name: "b", format: "text" }];
    const response = await post({ ...page, ...destination("x"), storage_bucket: "fails", outputs }, own);
    const answer = await response.json();
    expect(answer).toMatchObject({ billed: { screenshots: 2 } });
    expect(answer.outputs).toMatchObject([
      { status: "success", storage_error: STORAGE_ERROR, url: expect.any(String) },
      { status: "success", storage_error: STORAGE_ERROR, url: expect.any(String) },
    ]);
    expect(await billed(own)).toMatchObject({ used: 2 });
  });

  test("can't be cancelled any more once it has started: the capture ends as a success, and counts", async () => {
    const own = await openClient({ plan: "free" });
    const bucket = `held-${randomUUID()}`;
    const sent = { ...destination("a", "queued"), storage_bucket: bucket, async: true };
    const { request_id } = await (await post({ ...page, ...sent }, own)).json();
    const release = `${ownStorage}/release/${bucket}`;
    await expect.poll(async () => (await fetch(release)).status, { timeout: 30_000 }).toBe(200);
    const refused = await sendWith(own, "DELETE", `/api/v1/screenshot/${request_id}`);
    expect([refused.status, (await refused.json()).code]).toEqual([409, "CONFLICT"]);
    await fetch(release, { method: "POST" });
    expect(await endOf(request_id, own)).toMatchObject({ status: "success" });
    expect(await billed(own)).toMatchObject({ used: 1 });
  });
});

describe("customer storage: a capture that cannot be uploaded", () => {
  test("fails with the storage's error, is logged as failed, and costs nothing", async () => {
    const own = await openClient({ plan: "free" });
    const response = await post({ ...page, ...destination("a"), storage_bucket: "no-bucket" }, own);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      code: "STORAGE_FAILED",
      error:
        "The capture could not be uploaded to the bucket: the storage answered NoSuchBucket (404). Nothing was billed.",
      retryable: false,
    });
    const [log] = await own.logs();
    expect(log).toMatchObject({
      status: "failed",
      error_message: expect.stringMatching(/^STORAGE_FAILED: /),
      options: {
        storage_bucket: "no-bucket",
        storage_access_key_id: "REDACTED",
        storage_secret_access_key: "REDACTED",
      },
    });
    const { quotas } = await (await own.get("/api/v1/account")).json();
    expect(quotas.screenshots).toMatchObject({ used: 0 });
  });

  test("because its endpoint is at a private address is rejected before rendering", async () => {
    const own = await openClient();
    const response = await post({ ...page, ...destination("a"), storage_endpoint: "https://169.254.169.254" }, own);
    expect([response.status, (await response.json()).code]).toEqual([403, "URL_NOT_ALLOWED"]);
    const [log] = await own.logs();
    expect(log).toMatchObject({ status: "failed", error_message: expect.stringMatching(/^URL_NOT_ALLOWED: /) });
  });
});

test("customer storage: no credentials are stored anywhere, regardless of the outcome", async () => {
  const sent = destination("kept");
  await Promise.all([
    post({ ...page, ...sent }),
    post({ ...page, ...sent, storage_bucket: "no-bucket" }),
    post({ ...page, ...sent, url: `${site}/not-found` }),
    post({ ...page, ...sent, storage_path: "/" }),
  ]);
  const filesOf = (folder: string) =>
    readdirSync(join(dataDir, folder), { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .map((file) => join(file.parentPath, file.name));
  const kept = ["data", "logs"].flatMap(filesOf);
  expect(kept.length).toBeGreaterThan(0);
  expect(kept.filter((path) => existsSync(path) && readFileSync(path).includes(SECRET))).toEqual([]);
});

test("customer storage: a role is refused where the service can't assume one, with what to send instead", async () => {
  const { storage_access_key_id: _, storage_secret_access_key: __, ...place } = destination("shots/role");
  const requested = { ...page, ...place, storage_role_arn: "arn:aws:iam::123456789012:role/captures" };
  const message =
    "needs a service that runs on AWS, which this one doesn't: send 'storage_access_key_id' and 'storage_secret_access_key'";
  for (const body of [requested, { ...requested, async: true }]) {
    const response = await post(body);
    expect([response.status, (await response.json()).details]).toEqual([422, { storage_role_arn: [message] }]);
  }
});
