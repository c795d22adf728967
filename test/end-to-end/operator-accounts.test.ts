// Operators: accounts that they list, find, see, and change, and the audit log of that.
import { beforeAll, describe, expect, inject, test } from "vitest";
import { updateKeyRing } from "../../lib/service/account/account-store.ts";
import { setAddress } from "../../lib/service/account/address-change.ts";
import { type Client, openClient, sendWith } from "../support/client.ts";
import { linkTokenTo, mailsTo } from "../support/mailbox.ts";
import { type SignedInOperator, signInOperator } from "../support/operator.ts";
import { fromOwnPage } from "../support/signed-in.ts";

const { accountsTable } = inject("service");

let operator: SignedInOperator;
let client: Client;
beforeAll(async () => {
  [operator, client] = await Promise.all([signInOperator(), openClient()]);
});

// biome-ignore lint/suspicious/noExplicitAny: what is answered is JSON of any shape.
async function read(path: string): Promise<any> {
  const response = await operator.request("GET", path);
  expect([path, response.status]).toEqual([path, 200]);
  return response.json();
}

/** Changes an account; resolves to the status and what is answered. */
async function change(accountId: number, what: string, body: object) {
  const response = await operator.request("POST", `accounts/${accountId}/${what}`, body);
  const text = await response.text();
  return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
}

/** The actions that the audit log has of an account, oldest first, and their entries. */
async function auditOf(accountId: number) {
  const entries: { account_id: number; action: string; reason: string | null; details: object }[] = [];
  for (let next: string | null = ""; next !== null; ) {
    const page: { data: typeof entries; next: string | null } = await read(
      next === "" ? "audit" : `audit?after=${encodeURIComponent(next)}`,
    );
    entries.push(...page.data.filter((entry) => entry.account_id === accountId));
    ({ next } = page);
  }
  return entries.toReversed();
}

describe("operator: accounts", () => {
  test("are listed newest first, page by page", async () => {
    const { data, next, is_complete } = await read("accounts");
    expect(is_complete).toBe(false); // the tests never index
    const ids = data.map(({ id }: { id: number }) => id);
    expect(ids).toEqual(ids.toSorted((a: number, b: number) => b - a));
    if (next === null) return;
    const more = await read(`accounts?after=${next}`);
    expect(more.data[0].id).toBeLessThan(ids.at(-1));
  });

  test.each([
    ["its id", async () => String(client.accountId)],
    [
      "the start of its address",
      async () => {
        await setAddress(accountsTable, client.accountId, "Found.By@address.test");
        return "found.by@";
      },
    ],
    ["the start of a key", async () => client.key.slice(0, 12)],
    ["a key", async () => client.key],
  ])("are found by %s", async (_, search) => {
    const { data, next } = await read(`accounts?search=${encodeURIComponent(await search())}`);
    expect([data.map(({ id }: { id: number }) => id), next]).toEqual([[client.accountId], null]);
  });

  test("that nothing matches are none, and a position of another list is refused", async () => {
    for (const search of ["none@nowhere.test", "cap_zzzzzzzzzz", "1", "<script>", "%", " "])
      expect(
        (await read(`accounts?search=${encodeURIComponent(search)}`)).data.filter(
          ({ id }: { id: number }) => id === client.accountId,
        ).length,
      ).toBe(search === " " ? 1 : 0);
    for (const after of ["x", "1e5", "9".repeat(30)]) {
      const response = await operator.request("GET", `accounts?after=${after}`);
      expect([after, response.status]).toEqual([after, 422]);
    }
  });

  test("have markup in their names as text", async () => {
    const { accountId } = await openClient();
    const label = `<img src=x onerror=alert(1)>"'</script>\u202e`;
    await updateKeyRing(accountsTable, accountId, ({ account, keys }) => ({ account: { ...account, label }, keys }));
    const response = await operator.request("GET", `accounts/${accountId}`);
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect((await response.json()).label).toBe(label);
  });
});

