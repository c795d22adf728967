// The mail about a sign-in in a new browser, its link, and what an attacker tries with that.
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import { expect, inject, test, vi } from "vitest";
import { updateKeyRing } from "../../../lib/service/account/account-store.ts";
import { dynamodb } from "../../../lib/service/aws/clients/dynamodb.ts";
import { createReportLink, reportSignIn } from "../../../lib/service/sessions/sign-in-reports.ts";
import { type Client, openClient } from "../../support/client.ts";
import { codeTo, linkTokenTo, mailsTo } from "../../support/mailbox.ts";
import { cookieOf, fromOwnPage, linkToken, ownPage, signIn, withCookie } from "../../support/signed-in.ts";
import { slowTest } from "../../support/slow-run.ts";

const { baseUrl, accountsTable, dataDir } = inject("service");
const HOUR_MS = 60 * 60 * 1000;
const SUBJECT = "Your account was signed in to in a new browser";
const CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36";

const localAddress = "127.0.0.42"; // other files ask for codes, too, and a network has a limit

const anAddress = () => `ann@customer-${randomUUID().slice(0, 8)}.example`; // trials of one domain are limited
const reports = async (email: string) => (await mailsTo(email)).filter(({ subject }) => subject === SUBJECT);
const report = (token: string) => fromOwnPage("POST", "/session/not-me", { body: { token } });

/** An account with an address. */
async function anAccount(): Promise<Client & { readonly email: string }> {
  const [client, email] = [await openClient(), anAddress()];
  await updateKeyRing(accountsTable, client.accountId, (ring) => ({ ...ring, account: { ...ring.account, email } }));
  return { ...client, email };
}

/** Signs in by a one-time link with the headers of a browser. */
async function signInAs(accountId: number, headers: Record<string, string>): Promise<Response> {
  const body = JSON.stringify({ token: await linkToken(accountId) });
  return fetch(`${baseUrl}/session`, {
    method: "POST",
    headers: { ...ownPage, "Content-Type": "application/json", ...headers },
    body,
  });
}

/** Signs in, or up, by a code that is the `count`-th to the address. */
async function enter(email: string, count: number, cookie = ""): Promise<Response> {
  const asked = await fromOwnPage("POST", "/sign-in/code", { body: { email }, cookie, localAddress });
  const code = await codeTo(email, count);
  return fromOwnPage("POST", "/sign-in/code/verify", {
    body: { email, code },
    cookie: `${cookie}; ${cookieOf(asked)}`,
    localAddress,
  });
}

test("new browser: its sign-in is mailed to the account's address, with the browser, the network, and the way, once", async () => {
  const { accountId, email } = await anAccount();
  const response = await signInAs(accountId, { "User-Agent": CHROME });
  expect(response.status).toBe(201);
  await expect.poll(async () => (await reports(email)).length).toBe(1);
  const [{ text = "" } = {}] = await reports(email);
  expect(text).toContain("Browser: Chrome on Windows\nNetwork: 127.0.0.x\nHow: with a link of the operator");
  expect(text).toMatch(/Time: \w+ \d+, \d{4} at \d+:\d\d [AP]M UTC/);
  expect(text).toContain(`${baseUrl}/app/not-me#token=`);
  // The same browser again, by its cookie, and then another one.
  await signInAs(accountId, { "User-Agent": CHROME, Cookie: cookieOf(response) });
  await signInAs(accountId, { "User-Agent": "<b>http://evil.example" });
  await expect.poll(async () => (await reports(email)).length).toBe(2);
  expect((await reports(email))[0]?.text).toContain("Browser: unknown");
  expect((await reports(email))[0]?.text).not.toContain("evil");
});

slowTest(
  "new browser: a sign-up is no news, and neither is the browser of the sign-up, by a code or after signing out",
  async () => {
    const email = anAddress();
    const first = await enter(email, 1);
    const cookie = cookieOf(first);
    await withCookie(cookie).request("DELETE", "/session");
    expect((await enter(email, 2, cookie)).status).toBe(201);
    expect((await enter(email, 3)).status).toBe(201); // a browser without the cookie
    await expect.poll(async () => (await reports(email)).length).toBe(1);
    expect((await reports(email))[0]?.text).toContain("How: by a code that was sent to this address");
  },
);

