// Saved receivers of webhooks: their ids and names, the rotation of their secrets, and when their health is stored.
import { describe, expect, test } from "vitest";
import { RECEIVER_ID } from "../../../lib/contract/options/groups/delivery.ts";
import { MAX_PREVIOUS_SECRETS } from "../../../lib/service/keys/key-ring.ts";
import {
  changesHealth,
  createReceiverId,
  MAX_RECEIVERS,
  type Receiver,
  withChangedName,
  withNewName,
  withRotatedSecret,
} from "../../../lib/service/receivers/receiver.ts";

const NOW = Date.parse("2026-01-01T12:00:00.000Z");
const at = (seconds: number) => new Date(NOW + seconds * 1000).toISOString();

test("receiver: an id is one that a capture can name", () => {
  const ids = Array.from({ length: 50 }, createReceiverId);
  for (const id of ids) expect(id).toMatch(RECEIVER_ID);
  expect(new Set(ids).size).toBe(50);
});

describe("receiver: a name", () => {
  test.each(["Orders", "ORDERS", "Ｏrders"])(
    "that only differs in its form from a known one is refused: %s",
    (name) => {
      expect(() => withNewName({ rcv_a: "orders" }, "rcv_b", name)).toThrow(
        "The webhook receiver rcv_a has this name.",
      );
      expect(() => withChangedName({ rcv_a: "orders", rcv_b: "x" }, "rcv_b", name)).toThrow("has this name");
    },
  );

  test("of the receiver itself can change its case", () => {
    expect(withChangedName({ rcv_a: "orders" }, "rcv_a", "Orders")).toEqual({ rcv_a: "Orders" });
  });

  test(`is refused for more than ${MAX_RECEIVERS} receivers`, () => {
    const names = Object.fromEntries(
      Array.from({ length: MAX_RECEIVERS }, (_, index) => [`rcv_${index}`, `N${index}`]),
    );
    expect(() => withNewName(names, "rcv_b", "Orders")).toThrow("Delete one of them first.");
    expect(Object.keys(withChangedName(names, "rcv_0", "Orders"))).toHaveLength(MAX_RECEIVERS);
  });
});

describe("receiver: a rotated secret", () => {
  const first = { signing_secret: "whsec_1", previous_signing_secrets: [] };
  const rotate = (secrets: Parameters<typeof withRotatedSecret>[0], secret: string, overlapSeconds: number) =>
    withRotatedSecret(secrets, { secret, now: NOW, overlapSeconds });

  test("leaves the previous one for the overlap", () => {
    const previous_signing_secrets = [{ secret: "whsec_1", until: at(60) }];
    expect(rotate(first, "whsec_2", 60)).toEqual({ signing_secret: "whsec_2", previous_signing_secrets });
  });

  test("lets no earlier secret sign longer than the previous one", () => {
    const { previous_signing_secrets } = rotate(rotate(first, "whsec_2", 3600), "whsec_3", 60);
    expect(previous_signing_secrets).toEqual([
      { secret: "whsec_2", until: at(60) },
      { secret: "whsec_1", until: at(60) },
    ]);
  });

  test("without an overlap ends all previous ones", () => {
    const rotated = rotate(rotate(first, "whsec_2", 3600), "whsec_3", 0);
    expect(rotated).toEqual({ signing_secret: "whsec_3", previous_signing_secrets: [] });
  });

  test("is refused when too many sign, and can still end them all", () => {
    let secrets: Parameters<typeof withRotatedSecret>[0] = first;
    for (let count = 0; count < MAX_PREVIOUS_SECRETS; count++) secrets = rotate(secrets, `whsec_${count}`, 60);
    expect(() => rotate(secrets, "whsec_x", 60)).toThrow("with `overlap` 0");
    expect(rotate(secrets, "whsec_x", 0).previous_signing_secrets).toEqual([]);
  });
});

describe("receiver: its health is stored", () => {
  const receiver: Receiver = {
    id: "rcv_a",
    account_id: 1,
    name: "Orders",
    url: "https://example.com/",
    status: "active",
    created_at: at(-3600),
  };
  test.each<[boolean, string, "success" | "failure", Partial<Receiver>]>([
    [true, "after the first success", "success", {}],
    [true, "after the first failure", "failure", {}],
    [false, "not again for a success within a minute", "success", { last_success_at: at(-59) }],
    [true, "for a success a minute later", "success", { last_success_at: at(-60) }],
    [true, "for a failure right after a success", "failure", { last_success_at: at(-1), last_failure_at: at(-2) }],
    [false, "not again for a failure within a minute", "failure", { last_failure_at: at(-59), failing_since: at(-90) }],
    [true, "for a success right after a failure", "success", { last_success_at: at(-2), failing_since: at(-1) }],
  ])("%s: %s", (isStored, _, outcome, parts) => {
    expect(changesHealth({ ...receiver, ...parts }, outcome, NOW)).toBe(isStored);
  });
});
