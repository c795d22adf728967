// Operators: signing in, their sessions, and what every other request gets at the paths of the operator's function.
import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { createOperatorSession } from "../../lib/service/operator/operator-session.ts";
import { routes } from "../../lib/service/routes.ts";
import { useLocalData } from "../../lib/tools/local/cli/find-service.ts";
import { openClient } from "../support/client.ts";
import { codeTo, mailsTo } from "../support/mailbox.ts";
import { fromOperatorPage, operatorLinkToken, type SignedInOperator, signInOperator } from "../support/operator.ts";
import { OPERATOR } from "../support/running-service.ts";
import { cookieOf, signIn } from "../support/signed-in.ts";

const { baseUrl } = inject("service");

let operator: SignedInOperator;
let key: string;
let sessionCookie: string;
beforeAll(async () => {
  operator = await signInOperator();
  const client = await openClient();
  ({ key } = client);
  ({ cookie: sessionCookie } = await signIn(client.accountId));
});

/** All that a response says, without what differs between two responses to the same request. */
async function saidBy(response: Response) {
  const changing = /^(date|connection|keep-alive|x-request-id|x-amzn-requestid|x-response-time)$/;
  const headers = [...response.headers].filter(([name]) => !changing.test(name));
  const body = (await response.text()).replace(/"request_id":\d+/, '"request_id":0');
  return { status: response.status, headers: Object.fromEntries(headers), body };
}

