// Key ring: pure operations on an account and its keys.
import { describe, expect, test } from "vitest";
import {
  type ApiKey,
  type KeyRing,
  linkSecrets,
  signingSecrets,
  validTexts,
} from "../../../lib/service/account/account.ts";
import {
  findKey,
  lastKey,
  widensUse,
  withChangedKey,
  withEndedTexts,
  withKey,
  withPlan,
  withRevokedKey,
  withRotatedKey,
} from "../../../lib/service/keys/key-ring.ts";
import { anAccount, anApiKey, apiErrorOf } from "../../support/builders.ts";

const NOW = "2026-01-31T12:00:00.000Z";
const EARLIER = "2026-01-02T00:00:00.000Z";

const ringOf = (...keys: ApiKey[]): KeyRing => ({ account: anAccount(), keys });
const manyKeys = (count: number, parts: Partial<ApiKey> = {}) =>
  Array.from({ length: count }, (_, index) => anApiKey({ id: index + 1, ...parts }));

describe("key ring: findKey", () => {
  test("returns the key with the id", () => {
    expect(findKey(ringOf(anApiKey({ id: 1 }), anApiKey({ id: 2 })), 2).id).toBe(2);
  });

  test.each([3, 0, -1, Number.NaN, 1.5])("throws the same NOT_FOUND for id %d", (id) => {
    expect(apiErrorOf(() => findKey(ringOf(anApiKey({ id: 1 })), id))).toMatchObject({
      status: 404,
      message: "The account has no API key of this id. List its keys with GET /api/v1/keys.",
    });
  });
});

describe("key ring: adding a key", () => {
  test("appends it after all others", () => {
    const ring = withKey(ringOf(anApiKey({ id: 1 })), anApiKey({ id: 9, label: "New" }));
    expect(ring.keys.map(({ id }) => id)).toEqual([1, 9]);
    expect(lastKey(ring)).toEqual(anApiKey({ id: 9, label: "New" }));
  });

  test.each([3, 4, 5])("appends it even when it has the id %d and others have 4 and 5", (id) => {
    const ring = withKey(ringOf(anApiKey({ id: 4 }), anApiKey({ id: 5 })), anApiKey({ id, label: "New" }));
    expect(ring.keys.map(({ id }) => id)).toEqual([4, 5, 6]);
    expect(lastKey(ring).label).toBe("New");
  });

  test("is rejected for the forty-ninth", () => {
    expect(withKey(ringOf(...manyKeys(47)), anApiKey({ id: 99 })).keys).toHaveLength(48);
    expect(apiErrorOf(() => withKey(ringOf(...manyKeys(48)), anApiKey({ id: 99 })))).toMatchObject({
      status: 409,
      code: "CONFLICT",
      message: "The account has 48 API keys, as many as it may have. Revoke one of them first.",
    });
  });

  test("counts the 48 active keys only; an expired one counts, because it can be extended", () => {
    const revoked = manyKeys(48, { revoked_at: EARLIER });
    expect(withKey(ringOf(...revoked), anApiKey({ id: 99 })).keys).toHaveLength(49);
    const expired = manyKeys(48, { expires_at: EARLIER });
    expect(apiErrorOf(() => withKey(ringOf(...expired), anApiKey({ id: 99 }))).code).toBe("CONFLICT");
  });
});

describe("key ring: adding a key where the operator has set how many there can be", () => {
  const limited = (value: number, count: number, until: string | null = null): KeyRing => ({
    account: anAccount({ limits: { api_keys: { value, until } } }),
    keys: [...manyKeys(count), anApiKey({ id: 90, revoked_at: EARLIER })],
  });
  const aNewKey = anApiKey({ id: 99, created_at: NOW });

  test.each([
    [3, 3, "The account has 3 API keys, and the operator of the service allows it 3. Revoke 1 of them first."],
    [2, 5, "The account has 5 API keys, and the operator of the service allows it 2. Revoke 4 of them first."],
    [0, 0, "The account has 0 API keys, and the operator of the service allows it 0."],
  ])("%d is rejected for %d active ones", (value, count, message) => {
    expect(apiErrorOf(() => withKey(limited(value, count), aNewKey))).toMatchObject({ code: "CONFLICT", message });
  });

  test("is accepted up to that number, and up to that of all accounts once its time is over", () => {
    expect(withKey(limited(3, 2), aNewKey).keys).toHaveLength(4);
    expect(withKey(limited(0, 47, NOW), aNewKey).keys).toHaveLength(49);
    expect(apiErrorOf(() => withKey(limited(0, 48, NOW), aNewKey)).message).toContain("as many as it may have");
  });
});

