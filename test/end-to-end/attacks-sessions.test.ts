// Attacks on sessions: forged requests, fixed and stolen cookies, guessed links, and secrets in logs and tables.
import { randomUUID } from "node:crypto";
import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import { beforeAll, describe, expect, inject, test, vi } from "vitest";
import { undoAccountAddressChange } from "../../lib/service/account/address-change.ts";
import { dynamodb } from "../../lib/service/aws/clients/dynamodb.ts";
import { routes } from "../../lib/service/routes.ts";
import { createSessionToken } from "../../lib/service/sessions/secret-token.ts";
import { type Client, openClient, sendWith } from "../support/client.ts";
import { codeTo, linkTokenTo, mailsTo } from "../support/mailbox.ts";
import { serviceLogs } from "../support/service-logs.ts";
import {
  cookieOf,
  fromOwnPage,
  linkToken,
  ownPage,
  type SignedInBrowser,
  signIn,
  withCookie,
} from "../support/signed-in.ts";
import { slowTest } from "../support/slow-run.ts";

/** The token of a browser's session. */
const tokenOf = ({ cookie }: SignedInBrowser) => /session=([^;]*)/.exec(cookie)?.[1] ?? "";

const { baseUrl, accountsTable } = inject("service");
const JSON_TYPE = { "Content-Type": "application/json" };
let client: Client;
let browser: SignedInBrowser;

beforeAll(async () => {
  client = await openClient();
  browser = await signIn(client.accountId);
});

