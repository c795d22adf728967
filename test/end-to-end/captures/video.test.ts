// Videos through the whole service: synchronous, asynchronous, counted and stored.
import { beforeAll, describe, expect, inject, test, vi } from "vitest";
import { type Client, openClient } from "../../support/client.ts";
import { sampled, slowTest } from "../../support/slow-run.ts";
import { decodeVideo } from "../../support/video.ts";

const { baseUrl, site } = inject("service");
const small = { viewport_width: "200", viewport_height: "100", video_duration: "1" };
const page = `<!doctype html><style>body{margin:0;background:red;animation:1s green steps(1) infinite}@keyframes green{50%{background:green}}</style>`;

let client: Client;
beforeAll(async () => {
  client = await openClient();
});

async function bytesOf(response: Response): Promise<Buffer> {
  const body = Buffer.from(await response.arrayBuffer());
  if (response.status !== 200) throw new Error(String(body));
  return body;
}

describe("video: a synchronous request", () => {
  sampled(test, 4).each([
    ["mp4", "video/mp4", 25],
    ["webm", "video/webm", 25],
    ["gif", "image/gif", 10],
    ["animated_webp", "image/webp", 10],
  ])("returns a video as %s", async (format, mimeType, fps) => {
    const response = await client.capture({ url: `${site}/box`, format, ...small, attachment_name: "film" });
    expect(response.headers.get("content-type")).toBe(mimeType);
    const video = await decodeVideo(await bytesOf(response));
    expect([video.width, video.height, video.durationSeconds]).toEqual([200, 100, 1]);
    if (format === "mp4" || format === "webm") expect(video.frames).toHaveLength(fps);
  });

  test("returns an animated image for a webp with a duration", async () => {
    const response = await client.capture({ html: page, format: "webp", ...small });
    expect((await decodeVideo(await bytesOf(response))).frames.length).toBeGreaterThan(1);
  });

  test("returns where a stored video is, and its size", async () => {
    const options = { html: page, format: "mp4", ...small, response_type: "json", metadata_image_size: "true" };
    const answer = await (await client.capture(options)).json();
    expect(answer).toMatchObject({ mime_type: "video/mp4", metadata: { image_size: { width: 200, height: 100 } } });
    expect(new URL(answer.url).pathname).toMatch(/\.mp4$/);
    const stored = await fetch(answer.url);
    expect(stored.headers.get("content-type")).toBe("video/mp4");
    expect((await decodeVideo(await bytesOf(stored))).frames).toHaveLength(25);
  });
});

describe("video: a capture", () => {
  slowTest("can be asynchronous", async () => {
    const body = {
      url: `${site}/box`,
      format: "webm",
      video_duration: 1,
      viewport_width: 200,
      viewport_height: 100,
      async: true,
    };
    const headers = { Authorization: `Bearer ${client.key}`, "Content-Type": "application/json" };
    const accepted = await fetch(`${baseUrl}/api/v1/screenshot`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    expect(accepted.status).toBe(202);
    const { request_id: id } = await accepted.json();
    const state = await vi.waitFor(
      async () => {
        const reported = await (await client.get(`/api/v1/screenshot/${id}`)).json();
        expect(reported.status).toBe("success");
        return reported;
      },
      { timeout: 25_000, interval: 500 },
    );
    expect((await decodeVideo(await bytesOf(await fetch(state.url)))).frames).toHaveLength(25);
  });

  slowTest("counts once, however long it is, and as a video where a plan counts them separately", async () => {
    const own = await openClient({ plan: "free" });
    await own.capture({ url: `${site}/box`, format: "gif", ...small, video_duration: "3" });
    await own.capture({ url: `${site}/box`, format: "animated_webp", ...small });
    await own.capture({ url: `${site}/box`, viewport_width: "100" });
    const account = await (await own.get("/api/v1/account")).json();
    expect(account).toMatchObject({ quotas: { videos: { used: 2 }, screenshots: { used: 1 } } });
  });

  test("that is rejected names what is not possible", async () => {
    const response = await client.capture({ url: `${site}/box`, format: "gif", video_fps: "60", full_page: "true" });
    expect(response.status).toBe(422);
    const { details } = await response.json();
    expect(Object.keys(details).sort()).toEqual(["full_page", "video_fps"]);
  });
});