describe("operator: an account", () => {
  test("has its use, limits, keys, receivers, and invoices, and no secret", async () => {
    const { accountId, key, keyId, signingSecret, capture } = await openClient({ plan: "pro" });
    expect((await capture({ html: "<p>Used</p>" })).status).toBe(200);
    const response = await operator.request("GET", `accounts/${accountId}`);
    const text = await response.text();
    expect(JSON.parse(text)).toEqual({
      id: accountId,
      label: "Test",
      email: null,
      plan: "pro",
      requested_plan: null,
      created_at: expect.any(String),
      suspension: null,
      quotas: [{ name: "captures", used: 1, limit: 20_000 }],
      last_used_at: expect.any(String),
      limits: expect.objectContaining({
        requests_per_minute: { value: 80, until: null, is_override: false },
        concurrent_captures: { value: expect.any(Number), until: null, is_override: false },
      }),
      keys: [
        {
          id: keyId,
          label: "Test",
          key_prefix: key.slice(0, 12),
          scopes: ["capture", "usage", "keys"],
          created_at: expect.any(String),
          expires_at: null,
          revoked_at: null,
          last_used_at: expect.any(String),
        },
      ],
      receivers: [],
      invoices: [expect.objectContaining({ plan: "pro", status: "open", currency: "usd", total: "49.00" })],
    });
    for (const secret of [key, signingSecret, "hash", "signing_secret"]) expect(text).not.toContain(secret);
    const [row] = (await read(`accounts?search=${accountId}`)).data;
    expect(row).toMatchObject({
      quotas: [{ name: "captures", used: 1, limit: 20_000 }],
      last_used_at: expect.any(String),
    });
  });

  test("has the invoices of months that have ended, whose terms stay when its plan changes", async () => {
    const { accountId } = await openClient({ plan: "pro", openedAt: Date.now() - 40 * 24 * 60 * 60 * 1000 });
    expect((await change(accountId, "plan", { plan: "max" })).status).toBe(200);
    const { invoices } = await read(`accounts/${accountId}`);
    expect(invoices.map(({ plan, status }: Record<string, string>) => [plan, status])).toEqual([
      ["max", "open"],
      ["pro", "closed"],
    ]);
  });

  test.each(["7", "0", "x", "1e3", "9".repeat(30), "%2e%2e", "7%00"])(
    "with the id %s doesn't exist, to read or to change",
    async (id) => {
      for (const response of [
        await operator.request("GET", `accounts/${id}`),
        await operator.request("POST", `accounts/${id}/plan`, { plan: "pro" }),
        await operator.request("POST", `accounts/${id}/suspend`, { reason: "x" }),
        await operator.request("POST", `accounts/${id}/resume`, {}),
        await operator.request("POST", `accounts/${id}/limits`, { limits: { api_keys: { value: 1 } } }),
        await operator.request("POST", `accounts/${id}/sign-in-link`, {}),
      ])
        expect([response.url, response.status]).toEqual([response.url, 404]);
    },
  );

  test("gets another plan, with an entry in the audit log; the trial isn't one", async () => {
    const { accountId } = await openClient({ plan: "pro" });
    const changed = await change(accountId, "plan", { plan: "max", reason: "asked for it\nby mail" });
    expect(changed).toMatchObject({ status: 200, body: { id: accountId, plan: "max" } });
    expect(await change(accountId, "plan", { plan: "free" })).toMatchObject({
      status: 409,
      body: { code: "CONFLICT" },
    });
    expect(await change(accountId, "plan", { plan: "gold" })).toMatchObject({ status: 422 });
    expect((await read(`accounts?search=${accountId}`)).data[0].plan).toBe("max");
    expect(await auditOf(accountId)).toEqual([
      {
        at: expect.any(String),
        id: expect.any(String),
        operator: "root@host",
        from: "127.0.0.1",
        action: "account.plan_changed",
        account_id: accountId,
        reason: "asked for it by mail",
        details: { from: "pro", to: "max" },
      },
    ]);
  });

  test("is suspended and resumed, and its owner is told why", async () => {
    const { accountId, get } = await openClient();
    expect(await change(accountId, "suspend", { reason: "" })).toMatchObject({ status: 422 });
    const suspended = await change(accountId, "suspend", { reason: "Abuse <b>" });
    expect(suspended).toMatchObject({
      status: 200,
      body: { suspension: { reason: "Abuse <b>", at: expect.any(String) } },
    });
    const refused = await get("/api/v1/account");
    expect([refused.status, await refused.json()]).toEqual([
      403,
      expect.objectContaining({ code: "ACCOUNT_SUSPENDED", error: expect.stringContaining("Abuse <b>") }),
    ]);
    expect((await read(`accounts?search=${accountId}`)).data[0].suspension).toMatchObject({ reason: "Abuse <b>" });
    expect(await change(accountId, "resume", { reason: "Paid" })).toMatchObject({
      status: 200,
      body: { suspension: null },
    });
    expect((await get("/api/v1/account")).status).toBe(200);
    expect(await change(accountId, "resume", {})).toMatchObject({ status: 200 }); // again, which changes nothing
    expect((await auditOf(accountId)).map(({ action, reason }) => [action, reason])).toEqual([
      ["account.suspended", "Abuse <b>"],
      ["account.resumed", "Paid"],
    ]);
  });

  test("gets limits of its own, which apply at once, and gives them back", async () => {
    const { accountId, get } = await openClient();
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const limited = await change(accountId, "limits", {
      limits: { requests_per_minute: { value: 1, until } },
      reason: "noisy",
    });
    expect(limited.body.limits.requests_per_minute).toEqual({ value: 1, until, is_override: true });
    const statuses = [(await get("/api/v1/account")).status, (await get("/api/v1/account")).status];
    expect(statuses).toEqual([200, 429]);
    for (const limits of [{ requests_per_minute: { value: 0 } }, { none: { value: 1 } }, { api_keys: 5 }, [], "x"])
      expect(await change(accountId, "limits", { limits })).toMatchObject({ status: 422 });
    const given = await change(accountId, "limits", { limits: { requests_per_minute: null } });
    expect(given.body.limits.requests_per_minute.is_override).toBe(false);
    expect((await auditOf(accountId)).map(({ details, reason }) => [details, reason])).toEqual([
      [{ requests_per_minute: `1 until ${until}` }, "noisy"],
      [{ requests_per_minute: "by the plan" }, null],
    ]);
  });

  test("whose owner is sent a link to sign in, which the operator doesn't see", async () => {
    const { accountId } = await openClient();
    expect(await change(accountId, "sign-in-link", {})).toMatchObject({ status: 409, body: { code: "CONFLICT" } });
    const email = "owner@linked.test";
    await setAddress(accountsTable, accountId, email);
    expect(await change(accountId, "sign-in-link", { reason: "lost mailbox" })).toEqual({
      status: 202,
      body: undefined,
    });
    const token = await linkTokenTo(email, "sign-in");
    const [mail] = await mailsTo(email);
    expect(mail?.text).toContain("The operator of the service has a link sent to you");
    expect((await fromOwnPage("POST", "/session", { body: { token } })).status).toBe(201);
    const entries = await auditOf(accountId);
    expect(entries.map(({ action, reason }) => [action, reason])).toEqual([
      ["account.sign_in_link_sent", "lost mailbox"],
    ]);
    expect(JSON.stringify(entries)).not.toContain(token);
  });
});