describe("a forged request (CSRF)", () => {
  const send = (path: string, headers: Record<string, string>, body: string | null = '{"label":"Forged"}') =>
    fetch(`${baseUrl}${path}`, { method: "POST", headers: { Cookie: browser.cookie, ...headers }, body });

  test.each([
    ["another site that names this origin", { ...JSON_TYPE, "Sec-Fetch-Site": "cross-site", Origin: baseUrl }],
    ["an unknown place", JSON_TYPE],
  ])("from %s is refused", async (_, headers) => {
    const response = await send("/api/v1/keys", headers);
    expect(response.status).toBe(403);
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
  });

  test("from an older browser's own page is accepted", async () => {
    expect((await send("/api/v1/keys", { ...JSON_TYPE, Origin: baseUrl })).status).toBe(201);
  });

  test("with the type of a form is refused", async () => {
    for (const type of ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x", ""])
      expect((await send("/api/v1/keys", { ...ownPage, "Content-Type": type })).status).toBe(415);
  });

  test("for a capture by GET is refused, because it takes quota", async () => {
    const get = (site: Record<string, string>) =>
      fetch(`${baseUrl}/api/v1/screenshot?html=x`, { headers: { Cookie: browser.cookie, ...site } });
    for (const site of ["cross-site", "same-site", "none"]) {
      expect((await get({ "Sec-Fetch-Site": site })).status).toBe(403);
    }
    expect((await get({})).status).toBe(403);
  });

  test("that reads from another site is refused", async () => {
    const headers = { Cookie: browser.cookie, "Sec-Fetch-Site": "cross-site" };
    expect((await fetch(`${baseUrl}/api/v1/usage`, { headers })).status).toBe(403);
  });

  test("cannot sign a visitor in to the attacker's account", async () => {
    const token = await linkToken(client.accountId);
    const response = await fetch(`${baseUrl}/session`, {
      method: "POST",
      headers: { ...JSON_TYPE, "Sec-Fetch-Site": "cross-site" },
      body: JSON.stringify({ token }),
    });
    expect(response.status).toBe(403);
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  test("cannot sign a visitor out", async () => {
    const headers = { Cookie: browser.cookie, "Sec-Fetch-Site": "cross-site" };
    expect((await fetch(`${baseUrl}/session`, { method: "DELETE", headers })).status).toBe(403);
    expect((await browser.request("GET", "/session")).status).toBe(200);
  });

  test("is not announced as allowed to other origins", async () => {
    const headers = { Origin: "https://evil.example", "Access-Control-Request-Method": "POST" };
    const response = await fetch(`${baseUrl}/session`, { method: "OPTIONS", headers });
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
  });
});

describe("a cookie", () => {
  test("that an attacker has chosen is never the session's (fixation)", async () => {
    const chosen = createSessionToken(client.accountId);
    const signedIn = await fromOwnPage("POST", "/session", {
      body: { token: await linkToken(client.accountId) },
      cookie: `session=${chosen}`,
    });
    expect(signedIn.status).toBe(201);
    expect(cookieOf(signedIn)).not.toContain(chosen);
    expect((await fromOwnPage("GET", "/session", { cookie: `session=${chosen}` })).status).toBe(401);
  });

  test("is replaced by signing in again, which ends the former session", async () => {
    const first = await signIn(client.accountId);
    const again = await fromOwnPage("POST", "/session", {
      body: { token: await linkToken(client.accountId) },
      cookie: first.cookie,
    });
    expect(again.status).toBe(201);
    expect((await first.request("GET", "/session")).status).toBe(401);
  });

  test.each([
    ["another account's number", (token: string) => token.replace(/^ses_\d+/, "ses_1")],
    ["one character changed", (token: string) => token.slice(0, -1) + (token.endsWith("A") ? "B" : "A")],
    ["a key of the table", () => "ses_1_#"],
    ["an empty value", () => ""],
    ["a megabyte", () => "x".repeat(8_000)],
  ])("with %s is refused", async (_, change) => {
    const cookie = `session=${change(tokenOf(browser))}`;
    expect((await fromOwnPage("GET", "/session", { cookie })).status).toBe(401);
  });

  test("that was set twice is refused, because another host may have set one", async () => {
    const cookie = `session=${createSessionToken(1)}; ${browser.cookie}`;
    expect((await fromOwnPage("GET", "/session", { cookie })).status).toBe(401);
  });
});

describe("an API key of the scope keys", () => {
  const ownerRoutes = routes.flatMap(({ access, method, path }) => (access === "owner" ? [`${method} ${path}`] : []));
  const split = (name: string) => name.replace("{id}", "x").split(" ") as [string, string];
  let owner: Client;
  let keyOnly: string;
  let byKey: SignedInBrowser;

  beforeAll(async () => {
    owner = await openClient();
    const made = await (await signIn(owner.accountId)).request("POST", "/api/v1/keys", {
      label: "CI",
      scopes: ["keys"],
    });
    keyOnly = (await made.json()).key;
    byKey = withCookie(cookieOf(await fromOwnPage("POST", "/session", { body: { api_key: keyOnly } })));
  });

  test.each(ownerRoutes)("is refused at %s: by its session and as a key", async (name) => {
    const [method, path] = split(name);
    const body = method === "GET" ? undefined : { label: "Test", email: "thief@evil.example", code: "123456" };
    expect((await byKey.request(method, path, body)).status).toBe(403);
    const asKey = await sendWith({ key: keyOnly }, method, path, { body, headers: JSON_TYPE });
    expect(asKey.status).toBe(403);
    expect((await fromOwnPage(method, path, { ...(body && { body }) })).status).toBe(401);
  });

  slowTest("uses up none of the requests of the owner's sessions", async () => {
    const ownerBrowser = await signIn(owner.accountId);
    const answers = await Promise.all(Array.from({ length: 130 }, () => byKey.request("GET", "/sessions")));
    expect(answers.map(({ status }) => status)).toContain(429);
    expect((await ownerBrowser.request("GET", "/session")).status).toBe(200);
  });

  slowTest("ends no session of the owner by signing in again and again", async () => {
    const ownerBrowser = await signIn(owner.accountId);
    for (let count = 0; count < 52; count++) await fromOwnPage("POST", "/session", { body: { api_key: keyOnly } });
    expect((await ownerBrowser.request("GET", "/session")).status).toBe(200);
    const { data } = await (await ownerBrowser.request("GET", "/sessions")).json();
    expect(data.filter((each: { signed_in_with: string }) => each.signed_in_with === "api_key")).toHaveLength(50);
  });
});

describe("taking an account over by its address", () => {
  const anAddress = (name = "ann") => `${name}@customer-${randomUUID().slice(0, 8)}.example`;
  const post = (by: SignedInBrowser, path: string, body?: object) =>
    by.request("POST", `/session/account/email${path}`, body);
  /** The browser with the cookie of a response that sent a code. */
  const withCode = (by: SignedInBrowser, response: Response) => withCookie(`${by.cookie}; ${cookieOf(response)}`);

  /** An account with an address, and a browser that is signed in to it. */
  async function anOwner() {
    const { accountId } = await openClient();
    const [email, by] = [anAddress(), await signIn(accountId)];
    const requested = await post(by, "", { email });
    expect((await post(withCode(by, requested), "/verify", { email, code: await codeTo(email) })).status).toBe(200);
    return { accountId, email, browser: by };
  }

  /** Proves the current address by the code that was sent to it as the `count`-th mail. */
  async function prove(by: SignedInBrowser, current: string, count: number) {
    const requested = await post(by, "/current");
    expect(requested.status).toBe(202);
    const code = await codeTo(current, count);
    expect((await post(withCode(by, requested), "/current/verify", { code })).status).toBe(204);
  }

  async function changeTo(by: SignedInBrowser, email: string): Promise<Response> {
    const requested = await post(by, "", { email });
    return post(withCode(by, requested), "/verify", { email, code: await codeTo(email) });
  }

  const undoToken = (address: string) => linkTokenTo(address, "undo-address");

  const undo = (token: string) => fromOwnPage("POST", "/session/account/email/undo", { body: { token } });

  test("needs a code from the current address: a stolen cookie is not enough", async () => {
    const { email, browser: stolen } = await anOwner();
    const thief = anAddress("thief");
    expect((await post(stolen, "", { email: thief })).status).toBe(403);
    expect((await post(stolen, "/verify", { email: thief, code: "123456" })).status).toBe(403);
    const requested = withCode(stolen, await post(stolen, "/current"));
    expect((await post(requested, "/current/verify", { code: "000000" })).status).toBe(401);
    const code = await codeTo(email, 2);
    const verified = await post(requested, "/verify", { email, code }); // a code to the current address is none to a new one
    expect(verified.status).toBe(403);
    expect(await mailsTo(thief)).toEqual([]);
  });

  test("ends the other sessions, and is undone by the link that the previous address gets", async () => {
    const { accountId, email, browser: thiefs } = await anOwner();
    const ownersBrowser = await signIn(accountId);
    const thief = anAddress("thief");
    await prove(thiefs, email, 2);
    expect((await changeTo(thiefs, thief)).status).toBe(200);
    expect((await ownersBrowser.request("GET", "/session")).status).toBe(401);
    expect((await thiefs.request("GET", "/session")).status).toBe(200);

    const token = await undoToken(email);
    const { Items = [] } = await dynamodb().send(new ScanCommand({ TableName: accountsTable }));
    expect(JSON.stringify(Items)).not.toContain(token.slice(-43));
    const restored = await undo(token);
    expect([restored.status, await restored.json()]).toEqual([200, { email }]);
    expect((await thiefs.request("GET", "/session")).status).toBe(401);
    const owner = await signIn(accountId);
    expect((await (await owner.request("GET", "/session")).json()).account.email).toBe(email);
    expect((await undo(token)).status).toBe(401); // once
    expect((await post(owner, "", { email: anAddress() })).status).toBe(403); // the proof has ended with its session
  });

  slowTest("is undone also after further changes, whose own links are void then", async () => {
    const { accountId, email, browser: thiefs } = await anOwner();
    const [first, second] = [anAddress("thief"), anAddress("thief")];
    await prove(thiefs, email, 2);
    await changeTo(thiefs, first);
    await prove(thiefs, first, 2);
    await changeTo(thiefs, second);
    const [owners, thiefsLink] = [await undoToken(email), await undoToken(first)];
    expect(await Promise.all([undo(owners), undo(owners)].map(async (each) => (await each).status))).toEqual(
      expect.arrayContaining([200, 401]),
    );
    expect((await undo(thiefsLink)).status).toBe(401);
    const owner = await signIn(accountId);
    expect((await (await owner.request("GET", "/session")).json()).account.email).toBe(email);
  });

  slowTest("is undone for 72 hours, and not while another account has the address, which is said", async () => {
    const { accountId, email, browser: by } = await anOwner();
    await prove(by, email, 2);
    await changeTo(by, anAddress());
    const token = await undoToken(email);
    expect(await undoAccountAddressChange(accountsTable, token, Date.now() + 72 * 60 * 60 * 1000)).toBeUndefined();
    const other = await signIn((await openClient()).accountId);
    const requested = await post(other, "", { email });
    const code = await codeTo(email, 3);
    expect((await post(withCode(other, requested), "/verify", { email, code })).status).toBe(200);
    const refused = await undo(token);
    expect([refused.status, (await refused.json()).error]).toEqual([
      409,
      expect.stringContaining("Another account has"),
    ]);
    expect((await by.request("GET", "/session")).status).toBe(200);
    await prove(other, email, 4);
    await changeTo(other, anAddress());
    expect((await undo(token)).status).toBe(200); // it was not used up
    expect((await signIn(accountId)).cookie).toContain("session=");
  });

  test.each(["", "x", `sgn_1_${"a".repeat(43)}`])("is not undone by the guessed link %j", async (token) => {
    expect([401, 422]).toContain((await undo(token)).status);
  });
});

describe("guessing", () => {
  test("says nothing about whether an account exists", async () => {
    const answers = ["x", "sgn_x", createSessionToken(client.accountId)].map(async (token) => {
      const response = await fromOwnPage("POST", "/session", { body: { token } });
      const { request_id, ...body } = await response.json();
      return { status: response.status, body };
    });
    const [first, ...others] = await Promise.all(answers);
    expect(first?.status).toBe(401);
    for (const other of others) expect(other).toEqual(first);
  });

  test("is limited for each network", async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 90; count++) statuses.push(await guessFrom("127.0.0.77"));
    expect(statuses).toContain(429); // the minute may change once
    expect(await guessFrom("127.0.0.78")).toBe(401);
  });
});

test("no secret of a session or link is in a log or in the table, wherever it was sent", async () => {
  const token = await linkToken(client.accountId);
  const session = tokenOf(browser);
  for (const path of [`/app/${token}`, `/session/${session}`, `/api/v1/keys/${token}`, `/${session}`]) {
    await (await fromOwnPage("GET", path, { cookie: browser.cookie })).arrayBuffer();
  }
  await (await fromOwnPage("POST", `/session?token=${token}`, { body: { token: session } })).arrayBuffer();
  const ended = await fromOwnPage("POST", "/session", { body: { token } });
  const requestId = ended.headers.get("x-request-id") ?? "none";
  await ended.arrayBuffer();
  const logs = await vi.waitFor(() => {
    const text = serviceLogs();
    expect(text).toContain(requestId);
    return text;
  }, 15_000);
  const { Items = [] } = await dynamodb().send(new ScanCommand({ TableName: accountsTable }));
  const items = JSON.stringify(Items);
  for (const secret of [token, session]) {
    expect(logs).not.toContain(secret.slice(-40));
    expect(items).not.toContain(secret.slice(-40));
  }
});

/** The status of a sign-in with a wrong link from another address of the loopback network. */
async function guessFrom(localAddress: string): Promise<number> {
  return (await fromOwnPage("POST", "/session", { body: { token: "sgn_wrong" }, localAddress })).status;
}
