// What a tool returns of several results that no capture of the end-to-end tests has: a cancelled one, and many pictures.
import { expect, test } from "vitest";
import type { ApiClient } from "../../../lib/service/mcp/api-client.ts";
import { outputsContent } from "../../../lib/service/mcp/outputs-content.ts";

const api: ApiClient = {
  call: async () => ({}),
  download: async () => Buffer.from("Hello"),
  pictures: async () => ({ width: 300, height: 200, pictures: [Buffer.from("picture")], scale: 1, total: 1 }),
};

const output = (name: string, mime_type: string, parts: object = {}) => ({
  name,
  status: "success",
  request_id: 1,
  url: `https://capture.example/storage/${name}`,
  mime_type,
  file_size_bytes: 10,
  ...parts,
});

const error = { error: "The capture was cancelled.", code: "CANCELLED", request_id: 2, retryable: false };
const failed = { name: "late", status: "failed", request_id: 2, error };

const textOf = async (result: object) =>
  (await outputsContent({ loads: 1, expires_at: "2026-11-30", ...result }, api))
    .map((each) => (each.type === "text" ? each.text : each.type))
    .join("\n");

test("outputs of MCP: a cancelled capture returns what it had by then, and the error of the rest", async () => {
  const video = output("film", "video/mp4", { width: 320, height: 240 });
  const text = await textOf({ status: "failed", error, from_cache: false, outputs: [video, failed] });
  expect(text).toMatch(
    /^1 of 2 outputs, .*\nOutput film:\n320 × 240 px, video\/mp4, 10 bytes, request 1, .*\nresource_link\nOutput late:\nCANCELLED: /,
  );
});

test("outputs of MCP: at most six pictures are returned, the others as links with their size", async () => {
  const outputs = Array.from({ length: 8 }, (_, index) =>
    output(`shot-${index}`, "image/png", { width: 300, height: 200 }),
  );
  const text = await textOf({ response_time_ms: 5, from_cache: false, outputs });
  expect(text.match(/\nimage\n/g)).toHaveLength(6);
  expect(text.match(/300 × 200 px, image\/png/g)).toHaveLength(8);
});
