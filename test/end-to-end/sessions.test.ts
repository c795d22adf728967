// Signing in and out over HTTP, the list of sessions, and the API with a session in place of an API key.
import { beforeAll, describe, expect, inject, test } from "vitest";
import { updateKeyRing } from "../../lib/service/account/account-store.ts";
import { withRevokedKey } from "../../lib/service/keys/key-ring.ts";
import { type Client, openClient, sendWith } from "../support/client.ts";
import { cookieOf, fromOwnPage, linkToken, signIn, withCookie } from "../support/signed-in.ts";
import { sampled } from "../support/slow-run.ts";

const { baseUrl, accountsTable, receiver } = inject("service");
let client: Client;

beforeAll(async () => {
  client = await openClient();
});

describe("sign-in", () => {
  test("an API key with the scope keys starts a session, whose cookie scripts cannot read", async () => {
    const response = await fromOwnPage("POST", "/session", { body: { api_key: client.key } });
    expect(response.status).toBe(201);
    const [cookie = "", known = "", ...others] = response.headers.getSetCookie();
    expect(others).toEqual([]);
    expect(known).toMatch(/^known-browser=[^;]+; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax$/);
    expect(cookie).toMatch(/^session=ses_\d+_[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/);
    expect(await response.json()).toMatchObject({
      account: { id: client.accountId, label: "Test", plan: "max" },
      session: { signed_in_with: "api_key" },
      sign_in: { email: expect.any(Boolean), sign_up: expect.any(Boolean) },
    });
  });

  test("a link signs in once, also with simultaneous requests", async () => {
    const token = await linkToken(client.accountId);
    const answers = await Promise.all([1, 2, 3].map(() => fromOwnPage("POST", "/session", { body: { token } })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 401, 401]);
    const bodies = await Promise.all(answers.map((answer) => answer.json()));
    expect(bodies.flatMap(({ session }) => session?.signed_in_with ?? [])).toEqual(["link"]);
    expect((await fromOwnPage("POST", "/session", { body: { token } })).status).toBe(401);
  });

  test("a link expires after 15 minutes", async () => {
    const token = await linkToken(client.accountId, Date.now() - 15 * 60 * 1000);
    expect((await fromOwnPage("POST", "/session", { body: { token } })).status).toBe(401);
  });

  test("a key without the scope keys is refused, and so are other options", async () => {
    const { key } = await addKey(["capture", "usage"]);
    const response = await fromOwnPage("POST", "/session", { body: { api_key: key } });
    expect(response.status).toBe(403);
    expect((await response.json()).error).toContain("'keys'");
    for (const body of [{}, { api_key: "a", token: "b" }, { password: "x" }])
      expect((await fromOwnPage("POST", "/session", { body })).status).toBe(422);
  });

  test("which ways are open is public", async () => {
    const response = await fetch(`${baseUrl}/sign-in`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ email: expect.any(Boolean), sign_up: expect.any(Boolean) });
  });
});

describe("a session", () => {
  test("ends when its API key is revoked", async () => {
    const { key, id } = await addKey(["keys"]);
    const browser = withCookie(cookieOf(await fromOwnPage("POST", "/session", { body: { api_key: key } })));
    expect((await browser.request("GET", "/session")).status).toBe(200);
    const now = new Date().toISOString();
    await updateKeyRing(accountsTable, client.accountId, (ring) => withRevokedKey(ring, id, now));
    expect((await browser.request("GET", "/session")).status).toBe(401);
    expect((await browser.request("GET", "/api/v1/account")).status).toBe(401);
  });

  test("can do no more than the API key that it began with", async () => {
    const { key } = await addKey(["keys"]);
    const browser = withCookie(cookieOf(await fromOwnPage("POST", "/session", { body: { api_key: key } })));
    expect((await browser.request("GET", "/api/v1/keys")).status).toBe(200);
    expect((await browser.request("GET", "/api/v1/usage")).status).toBe(403);
    const created = await browser.request("POST", "/api/v1/keys", { label: "More", scopes: ["capture"] });
    expect(created.status).toBe(403);
  });

  test("is none without a cookie, which is no error, and says which ways to sign in are open", async () => {
    const response = await fromOwnPage("GET", "/session");
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(await response.json()).toEqual({ account: null, session: null, sign_in: { email: true, sign_up: true } });
    const headers = { "Sec-Fetch-Site": "cross-site" };
    expect((await fetch(`${baseUrl}/session`, { headers })).status).toBe(403);
  });

  test("ends by signing out, also for a copy of its cookie", async () => {
    const browser = await signIn(client.accountId);
    const response = await browser.request("DELETE", "/session");
    expect(response.status).toBe(204);
    expect(response.headers.get("set-cookie")).toMatch(/^session=; Path=\/; Max-Age=0;/);
    expect((await browser.request("GET", "/session")).status).toBe(401);
    expect((await browser.request("GET", "/api/v1/usage")).status).toBe(401);
    expect((await browser.request("DELETE", "/session")).status).toBe(204);
  });

  test("is listed with its browser and its network, and ended from the list", async () => {
    const { accountId } = await openClient();
    const [here, there] = [await signIn(accountId), await signIn(accountId)];
    const { data } = await (await here.request("GET", "/sessions")).json();
    expect(data).toHaveLength(2);
    expect(data[0]).toMatchObject({ network: "127.0.0.x", user_agent: "node", signed_in_with: "link" });
    const other = data.find(({ is_current }: { is_current: boolean }) => !is_current);
    expect((await here.request("DELETE", `/sessions/${other.id}`)).status).toBe(204);
    expect((await there.request("GET", "/session")).status).toBe(401);
    expect((await here.request("GET", "/session")).status).toBe(200);
    expect((await here.request("DELETE", `/sessions/${other.id}`)).status).toBe(404);
  });

  test("ends all others of the account, and none of another account", async () => {
    const { accountId } = await openClient();
    const [here, there, stranger] = [await signIn(accountId), await signIn(accountId), await signIn(client.accountId)];
    expect((await here.request("DELETE", "/sessions")).status).toBe(204);
    const statuses = [here, there, stranger].map(async ({ request }) => (await request("GET", "/session")).status);
    expect(await Promise.all(statuses)).toEqual([200, 401, 200]);
  });

  test("of another account cannot be ended", async () => {
    const victim = await signIn(client.accountId);
    const { session } = await (await victim.request("GET", "/session")).json();
    const stranger = await signIn((await openClient()).accountId);
    expect((await stranger.request("DELETE", `/sessions/${session.id}`)).status).toBe(404);
    expect((await victim.request("GET", "/session")).status).toBe(200);
  });
});