describe("operator: nothing exists for", () => {
  const METHODS = ["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"];
  const hidden = [
    ...new Set(
      routes.filter(({ access }) => access === "operator").map(({ path }) => path.replaceAll(/\{\w+\}/g, "7")),
    ),
    "/operator/api/none",
  ];

  const strangers: readonly (readonly [string, () => Record<string, string>])[] = [
    ["a request without credentials", () => ({})],
    ["an API key", () => ({ Authorization: `Bearer ${key}` })],
    ["an API key in its own header", () => ({ "X-API-Key": key })],
    ["the session of a customer", () => ({ Cookie: sessionCookie, "Sec-Fetch-Site": "same-origin" })],
    [
      "the session of a customer as that of an operator",
      () => ({ Cookie: sessionCookie.replace("session=", "operator=") }),
    ],
    [
      "an operator's session that no one has",
      () => ({ Cookie: `operator=opr_${randomBytes(32).toString("base64url")}` }),
    ],
    ["two operators' cookies, one of which is right", () => ({ Cookie: `${operator.cookie}; operator=x` })],
    [
      "an operator's session in the cookie of customers",
      () => ({ Cookie: operator.cookie.replace("operator=", "session=") }),
    ],
    ["a page of another site", () => ({ Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" })],
    ["a browser that loads a page", () => ({ Accept: "application/json, text/plain" })],
  ];

  test.each(strangers)("%s: each path and method answers as a path that doesn't exist", async (_, headers) => {
    for (const method of METHODS) {
      const send = (path: string) =>
        fetch(`${baseUrl}${path}`, { method, headers: { ...headers(), "X-CSRF-Token": operator.csrfToken } });
      const expected = await saidBy(await send("/nothing/here"));
      expect(expected.status, method).toBe(method === "OPTIONS" ? 204 : 404);
      const actual = await Promise.all(hidden.map(async (path) => [path, await saidBy(await send(path))] as const));
      for (const [path, said] of actual) expect(said, `${method} ${path}`).toEqual(expected);
    }
  });

  test("a session that has ended", async () => {
    const { accountsTable } = inject("service");
    useLocalData(inject("service"));
    const who = { name: "a@host", email: null };
    const { token } = await createOperatorSession(accountsTable, who, Date.now() - 12 * 60 * 60 * 1000);
    expect((await fromOperatorPage("GET", "session", { cookie: `operator=${token}` })).status).toBe(404);
    const { token: valid } = await createOperatorSession(accountsTable, who, Date.now() - 11.9 * 60 * 60 * 1000);
    expect((await fromOperatorPage("GET", "session", { cookie: `operator=${valid}` })).status).toBe(200);
  });
});

test("operator: a session is of no use at any route of customers", async () => {
  for (const Cookie of [operator.cookie, operator.cookie.replace("operator=", "session=")]) {
    const account = await fetch(`${baseUrl}/api/v1/account`, { headers: { Cookie, "Sec-Fetch-Site": "same-origin" } });
    expect(account.status).toBe(401);
  }
});

test("operator: the session says who is signed in, and answers are for its own pages alone", async () => {
  const response = await operator.request("GET", "session");
  expect(await response.json()).toEqual({
    operator: { email: null },
    csrf_token: operator.csrfToken,
    expires_at: expect.any(String),
    stage: "local",
    shows_pictures: true,
  });
  expect(response.status).toBe(200);
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("access-control-allow-origin")).toBeNull();
  expect(response.headers.get("cross-origin-resource-policy")).toBe("same-origin");
});

test("operator: the cookie is for this host, no script reads it, and no other site's request has it", async () => {
  const response = await fromOperatorPage("POST", "sign-in/link", { body: { token: await operatorLinkToken() } });
  expect(response.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^operator=opr_[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/),
  ]);
});

describe("operator: a request that changes something", () => {
  test.each([
    ["without a token against cross-site requests", (): Record<string, string> => ({})],
    ["with a wrong one", () => ({ "X-CSRF-Token": "0".repeat(64) })],
    ["with that of another session", async () => ({ "X-CSRF-Token": (await signInOperator()).csrfToken })],
    ["with the token of the session itself", () => ({ "X-CSRF-Token": operator.cookie.replace("operator=", "") })],
  ])("%s is refused, and changes nothing", async (_, headers) => {
    const response = await fetch(`${baseUrl}/operator/api/session`, {
      method: "DELETE",
      headers: { Cookie: operator.cookie, "Sec-Fetch-Site": "same-origin", ...(await headers()) },
    });
    expect([response.status, (await response.json()).code]).toEqual([403, "FORBIDDEN"]);
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
    expect((await operator.request("GET", "session")).status).toBe(200);
  });

  test.each([
    ["of another site", { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" }],
    ["that doesn't say where it comes from", {}],
  ])("%s is refused also with the token", async (_, headers) => {
    const response = await fetch(`${baseUrl}/operator/api/session`, {
      method: "DELETE",
      headers: { Cookie: operator.cookie, "X-CSRF-Token": operator.csrfToken, ...headers },
    });
    expect([response.status, (await response.json()).code]).toEqual([403, "FORBIDDEN"]);
  });
});

test("operator: signing out ends the session", async () => {
  const { request } = await signInOperator();
  const response = await request("DELETE", "session");
  expect([response.status, response.headers.get("set-cookie")]).toEqual([
    204,
    "operator=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict",
  ]);
  expect((await request("GET", "session")).status).toBe(404);
  expect((await request("DELETE", "session")).status).toBe(404);
});

test("operator: signing in again ends the session that the browser had", async () => {
  const { cookie, request } = await signInOperator();
  await fromOperatorPage("POST", "sign-in/link", { cookie, body: { token: await operatorLinkToken() } });
  expect((await request("GET", "session")).status).toBe(404);
});

describe("operator: a link", () => {
  const signInBy = (token: string) => fromOperatorPage("POST", "sign-in/link", { body: { token } });

  test("signs in once", async () => {
    const token = await operatorLinkToken();
    const statuses = await Promise.all(Array.from({ length: 5 }, async () => (await signInBy(token)).status));
    expect(statuses.toSorted()).toEqual([201, 401, 401, 401, 401]);
  });

  test("works for 15 minutes", async () => {
    const before = (minutes: number) => operatorLinkToken(Date.now() - minutes * 60_000);
    expect((await signInBy(await before(14.9))).status).toBe(201);
    expect((await signInBy(await before(15))).status).toBe(401);
  });

  test("that no one made does not sign in, and neither does one that is redeemed by another site", async () => {
    expect((await signInBy(`sgn_${randomBytes(32).toString("base64url")}`)).status).toBe(401);
    const body = JSON.stringify({ token: await operatorLinkToken() });
    const headers = { "Content-Type": "application/json", Origin: "https://evil.example" };
    expect((await fetch(`${baseUrl}/operator/api/sign-in/link`, { method: "POST", headers, body })).status).toBe(403);
  });
});

describe("operator: a code", () => {
  const askFor = (email: string) => fromOperatorPage("POST", "sign-in/code", { body: { email } });
  const verify = (email: string, code: string, cookie: string) =>
    fromOperatorPage("POST", "sign-in/code/verify", { cookie, body: { email, code } });

  test("is mailed to an operator, and signs in once, in the browser that asked for it", async () => {
    expect(await (await fromOperatorPage("GET", "sign-in")).json()).toEqual({ email: true });
    const asked = await askFor(OPERATOR.toUpperCase());
    const cookie = cookieOf(asked);
    expect([asked.status, await asked.text()]).toEqual([202, ""]);
    const code = await codeTo(OPERATOR.toUpperCase());
    const wrong = code === "000000" ? "000001" : "000000";

    const elsewhere = cookieOf(await askFor("other@service.test"));
    expect((await verify(OPERATOR, code, elsewhere)).status).toBe(401);
    expect(await (await verify(OPERATOR.toUpperCase(), wrong, cookie)).json()).toMatchObject({
      code: "UNAUTHORIZED",
      error: "This code is wrong. 4 tries are left.",
    });
    const attempts = Array.from({ length: 3 }, () => verify(OPERATOR.toUpperCase(), code, cookie));
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201).length).toBeLessThanOrEqual(1);
    expect((await verify(OPERATOR.toUpperCase(), code, cookie)).status).toBe(401);
  });

  test("is void after five tries", async () => {
    const cookie = cookieOf(await askFor(OPERATOR));
    const code = await codeTo(OPERATOR);
    const wrong = code === "000000" ? "000001" : "000000";
    for (let tries = 0; tries < 5; tries++) expect((await verify(OPERATOR, wrong, cookie)).status).toBe(401);
    expect((await verify(OPERATOR, code, cookie)).status).toBe(401);
  });

  test("signs in with the address", async () => {
    const cookie = cookieOf(await askFor(OPERATOR));
    const response = await verify(OPERATOR, await codeTo(OPERATOR, 2), cookie);
    expect(await response.json()).toMatchObject({ operator: { email: OPERATOR } });
    expect(response.status).toBe(201);
  });

  test("for an address of no operator is answered alike, and isn't mailed", async () => {
    const email = "stranger@service.test";
    const [theirs, ours] = await Promise.all([askFor(email), askFor(OPERATOR)]);
    const withoutToken = async (response: Response) => {
      const said = await saidBy(response);
      return {
        ...said,
        headers: { ...said.headers, "set-cookie": said.headers["set-cookie"]?.replace(/sgn_[\w-]+/, "") },
      };
    };
    expect(await withoutToken(theirs)).toEqual(await withoutToken(ours));
    await codeTo(OPERATOR, 3); // sent after it
    expect(await mailsTo(email)).toEqual([]);
  });
});
