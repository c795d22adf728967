// Webhook state machine: attempts, retries, restarts.

import * as v from "valibot";
import { describe, expect, test } from "vitest";
import {
  completedWebhook,
  type Delivery,
  finishDeliveryAttempt,
  newWebhook,
  nextStep,
  restartedWebhook,
  startDeliveryAttempt,
  type Webhook,
  WebhookSchema,
} from "../../../lib/service/webhooks/webhook.ts";
import { seededRandom } from "../../fixtures/seeded-random.ts";

const NOW = Date.UTC(2026, 0, 31, 12);
const terms = { url: "https://receiver.example.com/", is_signed: true, notifies_on_failure: true };
const aWebhook = (parts: Partial<Webhook> = {}): Webhook => ({ ...newWebhook(terms), ...parts });
const aDelivery = (status: number | null): Delivery => ({
  at: new Date(NOW).toISOString(),
  http_status_code: status,
  error: status !== null && status < 300 ? null : "It failed.",
  duration_ms: 12,
});
const ofHolder = { holder: "somebody", now: NOW };
const ofTry = { round: 0, now: NOW, random: 0.5 };

describe("webhook: when its job ends", () => {
  test.each([
    ["success", true, "pending"],
    ["failed", true, "pending"],
    ["success", false, "pending"],
    ["failed", false, "skipped"],
  ] as const)("with %s, notifies_on_failure %s, it is %s", (outcome, notifies_on_failure, status) => {
    expect(completedWebhook(aWebhook({ notifies_on_failure }), outcome).status).toBe(status);
  });
});

describe("webhook: a worker", () => {
  test("attempts a delivery that is due", () => {
    expect(nextStep(aWebhook(), undefined, NOW)).toEqual({ step: "try" });
    expect(nextStep(aWebhook({ next_at: NOW }), undefined, NOW)).toEqual({ step: "try" });
  });

  test("waits for one that is not due, or that another worker is attempting", () => {
    expect(nextStep(aWebhook({ next_at: NOW + 1 }), undefined, NOW)).toEqual({ step: "wait", until: NOW + 1 });
    expect(nextStep(startDeliveryAttempt(aWebhook(), ofHolder), undefined, NOW + 1).step).toBe("wait");
  });

  test("attempts it again when the last worker died", () => {
    const claimed = startDeliveryAttempt(aWebhook(), ofHolder);
    expect(nextStep(claimed, undefined, claimed.next_at)).toEqual({ step: "try" });
    expect(claimed.next_at - NOW).toBeGreaterThanOrEqual(20_000); // the function's timeout
  });

  test.each(["delivered", "failed", "skipped"] as const)("does nothing for one that is %s", (status) => {
    expect(nextStep(aWebhook({ status }), undefined, NOW)).toEqual({ step: "end" });
  });

  test("ignores a message of an earlier round", () => {
    const again = restartedWebhook(aWebhook());
    expect(nextStep(again, 0, NOW)).toEqual({ step: "end" });
    expect(nextStep(again, 1, NOW)).toEqual({ step: "try" });
  });
});

describe("webhook: after an attempt", () => {
  test.each([200, 201, 204, 299])("with response %d it is delivered", (status) => {
    expect(finishDeliveryAttempt(aWebhook(), aDelivery(status), ofTry)).toMatchObject({
      status: "delivered",
      deliveries: [aDelivery(status)],
    });
  });

  test.each([null, 301, 400, 401, 404, 429, 500, 503])("with outcome %j it is retried", (status) => {
    const after = finishDeliveryAttempt(aWebhook(), aDelivery(status), ofTry);
    expect(after).toMatchObject({
      status: "pending",
      failures: 1,
      next_at: NOW + 5_000,
      deliveries: [aDelivery(status)],
    });
  });

  test("with response 410 it has failed, without further attempts", () => {
    expect(finishDeliveryAttempt(aWebhook(), aDelivery(410), ofTry)).toMatchObject({
      status: "failed",
      deliveries: [aDelivery(410)],
    });
  });

  test("that is the eighth failure it has failed", () => {
    let webhook = aWebhook();
    const waits: number[] = [];
    while (webhook.status === "pending") {
      webhook = finishDeliveryAttempt(webhook, aDelivery(500), ofTry);
      waits.push((webhook.next_at - NOW) / 1000);
    }
    expect(webhook).toMatchObject({ status: "failed", failures: 8 });
    expect(waits.slice(0, 6)).toEqual([5, 60, 300, 900, 3_600, 14_400]);
    expect(webhook.deliveries).toHaveLength(8);
  });

  test("the latest twenty deliveries are kept", () => {
    let webhook = aWebhook();
    for (let count = 1; count <= 25; count++) {
      webhook = finishDeliveryAttempt(restartedWebhook(webhook), aDelivery(500 + count), { ...ofTry, round: count });
    }
    const kept = webhook.deliveries.map(({ http_status_code }) => http_status_code);
    expect(kept).toEqual(Array.from({ length: 20 }, (_, index) => 506 + index));
  });

  test("of an earlier round only the delivery is added", () => {
    const again = restartedWebhook(startDeliveryAttempt(aWebhook(), ofHolder));
    for (const status of [204, 410, 500]) {
      const noted = { ...again, version: again.version + 1, deliveries: [aDelivery(status)] };
      expect(finishDeliveryAttempt(again, aDelivery(status), ofTry)).toEqual(noted);
    }
  });
});

describe("webhook: restarted", () => {
  test.each(["pending", "delivered", "failed", "skipped"] as const)(
    "it is pending again, though it was %s",
    (status) => {
      const before = aWebhook({ status, failures: 5, next_at: NOW, deliveries: [aDelivery(500)] });
      expect(restartedWebhook(before)).toMatchObject({
        status: "pending",
        failures: 0,
        next_at: 0,
        deliveries: [aDelivery(500)],
      });
    },
  );
});

test("webhook: every change creates a new version that matches the stored schema", () => {
  const random = seededRandom(7);
  let webhook = newWebhook(terms);
  for (let step = 0; step < 500; step++) {
    const changes = [
      () => completedWebhook(webhook, random() < 0.5 ? "success" : "failed"),
      () => startDeliveryAttempt(webhook, ofHolder),
      () => restartedWebhook(webhook),
      () =>
        finishDeliveryAttempt(webhook, aDelivery([null, 204, 410, 500][Math.floor(random() * 4)] ?? null), {
          ...ofTry,
          round: webhook.round,
        }),
    ];
    const after = changes[Math.floor(random() * changes.length)]?.() ?? webhook;
    expect(after.version).toBe(webhook.version + 1);
    expect(v.parse(WebhookSchema, after)).toEqual(after);
    expect(after.deliveries.length).toBeLessThanOrEqual(20);
    webhook = after;
  }
});
