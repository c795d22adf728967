// `outputs` through the whole service: rate limit, log, quota, cache, and storage of several results of one page.
import { createHash, randomUUID } from "node:crypto";
import { unzipSync } from "fflate";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { type Client, openClient, sendWith } from "../support/client.ts";
import { getObject, storageOptions } from "../support/customer-storage.ts";
import { recordPastCaptures } from "../support/past-captures.ts";

const { site, ownStorage } = inject("service");
let client: Client;

beforeAll(async () => {
  client = await openClient();
});

type Json = Readonly<Record<string, unknown>>;

const send = (body: Json, { by = client }: { readonly by?: Client } = {}) =>
  sendWith(by, "POST", "/api/v1/screenshot", { body });

interface Output extends Json {
  readonly name: string;
  readonly url: string;
}

interface Answer extends Json {
  readonly request_id: number;
  readonly loads: number;
  readonly outputs: readonly Output[];
}

const answerOf = async (response: Response): Promise<Answer> => response.json() as Promise<Answer>;
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());
const sha256 = (body: Uint8Array) => createHash("sha256").update(body).digest("hex");

const page = { url: `${site}/box`, viewport_width: 200, viewport_height: 100, deterministic: true };
const shot = { name: "shot" };
const print = { name: "print", format: "pdf" };
const text = { name: "text", format: "text" };
const missing = { name: "missing", selector: "#missing" };

/** What the request counted as, and what is left of the limit. */
const limitOf = ({ headers }: Response) =>
  ["x-ratelimit-cost", "x-ratelimit-remaining"].map((name) => Number(headers.get(name)));

describe("the rate limit of a request with outputs", () => {
  const padded = [0, 1, 2, 3, 4, 5, 6, 7].map((padding) => ({
    name: `padded-${padding}`,
    selector: "body",
    selector_padding: padding,
  }));

  test("refuses one that needs more loads than are left, of which nothing is counted, and counts one with wrong options once", async () => {
    const by = await openClient({ plan: "free" });
    expect(limitOf(await send({ ...page, outputs: padded }, { by }))).toEqual([8, 2]);
    const refused = await send({ ...page, outputs: padded.slice(0, 3) }, { by });
    expect([refused.status, limitOf(refused)]).toEqual([429, [3, 2]]);
    expect(await refused.json()).toMatchObject({ code: "RATE_LIMITED", error: expect.stringContaining("counts as 3") });
    expect(limitOf(await send({ ...page, outputs: padded.slice(0, 2) }, { by }))).toEqual([2, 0]);
    const wrong = await send({ ...page, outputs: [shot, shot] }, { by: await openClient({ plan: "free" }) });
    expect([wrong.status, limitOf(wrong), Object.keys((await wrong.json()).details)]).toEqual([
      422,
      [1, 9],
      ["outputs[1].name"],
    ]);
  });
});

describe("a request with outputs", () => {
  test("has one entry in the log for each, with the id of the request in common", async () => {
    const by = await openClient();
    const { request_id: id } = await answerOf(await send({ ...page, outputs: [shot, text] }, { by }));
    const logs = await by.logs();
    expect(logs.map(({ group_id, output_name, format }) => ({ group_id, output_name, format }))).toEqual([
      { group_id: id, output_name: "text", format: "text" },
      { group_id: id, output_name: "shot", format: "png" },
    ]);
    expect(logs[1]?.["options"]).toMatchObject({ url: page.url, viewport_width: 200 });
  });

  test("names an output that fails in its place, free of charge", async () => {
    const by = await openClient();
    const response = await send({ ...page, outputs: [missing, shot] }, { by });
    const answer = await answerOf(response);
    expect(response.status).toBe(200);
    expect(answer).toMatchObject({
      billed: { screenshots: 1, videos: 0 },
      outputs: [
        { name: "missing", status: "failed", error: { code: "SELECTOR_NOT_FOUND" } },
        { name: "shot", status: "success" },
      ],
    });
    expect((await by.logs()).map(({ status }) => status)).toEqual(["success", "failed"]);
  });

  test("has the status of the first error if all outputs fail", async () => {
    const response = await send({ ...page, outputs: [missing, { ...missing, name: "other", format: "webp" }] });
    expect([response.status, (await response.json()).code]).toEqual([422, "SELECTOR_NOT_FOUND"]);
    expect((await send({ ...page, response_type: "zip" })).status).toBe(422); // an archive of no outputs
  });

  test("is refused without quota for all outputs, and captures none", async () => {
    const by = await openClient({ plan: "free" });
    await recordPastCaptures(by, { count: 299 });
    const response = await send({ ...page, outputs: [shot, text] }, { by });
    expect([response.status, (await response.json()).error]).toEqual([
      402,
      expect.stringContaining("quota for 1 of them"),
    ]);
    expect(await by.logs()).toHaveLength(1); // of the past captures
    expect((await send(page, { by })).status).toBe(200);
  });

  test("can be validated, which captures nothing and says what it would count as", async () => {
    const by = await openClient();
    const response = await send({ ...page, validate: true, outputs: [print, { ...shot, full_page: true }] }, { by });
    expect(await response.json()).toMatchObject({
      valid: true,
      billed: { screenshots: 2, videos: 0 },
      outputs: [
        { name: "print", options: { format: "pdf", viewport_width: 200 } },
        { name: "shot", options: { format: "png", full_page: true } },
      ],
    });
    expect(await by.logs()).toEqual([]);
  });
});