describe("key ring: changing a key", () => {
  test("leaves everything else unchanged", () => {
    const ring = ringOf(anApiKey({ id: 1 }), anApiKey({ id: 2 }), anApiKey({ id: 3 }));
    const changed = withChangedKey(ring, 2, { label: "Other" });
    expect(changed).toEqual(ringOf(anApiKey({ id: 1 }), anApiKey({ id: 2, label: "Other" }), anApiKey({ id: 3 })));
    expect(ring.keys[1]?.label).toBe("Website");
  });

  test("is rejected for a revoked key", () => {
    const ring = ringOf(anApiKey({ id: 1, revoked_at: EARLIER }));
    expect(apiErrorOf(() => withChangedKey(ring, 1, { label: "Other" }))).toMatchObject({
      status: 409,
      code: "CONFLICT",
      message: `This API key was revoked at ${EARLIER} and cannot be changed. Create another one.`,
    });
  });

  test("is rejected for an unknown key", () => {
    expect(apiErrorOf(() => withChangedKey(ringOf(), 1, {})).code).toBe("NOT_FOUND");
  });
});

describe("key ring: rotating a key", () => {
  const secrets = { key_prefix: "cap_new", hash: "11", reports_first_use: true, signing_secret: "whsec_bmV3" };
  const now = Date.parse(NOW);

  test("replaces its secrets and keeps the old signing secret valid for a day", () => {
    const ring = withRotatedKey(ringOf(anApiKey({ id: 1, label: "Mine", signing_secret: "whsec_b2xk" })), 1, {
      secrets,
      now,
    });
    expect(findKey(ring, 1)).toEqual(
      anApiKey({
        id: 1,
        label: "Mine",
        ...secrets,
        previous_signing_secrets: [{ secret: "whsec_b2xk", until: "2026-02-01T12:00:00.000Z" }],
        previous_texts: [{ key_prefix: "cap_01234567", hash: "00", reports_first_use: false, until: NOW }],
      }),
    );
  });

  test("keeps earlier secrets valid: each for 24 hours from its own rotation", () => {
    const day = 24 * 60 * 60 * 1000;
    const rotated = (ring: KeyRing, signing_secret: string, at: number) =>
      withRotatedKey(ring, 1, { secrets: { ...secrets, signing_secret }, now: at });
    const first = ringOf(anApiKey({ id: 1, signing_secret: "first" }));
    const third = rotated(rotated(first, "second", now), "third", now + 1000);
    const secretsAt = (ring: KeyRing, at: number) => signingSecrets(findKey(ring, 1), at);
    expect(secretsAt(third, now + 1000)).toEqual(["third", "second", "first"]);
    expect(secretsAt(third, now + day - 1)).toEqual(["third", "second", "first"]);
    expect(secretsAt(third, now + day)).toEqual(["third", "second"]);
    expect(secretsAt(third, now + day + 1000)).toEqual(["third"]);
    const later = findKey(rotated(third, "fourth", now + day), 1);
    expect(later.previous_signing_secrets.map(({ secret }) => secret)).toEqual(["third", "second"]);
  });

  test("lets no earlier secret sign links for longer than the rotation asks for", () => {
    const secretsOf = (ring: KeyRing, at: number) => linkSecrets(findKey(ring, 1), at);
    const rotated = (ring: KeyRing, signing_secret: string, linkGraceSeconds: number) =>
      withRotatedKey(ring, 1, { secrets: { ...secrets, signing_secret }, now, linkGraceSeconds });
    const graced = rotated(ringOf(anApiKey({ id: 1, signing_secret: "first" })), "second", 60);
    expect(secretsOf(graced, now + 59_999)).toEqual(["second", "first"]);
    expect(secretsOf(graced, now + 60_000)).toEqual(["second"]);
    expect(secretsOf(rotated(graced, "third", 30), now + 29_999)).toEqual(["third", "second", "first"]);
    expect(secretsOf(rotated(graced, "third", 30), now + 30_000)).toEqual(["third"]);
    expect(secretsOf(rotated(graced, "third", 90), now + 60_000)).toEqual(["third", "second"]);
    expect(secretsOf(rotated(graced, "third", 0), now)).toEqual(["third"]);
  });

  const HOUR_S = 3600;
  const textsOf = (ring: KeyRing, at: number) => validTexts(findKey(ring, 1), at).map(({ hash }) => hash);
  const rotatedTo = (ring: KeyRing, hash: string, overlapSeconds: number, at = now) =>
    withRotatedKey(ring, 1, { secrets: { ...secrets, hash, signing_secret: hash }, now: at, overlapSeconds });
  const first = ringOf(anApiKey({ id: 1, hash: "a", signing_secret: "a" }));

  test("with an overlap lets the old text work until its end, to the millisecond", () => {
    const ring = rotatedTo(first, "b", HOUR_S);
    expect(textsOf(ring, now + HOUR_S * 1000 - 1)).toEqual(["a"]);
    expect(textsOf(ring, now + HOUR_S * 1000)).toEqual([]);
    expect(textsOf(rotatedTo(first, "b", 0), now)).toEqual([]);
  });

  test("lets no earlier text work longer than the rotation asks for, and ends none sooner", () => {
    const ring = rotatedTo(rotatedTo(first, "b", HOUR_S), "c", 2 * HOUR_S, now + 1000);
    expect(textsOf(ring, now + HOUR_S * 1000 - 1)).toEqual(["b", "a"]);
    expect(textsOf(ring, now + HOUR_S * 1000)).toEqual(["b"]);
    expect(textsOf(rotatedTo(rotatedTo(first, "b", HOUR_S), "c", 60), now + 59_999)).toEqual(["b", "a"]);
    expect(textsOf(rotatedTo(rotatedTo(first, "b", HOUR_S), "c", 60), now + 60_000)).toEqual([]);
    expect(textsOf(rotatedTo(rotatedTo(first, "b", HOUR_S), "c", 0), now)).toEqual([]);
  });

  test("lets the old signing secret sign links and webhooks for as long as the old text works", () => {
    const key = findKey(rotatedTo(first, "b", 7 * 24 * HOUR_S), 1);
    const end = now + 7 * 24 * HOUR_S * 1000;
    expect([linkSecrets(key, end - 1), signingSecrets(key, end - 1)]).toEqual([
      ["b", "a"],
      ["b", "a"],
    ]);
    expect([linkSecrets(key, end), signingSecrets(key, end)]).toEqual([["b"], ["b"]]);
    const hour = findKey(rotatedTo(first, "b", HOUR_S), 1);
    expect(linkSecrets(hour, now + HOUR_S * 1000)).toEqual(["b"]);
    expect(signingSecrets(hour, now + HOUR_S * 1000)).toEqual(["b", "a"]); // webhooks for 24 hours
  });

  test("can be ended before its time, with the links of its old secrets", () => {
    const ended = withEndedTexts(rotatedTo(rotatedTo(first, "b", HOUR_S), "c", HOUR_S), 1, now + 1);
    expect(textsOf(ended, now + 1)).toEqual([]);
    expect(linkSecrets(findKey(ended, 1), now + 1)).toEqual(["c"]);
    expect(signingSecrets(findKey(ended, 1), now + 1)).toEqual(["c", "b", "a"]);
    expect(withEndedTexts(ended, 1, now + 2)).toBe(ended);
    const revoked = withRevokedKey(rotatedTo(first, "b", HOUR_S), 1, NOW);
    expect(withEndedTexts(revoked, 1, now)).toBe(revoked);
    expect(apiErrorOf(() => withEndedTexts(first, 2, now)).code).toBe("NOT_FOUND");
  });

  test("with an overlap is rejected where a change of plan could not rewrite every text, which leaves room for keys", () => {
    const full = ringOf(...manyKeys(48));
    const rotate = (ring: KeyRing, overlapSeconds: number) => withRotatedKey(ring, 1, { secrets, now, overlapSeconds });
    expect(apiErrorOf(() => rotate(full, 1))).toMatchObject({ code: "CONFLICT", status: 409 });
    expect(() => rotate(full, 0)).not.toThrow();
    const roomy = rotate(rotate(ringOf(...manyKeys(47)), HOUR_S), HOUR_S);
    expect(apiErrorOf(() => rotate(roomy, HOUR_S)).code).toBe("CONFLICT");
    const added = (at: number) => withKey(roomy, anApiKey({ id: 99, created_at: new Date(at).toISOString() }));
    expect(apiErrorOf(() => added(now + HOUR_S * 1000 - 1)).message).toBe(
      "The account has 47 API keys and 2 previous texts of rotated keys, as many as it may have. Revoke a key or end the previous " +
        "texts of one first.",
    );
    expect(added(now + HOUR_S * 1000).keys).toHaveLength(48);
  });

  test("is rejected after ten rotations within 24 hours, until the first of their secrets has expired", () => {
    const rotate = (ring: KeyRing, at: number) => withRotatedKey(ring, 1, { secrets, now: at });
    const ten = Array.from({ length: 10 }).reduce(
      (ring: KeyRing, _, n) => rotate(ring, now + n),
      ringOf(anApiKey({ id: 1 })),
    );
    expect(apiErrorOf(() => rotate(ten, now + 10)).code).toBe("CONFLICT");
    expect(() => rotate(ten, now + 24 * 60 * 60 * 1000)).not.toThrow();
  });

  test("is rejected for a revoked or unknown key", () => {
    const ring = ringOf(anApiKey({ id: 1, revoked_at: EARLIER }));
    expect(apiErrorOf(() => withRotatedKey(ring, 1, { secrets, now })).code).toBe("CONFLICT");
    expect(apiErrorOf(() => withRotatedKey(ring, 2, { secrets, now })).code).toBe("NOT_FOUND");
  });
});

