// Attacks on sessions: forged requests, fixed and stolen cookies, guessed links, and secrets in logs and tables.
import { readdirSync, readFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import { beforeAll, describe, expect, inject, test, vi } from "vitest";
import { dynamodb } from "../../lib/aws/clients/dynamodb.ts";
import { createSessionToken } from "../../lib/sessions/secret-token.ts";
import { type Client, openClient } from "../support/client.ts";
import { cookieOf, fromOwnPage, linkToken, ownPage, type SignedInBrowser, signIn } from "../support/signed-in.ts";

const { baseUrl, accountsTable, dataDir } = inject("service");
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
    ["another site", { ...JSON_TYPE, "Sec-Fetch-Site": "cross-site" }],
    ["another host of the same site", { ...JSON_TYPE, "Sec-Fetch-Site": "same-site" }],
    ["no page", { ...JSON_TYPE, "Sec-Fetch-Site": "none" }],
    ["another origin, from an older browser", { ...JSON_TYPE, Origin: "https://evil.example" }],
    ["an opaque origin", { ...JSON_TYPE, Origin: "null" }],
    ["an origin that is none", { ...JSON_TYPE, Origin: "evil" }],
    ["an unknown place", JSON_TYPE],
    ["another site that names this origin", { ...JSON_TYPE, "Sec-Fetch-Site": "cross-site", Origin: baseUrl }],
  ])("from %s is refused", async (_, headers) => {
    const response = await send("/api/v1/keys", headers);
    expect(response.status).toBe(403);
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
  });

  test("from an older browser's own page is accepted", async () => {
    expect((await send("/api/v1/keys", { ...JSON_TYPE, Origin: baseUrl })).status).toBe(201);
  });

  test.each(["application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x", ""])(
    "with the type %j of a form is refused",
    async (type) => {
      const response = await send("/api/v1/keys", { ...ownPage, "Content-Type": type });
      expect(response.status).toBe(415);
    },
  );

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
    const cookie = `session=${change(browser.cookie.replace("session=", ""))}`;
    expect((await fromOwnPage("GET", "/session", { cookie })).status).toBe(401);
  });

  test("that was set twice is refused, because another host may have set one", async () => {
    const cookie = `session=${createSessionToken(1)}; ${browser.cookie}`;
    expect((await fromOwnPage("GET", "/session", { cookie })).status).toBe(401);
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
  const session = browser.cookie.replace("session=", "");
  for (const path of [`/app/${token}`, `/session/${session}`, `/api/v1/keys/${token}`, `/${session}`]) {
    await (await fromOwnPage("GET", path, { cookie: browser.cookie })).arrayBuffer();
  }
  await (await fromOwnPage("POST", `/session?token=${token}`, { body: { token: session } })).arrayBuffer();
  const ended = await fromOwnPage("POST", "/session", { body: { token } });
  const requestId = ended.headers.get("x-request-id") ?? "none";
  await ended.arrayBuffer();
  const folder = join(dataDir, "logs");
  const read = () =>
    readdirSync(folder)
      .map((file) => readFileSync(join(folder, file), "utf8"))
      .join("\n");
  const logs = await vi.waitFor(() => {
    const text = read();
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
function guessFrom(localAddress: string): Promise<number> {
  const headers = { ...JSON_TYPE, ...ownPage };
  return new Promise((resolve, reject) => {
    const sent = httpRequest(`${baseUrl}/session`, { method: "POST", localAddress, headers }, (response) => {
      response.resume().once("end", () => resolve(response.statusCode ?? 0));
    });
    sent.once("error", reject).end('{"token":"sgn_wrong"}');
  });
}
