// The log of a capture: its times, and what is kept of the options.
import { describe, expect, test } from "vitest";
import { createId } from "../../lib/contract/ids.ts";
import { createCaptureLog, dayOf, loggableOptions, withoutPassword } from "../../lib/usage/capture-log.ts";
import { aCaptureLog } from "../support/builders.ts";

describe("a log", () => {
  test("has the time of its id, with six digits after the second", () => {
    const { id: _, created_at: __, ...event } = aCaptureLog();
    const id = createId(Date.UTC(2026, 0, 31, 10, 20, 30, 45), 0.5);
    expect(createCaptureLog(id, event)).toEqual({ ...event, id, created_at: "2026-01-31T10:20:30.045000Z" });
  });

  test.each([
    [Date.UTC(2026, 0, 31, 23, 59, 59, 999), "2026-01-31"],
    [Date.UTC(2026, 1, 1), "2026-02-01"],
  ])("of the time %d is of the UTC day %s", (time, day) => {
    expect(dayOf(createId(time, 0.999))).toBe(day);
  });
});

describe("an address", () => {
  test.each([
    ["https://user:secret@example.com/a?b=c#d", "https://user:REDACTED@example.com/a?b=c#d"],
    ["http://:secret@example.com/", "http://:REDACTED@example.com/"],
    ["HTTPS://user:a%40b%2Fc@example.com:8443", "https://user:REDACTED@example.com:8443/"],
    ["https://user:se@cret@example.com/", "https://user:REDACTED@example.com/"],
    ["ftp://user:secret@example.com/", "ftp://user:REDACTED@example.com/"],
  ])("with a password is kept without it: %s", (url, kept) => {
    expect(withoutPassword(url)).toBe(kept);
  });

  test.each([
    "https://example.com",
    "https://user@example.com/",
    "https://example.com/@name",
    "https://example.com/?to=a:b@c.example",
    "https://example.com/#a:b@c",
    "not an address: a:b@c",
    "<a href='https://u:p@example.com'>",
    "",
  ])("without one is kept as it is: %s", (url) => {
    expect(withoutPassword(url)).toBe(url);
  });
});

describe("the options of a log", () => {
  test("are those that were sent, as they were sent", () => {
    const sent = { full_page: "true", delay: 2.5, dark_mode: false, wait_until: ["load", "auto"], selector: "#ü" };
    expect(loggableOptions(sent)).toEqual(sent);
  });

  test("have no password, in a list neither", () => {
    const url = "https://user:secret@example.com/";
    expect(loggableOptions({ url, others: [url, [url]] })).toEqual({
      url: "https://user:REDACTED@example.com/",
      others: ["https://user:REDACTED@example.com/", ["https://user:REDACTED@example.com/"]],
    });
  });

  test("keep text of 1,000 characters whole", () => {
    const html = "x".repeat(1_000);
    expect(loggableOptions({ html })).toEqual({ html });
  });

  test("cut longer text and note its length", () => {
    expect(loggableOptions({ html: `${"x".repeat(1_000)}y` })).toEqual({
      html: `${"x".repeat(1_000)}... (1001 characters in total)`,
    });
  });

  test("keep 100 of a list", () => {
    const list = Array.from({ length: 101 }, (_, index) => index);
    expect(loggableOptions({ list })).toEqual({ list: list.slice(0, 100) });
  });

  test("fit into an item of the table, however much was sent", () => {
    const sent = { html: "<p>".repeat(1_300_000), selector: "#a" };
    expect(JSON.stringify(loggableOptions(sent)).length).toBeLessThan(1_200);
  });

  test("leave what was sent unchanged", () => {
    const sent = Object.freeze({ html: "x".repeat(2_000), list: Object.freeze(["https://u:p@example.com/"]) });
    loggableOptions(sent);
    expect(sent).toEqual({ html: "x".repeat(2_000), list: ["https://u:p@example.com/"] });
  });
});