describe("the API with a session", () => {
  sampled(test, 2).each(["/api/v1/usage", "/api/v1/keys"])("answers GET %s", async (path) => {
    const { request } = await signIn(client.accountId);
    const response = await request("GET", path);
    expect(response.status).toBe(200);
    expect(response.headers.get("x-ratelimit-limit")).toBe("120");
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("x-frame-options")).toBe("DENY");
  });

  test("uses nothing of the account's rate limit by reading", async () => {
    const own = await openClient({ plan: "free" });
    const { request } = await signIn(own.accountId);
    for (let count = 0; count < 12; count++) expect((await request("GET", "/api/v1/account")).status).toBe(200);
    expect((await own.get("/api/v1/account")).headers.get("x-ratelimit-remaining")).toBe("9");
  });

  test("creates, rotates and revokes API keys, and repeats a creation for the same Idempotency-Key", async () => {
    const { cookie, request } = await signIn(client.accountId);
    const create = () =>
      fetch(`${baseUrl}/api/v1/keys`, {
        method: "POST",
        headers: {
          Cookie: cookie,
          "Sec-Fetch-Site": "same-origin",
          "Content-Type": "application/json",
          "Idempotency-Key": "a-key",
        },
        body: JSON.stringify({ label: "Mine", scopes: ["capture"] }),
      });
    const [first, second] = [await (await create()).json(), await (await create()).json()];
    expect(second.key).toBe(first.key);
    expect((await request("POST", `/api/v1/keys/${first.id}/rotate`)).status).toBe(200);
    expect((await request("DELETE", `/api/v1/keys/${first.id}`)).status).toBe(200);
  });

  test("captures, counts the capture, and logs it as the dashboard's", async () => {
    const own = await openClient({ plan: "free" });
    const { request } = await signIn(own.accountId);
    const response = await request("POST", "/api/v1/screenshot", { html: "<h1>Hello</h1>" });
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("x-ratelimit-limit")).toBe("10");
    const { data } = await (await request("GET", "/api/v1/usage?api_key_id=0")).json();
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({ status: "success", api_key: { id: 0, label: "Dashboard" } });
    const account = await (await request("GET", "/api/v1/account")).json();
    expect(account.quotas.screenshots.used).toBe(1);
  });

  test("signs webhooks with the oldest active key, and refuses them when there is none", async () => {
    const own = await openClient();
    const { request } = await signIn(own.accountId);
    const options = { html: "Hello", async: true, webhook_url: `${receiver}/session` };
    expect((await request("POST", "/api/v1/screenshot", options)).status).toBe(202);
    const now = new Date().toISOString();
    await updateKeyRing(accountsTable, own.accountId, (ring) => withRevokedKey(ring, own.keyId, now));
    const refused = await request("POST", "/api/v1/screenshot", options);
    expect(refused.status).toBe(422);
    expect((await refused.json()).error).toContain("needs an API key that signs the webhook");
  });

  test("is the API key's when both are sent", async () => {
    const { cookie } = await signIn((await openClient()).accountId);
    const response = await sendWith(client, "GET", "/api/v1/account", { headers: { Cookie: cookie } });
    expect((await response.json()).id).toBe(client.accountId);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    const refused = await fetch(`${baseUrl}/api/v1/account`, {
      headers: { Cookie: cookie, Authorization: "Basic eA==" },
    });
    expect(refused.status).toBe(401);
  });
});

async function addKey(scopes: readonly string[]): Promise<{ readonly key: string; readonly id: number }> {
  return (await sendWith(client, "POST", "/api/v1/keys", { body: { label: "Door", scopes } })).json();
}