slowTest("new browser: a sign-in by an API key is mailed, too, at most ten times a day", async () => {
  const { key, email } = await anAccount();
  for (let count = 0; count < 12; count++) {
    expect((await fromOwnPage("POST", "/session", { body: { api_key: key } })).status).toBe(201);
  }
  await expect.poll(async () => (await reports(email)).length).toBe(10);
  expect((await reports(email))[0]?.text).toContain("How: with an API key");
});

test("new browser: the link ends all sessions, once, and no browser is known any more", async () => {
  const { accountId, email, key } = await anAccount();
  const response = await signInAs(accountId, {});
  const byKey = withCookie(cookieOf(await fromOwnPage("POST", "/session", { body: { api_key: key } })));
  const owner = withCookie(cookieOf(response));
  await expect.poll(async () => (await reports(email)).length).toBe(2);
  const token = await linkTokenTo(email, "not-me");

  // A scanner of mails opens the link, and guesses at its route: nothing happens.
  for (const path of ["/app/not-me", `/session/not-me?token=${token}`]) await (await fetch(`${baseUrl}${path}`)).text();
  const forged = await fetch(`${baseUrl}/session/not-me`, {
    method: "POST",
    headers: { "Sec-Fetch-Site": "cross-site", "Content-Type": "application/json" },
    body: JSON.stringify({ token }),
  });
  expect([forged.status, (await owner.request("GET", "/session")).status]).toEqual([403, 200]);

  const statuses = await Promise.all([report(token), report(token)].map(async (each) => (await each).status));
  expect(statuses.toSorted()).toEqual([204, 401]);
  expect([(await owner.request("GET", "/session")).status, (await byKey.request("GET", "/session")).status]).toEqual([
    401, 401,
  ]);
  expect((await report(token)).status).toBe(401);
  await signInAs(accountId, { Cookie: cookieOf(response) }); // the cookie by which the browser was known
  await expect.poll(async () => (await reports(email)).length).toBe(3);
});

test("new browser: a link ends nothing after 72 hours, with another account's number, or guessed", async () => {
  const [{ accountId }, other] = [await anAccount(), await anAccount()];
  const [owner, stranger] = [await signIn(accountId), await signIn(other.accountId)];
  const now = Date.now();
  const { reportToken, reportUntil } = await createReportLink(accountsTable, { accountId, now });
  expect(reportUntil).toBe(now + 72 * HOUR_MS);
  expect(await reportSignIn(accountsTable, reportToken, reportUntil)).toBe(false);
  const swapped = reportToken.replace(/^sgn_\d+/, `sgn_${other.accountId}`);
  for (const wrong of [swapped, "x", `sgn_${accountId}_${"a".repeat(43)}`, await linkToken(accountId)]) {
    expect((await report(wrong)).status).toBe(401);
  }
  for (const by of [owner, stranger]) expect((await by.request("GET", "/session")).status).toBe(200);
  // It starts no session, and undoes no change of an address.
  expect((await fromOwnPage("POST", "/session", { body: { token: reportToken } })).status).toBe(401);
  const undone = await fromOwnPage("POST", "/session/account/email/undo", { body: { token: reportToken } });
  expect(undone.status).toBe(401);
  expect((await report(reportToken)).status).toBe(204); // it was the right one all the time
  expect((await stranger.request("GET", "/session")).status).toBe(200);
});

test("new browser: the secret of the link is in no log and no table", async () => {
  const { accountId, email } = await anAccount();
  await signInAs(accountId, {});
  const token = await linkTokenTo(email, "not-me");
  const answered = await report(token);
  const requestId = answered.headers.get("x-request-id") ?? "none";
  const folder = join(dataDir, "logs");
  const logs = await vi.waitFor(() => {
    const text = readdirSync(folder)
      .map((file) => readFileSync(join(folder, file), "utf8"))
      .join("\n");
    expect(text).toContain(requestId);
    return text;
  }, 15_000);
  expect(logs).not.toContain(token.slice(-40));
  const { Items = [] } = await dynamodb().send(new ScanCommand({ TableName: accountsTable }));
  expect(JSON.stringify(Items)).not.toContain(token.slice(-40));
});
