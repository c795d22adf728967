// Items of capture logs: small, and read back without a loss.
import { describe, expect, test } from "vitest";
import { logKey } from "../../../lib/service/aws/table-keys.ts";
import { createId } from "../../../lib/service/platform/ids.ts";
import { newThumbnailPlace } from "../../../lib/service/results/stored-thumbnail.ts";
import { type CaptureEvent, type CaptureLog, createCaptureLog } from "../../../lib/service/usage/capture-log.ts";
import { fromLogItem, toLogItem } from "../../../lib/service/usage/capture-log-item.ts";
import { itemBytes } from "../../fixtures/item-bytes.ts";
import { aCaptureLog } from "../../support/builders.ts";

const id = createId(Date.UTC(2026, 0, 31, 12), 0.5);
function aLog(parts: Partial<CaptureEvent> = {}): CaptureLog {
  const { id: _, created_at: __, ...event } = aCaptureLog(parts);
  return createCaptureLog(id, event);
}

describe("capture log item: reads back", () => {
  test.each<[string, Partial<CaptureEvent>]>([
    ["a success", {}],
    ["a cached success", { cached: true }],
    ["an asynchronous one with its webhook", { asynchronous: true, webhook_target: "https://you.example" }],
    ["one with a thumbnail", { thumbnail: newThumbnailPlace(0) }],
    ["a failure", { status: "failed", http_status_code: 404, error_message: "HTTP_ERROR: 404", file_size_bytes: 0 }],
    ["a capture of HTML, which has no address", { url: "", options: { html: "<p>" } }],
    ["an address that was sent in another form", { options: { url: "HTTPS://example.com" } }],
    ["an address that is no text", { options: { url: 5 } }],
    ["a key with another id in its facts", { api_key: { id: 9, label: "", key_prefix: "" } }],
  ])("%s", (_, parts) => {
    expect(fromLogItem(toLogItem(aLog(parts)))).toEqual(aLog(parts));
  });

  test("an item that was written with all fields", () => {
    const log = aLog();
    const item = { ...logKey(log.user_id, "2026-01", id), ...log, attempt: "a1", ttl: 1_800_000_000 };
    expect(fromLogItem(item)).toEqual(log);
  });
});

test("capture log item: the one of a small capture has less than 300 bytes", () => {
  const api_key = { id: 280_000_000, label: "Website", key_prefix: "cap_01234567" };
  const log = aLog({ user_id: 280_000_000, api_key_id: api_key.id, api_key });
  const item = { ...toLogItem(log), attempt: "39a46171f5837de9b52e29de424c26fb", ttl: 1_800_000_000 };
  expect(itemBytes(item)).toBeLessThan(300);
  expect(itemBytes({ ...log, ...item })).toBeGreaterThan(350);
  const thumbnail = newThumbnailPlace(1_800_000_000_000);
  expect(itemBytes({ ...item, thumbnail }) - itemBytes(item)).toBeLessThan(85);
});

test.each([{}, { ...toLogItem(aLog()), status: "unknown" }, { ...toLogItem(aLog()), pk: "LOG#x#2026-01" }])(
  "capture log item: %j is rejected",
  (item) => {
    expect(() => fromLogItem(item)).toThrow();
  },
);