describe("an archive", () => {
  test("has a file for each output that succeeds, and a manifest", async () => {
    const outputs = [shot, missing, print, text];
    const response = await send({ ...page, response_type: "zip", outputs });
    const files = unzipSync(await bytesOf(response));
    expect(response.headers.get("content-type")).toBe("application/zip");
    expect(Object.keys(files)).toEqual(["manifest.json", "shot.png", "print.pdf", "text.txt"]);
    const manifest = JSON.parse(Buffer.from(files["manifest.json"] ?? []).toString());
    expect(manifest.outputs.map(({ name, file }: Json) => ({ name, file }))).toEqual([
      { name: "shot", file: "shot.png" },
      { name: "missing", file: undefined },
      { name: "print", file: "print.pdf" },
      { name: "text", file: "text.txt" },
    ]);
    const alone = await send(page);
    expect(sha256(files["shot.png"] ?? Buffer.of())).toBe(sha256(await bytesOf(alone)));
  });
});

describe("the cache", () => {
  const cached = { ...page, cache_ttl: 600 };

  test("answers all outputs, free of charge, or none", async () => {
    const by = await openClient();
    const body = { ...cached, outputs: [shot, print, text] };
    const first = await answerOf(await send(body, { by }));
    const again = await send(body, { by });
    const answer = await answerOf(again);
    expect(again.headers.get("x-cache")).toBe("HIT");
    expect(answer).toMatchObject({ from_cache: true, loads: 0, billed: { screenshots: 0, videos: 0 } });
    expect(answer.outputs).toMatchObject([{ width: 200 }, { pages: 1 }, { content: first.outputs[2]?.["content"] }]);
    const other = await send({ ...cached, outputs: [shot, print] }, { by });
    expect(other.headers.get("x-cache")).toBe("MISS");
  });

  test("answers equal requests of the same moment with the results of one of them", async () => {
    const by = await openClient();
    const body = { ...cached, outputs: [shot, text] };
    const answers = await Promise.all([1, 2, 3].map(async () => answerOf(await send(body, { by }))));
    expect(answers.map(({ from_cache }) => from_cache).sort()).toEqual([false, true, true]);
  });

  test("answers an archive, too", async () => {
    const body = { ...cached, outputs: [shot, text], cache_key: randomUUID() };
    const first = await answerOf(await send(body));
    const response = await send({ ...body, response_type: "zip" });
    const files = unzipSync(await bytesOf(response));
    expect(response.headers.get("x-cache")).toBe("HIT");
    expect(files["shot.png"]?.length).toBe(first.outputs[0]?.["file_size_bytes"]);
  });

  test("keeps nothing of a request of which an output fails", async () => {
    const body = { ...cached, outputs: [shot, missing] };
    await send(body);
    expect((await send(body)).headers.get("x-cache")).toBe("MISS");
  });
});

test("the caller's storage has each output under the path and its name", async () => {
  const path = `outputs/${randomUUID()}`;
  const storage = { ...storageOptions(ownStorage, path), storage_return_location: true };
  const answer = await answerOf(await send({ ...page, ...storage, outputs: [shot, text] }));
  expect(answer.outputs.map(({ storage_location }) => storage_location)).toEqual([
    `${ownStorage}/my-bucket/${path}/shot.png`,
    `${ownStorage}/my-bucket/${path}/text.txt`,
  ]);
  expect((await getObject(ownStorage, `${path}/text.txt`)).body.toString()).toBe(answer.outputs[1]?.["content"]);
});
