// `outputs` with Chromium: each result is what it is alone, from as few loads of the page as were counted.
import { createHash } from "node:crypto";
import { unzipSync } from "fflate";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { type Client, openClient } from "../../support/client.ts";
import { slowTest } from "../../support/slow-run.ts";

const { baseUrl, site } = inject("service");
let client: Client;

beforeAll(async () => {
  client = await openClient();
});

type Json = Readonly<Record<string, unknown>>;

interface Sending {
  readonly by?: Client;
  readonly headers?: Record<string, string>;
}

const send = (body: Json, { by = client, headers = {} }: Sending = {}) =>
  fetch(`${baseUrl}/api/v1/screenshot`, {
    method: "POST",
    headers: { Authorization: `Bearer ${by.key}`, "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

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
const small = { name: "small", image_width: 50, format: "webp" };
const print = { name: "print", format: "pdf" };
const text = { name: "text", format: "text" };
const missing = { name: "missing", selector: "#missing" };

/** What the request counted as, and what is left of the limit. */
const limitOf = ({ headers }: Response) =>
  ["x-ratelimit-cost", "x-ratelimit-remaining"].map((name) => Number(headers.get(name)));

describe("a request with outputs", () => {
  const padded = [0, 1, 2, 3, 4, 5, 6, 7].map((padding) => ({
    name: `padded-${padding}`,
    selector: "body",
    selector_padding: padding,
  }));

  slowTest("counts it as often as the page is loaded", async () => {
    const by = await openClient({ plan: "pro" });
    const shared = await send({ ...page, outputs: [shot, text, small] }, { by });
    expect([(await answerOf(shared)).loads, limitOf(shared)]).toEqual([1, [1, 79]]);
    const own = await send({ ...page, outputs: padded }, { by });
    expect([(await answerOf(own)).loads, limitOf(own)]).toEqual([8, [8, 71]]);
  });

  test("answers with one result for each, which is what it is alone", async () => {
    const by = await openClient();
    const response = await send({ ...page, outputs: [print, shot, text, small] }, { by });
    const answer = await answerOf(response);
    expect(response.status).toBe(200);
    expect(response.headers.get("x-cache")).toBe("BYPASS");
    expect(answer).toMatchObject({ from_cache: false, billed: { screenshots: 4, videos: 0 } });
    expect(answer.outputs).toMatchObject([
      { name: "print", status: "success", mime_type: "application/pdf", pages: 1, quality: expect.any(Number) },
      { name: "shot", status: "success", mime_type: "image/png", width: 200, height: 100 },
      { name: "text", status: "success", mime_type: "text/plain; charset=utf-8", content: expect.any(String) },
      { name: "small", status: "success", mime_type: "image/webp", width: 50, height: 25 },
    ]);
    const alone = await send({ ...page, format: "webp", image_width: 50 }, { by });
    const stored = await fetch(answer.outputs[3]?.url ?? "");
    expect(sha256(await bytesOf(stored))).toBe(sha256(await bytesOf(alone)));
  });

  test("as an archive, has a file for each output that succeeds, and a manifest", async () => {
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
