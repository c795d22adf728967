// The section of the operator's documentation about events: its table, its example, and the sample that verifies a webhook.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import * as v from "valibot";
import { expect, onTestFinished, test, vi } from "vitest";
import { operatorEventRequest } from "../../lib/service/operator-events/deliver-event.ts";
import { OperatorEventSchema, operatorEvent } from "../../lib/service/operator-events/operator-event.ts";
import { codeBlocks } from "../support/documentation.ts";

const path = "docs/operator.md";
const text = readFileSync(resolve(import.meta.dirname, "../..", path), "utf8");
const blocks = codeBlocks({ path, text });
const codeOf = (language: string) => blocks.find((block) => block.language === language)?.code ?? "";

test("events: the documentation lists each type with the fields of its data", () => {
  const rows = [...text.matchAll(/^\| `(\w+\.\w+)` \| [^|]* \| ([^|]*) \|$/gm)];
  const documented = rows.map(([, type, fields = ""]) => [type, fields.match(/\w+/g)]);
  const actual = OperatorEventSchema.options.map(({ entries }) => [
    entries.type.literal,
    Object.keys(entries.data.entries).filter((field) => field !== "account"),
  ]);
  expect(documented).toEqual(actual);
});

test("events: the example of the documentation is an event", () => {
  const { timestamp, ...event } = JSON.parse(codeOf("json"));
  expect(v.is(OperatorEventSchema, { ...event, created_at: timestamp })).toBe(true);
});

test("events: the sample of the documentation accepts a webhook, and neither a forged one nor one that is signed with another secret", async () => {
  const folder = mkdtempSync(join(tmpdir(), "operator-events-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "sample.mjs");
  writeFileSync(
    file,
    codeOf("js").replace('"standardwebhooks"', JSON.stringify(import.meta.resolve("standardwebhooks"))),
  );
  const { readEvent } = await import(file);
  const secret = `whsec_${Buffer.from("secret of the operator").toString("base64")}`;
  vi.stubEnv("OPERATOR_SECRET", secret);
  onTestFinished(() => void vi.unstubAllEnvs());
  const data = { account: { label: "Acme", email: null }, plan: "pro" } as const;
  const event = operatorEvent({ type: "plan.continued", account_id: 7, data }, Date.now());
  const signed = (by: string) => operatorEventRequest(event, { secrets: [by], now: Date.now() });
  const { headers, body } = signed(secret);
  expect(readEvent(headers, body)).toMatchObject({ id: event.id, account_id: 7, data });
  expect(() => readEvent(headers, body.replace('"pro"', '"max"'))).toThrow();
  expect(() => readEvent(signed("whsec_AAAA").headers, body)).toThrow();
});