describe("operator: captures of an account", () => {
  test("are listed newest first with their hosts and outcomes, without addresses and options", async () => {
    const { accountId, capture, keyId } = await openClient();
    const { site } = inject("service");
    expect((await capture({ url: `${site}/box?secret=1` })).status).toBe(200);
    expect((await capture({ html: "<p>x</p>", selector: "#none" })).status).toBe(422);
    const { data, next } = await read(`accounts/${accountId}/captures`);
    expect(next).toBeNull();
    expect(data).toEqual([
      expect.objectContaining({ host: null, status: "failed", blame: "target", bytes: null, api_key_id: keyId }),
      expect.objectContaining({
        host: new URL(site).host,
        status: "success",
        code: null,
        blame: null,
        has_picture: true,
      }),
    ]);
    expect(JSON.stringify(data)).not.toContain("secret=1");
    const failed = await read(`accounts/${accountId}/captures?status=failed`);
    expect(failed.data).toEqual([data[0]]);
    const older = await read(`accounts/${accountId}/captures?after=${data[0].id}`);
    expect(older.data).toEqual([data[1]]);
  });

  test("have pictures, and each look at one is in the audit log", async () => {
    const { accountId, capture } = await openClient();
    expect((await capture({ html: "<p>Picture</p>" })).status).toBe(200);
    const [{ id }] = (await read(`accounts/${accountId}/captures`)).data;
    const path = `accounts/${accountId}/captures/${id}/picture`;
    const look = () => operator.request("GET", path);
    await expect.poll(async () => (await look()).status).toBe(200);
    const before = (await auditOf(accountId)).length;
    const picture = await look();
    expect([picture.headers.get("content-type"), picture.headers.get("cache-control")]).toEqual([
      "image/webp",
      "no-store",
    ]);
    expect((await picture.arrayBuffer()).byteLength).toBeGreaterThan(20);
    const entries = await auditOf(accountId);
    expect(entries.slice(before)).toEqual([
      expect.objectContaining({ action: "picture.viewed", details: { capture: id } }),
    ]);
    for (const other of [
      `accounts/${client.accountId}/captures/${id}/picture`,
      `accounts/${accountId}/captures/x/picture`,
    ])
      expect((await operator.request("GET", other)).status).toBe(404);
    expect(await auditOf(accountId)).toHaveLength(entries.length);
  });
});