describe("key ring: revoking a key", () => {
  test("records when", () => {
    expect(withRevokedKey(ringOf(anApiKey({ id: 1 })), 1, NOW)).toEqual(ringOf(anApiKey({ id: 1, revoked_at: NOW })));
  });

  test("twice changes nothing", () => {
    const ring = ringOf(anApiKey({ id: 1, revoked_at: EARLIER }));
    expect(withRevokedKey(ring, 1, NOW)).toBe(ring);
  });

  test("is rejected for an unknown key", () => {
    expect(apiErrorOf(() => withRevokedKey(ringOf(), 1, NOW)).code).toBe("NOT_FOUND");
  });
});

describe("key ring: changing the plan", () => {
  const onTrial: KeyRing = { account: anAccount({ plan: "free", billed_from: null }), keys: [anApiKey()] };

  test("ends the trial and starts the billing months", () => {
    expect(withPlan(onTrial, "starter", NOW)).toEqual({
      account: anAccount({ plan: "starter", billed_from: NOW }),
      keys: [anApiKey()],
    });
  });

  test("keeps billing months that have started", () => {
    const ring = { account: anAccount({ plan: "starter", billed_from: EARLIER }), keys: [] };
    expect(withPlan(ring, "max", NOW).account).toEqual(anAccount({ plan: "max", billed_from: EARLIER }));
  });

  test("accepts the current plan", () => {
    expect(withPlan(onTrial, "free", NOW)).toEqual(onTrial);
  });

  test("never starts a second trial", () => {
    expect(() => withPlan(ringOf(), "free", NOW)).toThrow(
      new RangeError("Account 3 has had a paid plan; its trial cannot begin again."),
    );
  });
});

describe("key ring: the use of a key", () => {
  const key = anApiKey({ expires_at: NOW, require_signature: true });
  test.each<[string, boolean, Partial<ApiKey>]>([
    ["with a later expiry", true, { expires_at: "2026-02-01T00:00:00.000Z" }],
    ["without an expiry", true, { expires_at: null }],
    ["without signatures", true, { require_signature: false }],
    ["with an earlier expiry", false, { expires_at: EARLIER }],
    ["with another label", false, { label: "Old", expires_at: NOW, require_signature: true }],
  ])("%s is wider: %s", (_, isWider, changes) => {
    expect(widensUse(key, changes)).toBe(isWider);
  });
});
