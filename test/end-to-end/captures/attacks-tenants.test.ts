// Tenant isolation in Chromium: a page finds nothing of what a page of another account has left in the function.
import { randomUUID } from "node:crypto";
import { expect, inject, test } from "vitest";
import { traces } from "../../fixtures/site-pages/traces.ts";
import { type Client, openClient } from "../../support/client.ts";

const { site } = inject("service");

test("tenant isolation: a capture leaves nothing in a function that a page of the next account finds", async () => {
  const [owner, stranger] = await Promise.all([openClient(), openClient()]);
  const mark = randomUUID();
  const found = async (by: Client, path: string) => {
    const requested = { url: site + path, format: "text", wait_for_selector: "#found", timeout: "20" };
    return JSON.parse(await (await by.capture(requested)).text());
  };
  const own = await found(owner, `/traces/leave?mark=${mark}`);
  const next = await found(stranger, "/traces/find");
  const names = Object.keys(traces);
  expect(names.filter((name) => own[name].includes(mark))).toEqual(names);
  expect(names.filter((name) => next[name].includes(mark))).toEqual([]);
});