test("operator: nothing of an account changes without the token against cross-site requests", async () => {
  const { accountId, key } = await openClient({ plan: "pro" });
  const { request } = operator;
  const before = await read(`accounts/${accountId}`);
  for (const [what, body] of [
    ["plan", { plan: "max" }],
    ["suspend", { reason: "x" }],
    ["resume", {}],
    ["limits", { limits: { api_keys: { value: 1 } } }],
    ["sign-in-link", {}],
  ] as const) {
    const response = await fetch(`${inject("service").baseUrl}/operator/api/accounts/${accountId}/${what}`, {
      method: "POST",
      headers: { Cookie: operator.cookie, "Sec-Fetch-Site": "same-origin", "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    expect([what, response.status]).toEqual([what, 403]);
  }
  expect(await read(`accounts/${accountId}`)).toEqual(before);
  expect(await auditOf(accountId)).toEqual([]);
  expect((await sendWith({ key }, "GET", "/api/v1/account")).status).toBe(200);
  expect((await request("POST", `accounts/${accountId}/plan`, { plan: "max" })).status).toBe(200); // with it
});

test("operator: the audit log is exported as one JSON object a line, newest first", async () => {
  const { data } = await read("audit"); // other files add entries meanwhile
  const response = await operator.request("GET", "audit/export");
  expect(response.headers.get("content-type")).toBe("application/x-ndjson");
  expect(response.headers.get("content-disposition")).toMatch(
    /^attachment; filename="audit-log-\d{4}-\d\d-\d\d\.ndjson"$/,
  );
  const lines = (await response.text())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.length).toBeGreaterThan(5);
  expect(lines).toEqual(expect.arrayContaining(data));
  expect(lines.map(({ at }) => at)).toEqual(
    lines
      .map(({ at }) => at)
      .toSorted()
      .toReversed(),
  );
  expect((await operator.request("GET", "audit?after=x")).status).toBe(422);
});
