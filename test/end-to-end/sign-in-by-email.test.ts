// Signing in and up by codes that are sent by e-mail, with the real SES call to the mail catcher.
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { updateKeyRing } from "../../lib/service/account/account-store.ts";
import { withPlan } from "../../lib/service/keys/key-ring.ts";
import { useLocalData } from "../../lib/tools/local/cli/find-service.ts";
import { openClient } from "../support/client.ts";
import { codeTo, mailsTo } from "../support/mailbox.ts";
import { cookieOf, fromOwnPage, type SignedInBrowser, signIn, withCookie } from "../support/signed-in.ts";
import { slowTest } from "../support/slow-run.ts";

beforeAll(() => useLocalData(inject("service")));

const anAddress = () => `ann@customer-${randomUUID().slice(0, 8)}.example`; // trials of one domain are limited
const localAddress = "127.0.0.41"; // other files ask for codes, too, and a network has a limit
const ask = (email: string) => fromOwnPage("POST", "/sign-in/code", { body: { email }, localAddress });
const verify = (email: string, code: string, cookie: string) =>
  fromOwnPage("POST", "/sign-in/code/verify", { body: { email, code }, cookie, localAddress });

/** Signs in, or up. Resolves to the response. */
async function enter(email: string, count = 1): Promise<Response> {
  const cookie = cookieOf(await ask(email));
  return verify(email, await codeTo(email, count), cookie);
}

/** Gives an account an address. */
async function giveAddress(browser: SignedInBrowser, email: string): Promise<Response> {
  const requested = await browser.request("POST", "/session/account/email", { email });
  const cookie = `${browser.cookie}; ${cookieOf(requested)}`;
  return withCookie(cookie).request("POST", "/session/account/email/verify", { email, code: await codeTo(email) });
}

describe("sign-up", () => {
  test("opens a trial for a new address, which creates a key and captures", async () => {
    const email = anAddress();
    const response = await enter(email);
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({
      account: { email, label: email, plan: "free" },
      session: { signed_in_with: "email" },
      sign_in: { email: true, sign_up: true },
    });
    const { request } = withCookie(cookieOf(response));
    const { key } = await (await request("POST", "/api/v1/keys", { label: "First" })).json();
    expect(key).toMatch(/^cap_/);
    expect((await request("POST", "/api/v1/screenshot", { html: "Hello" })).status).toBe(200);
  });

  test("the same address signs in to the same account the next time", async () => {
    const email = anAddress();
    const first = await (await enter(email)).json();
    const second = await (await enter(email, 2)).json();
    expect(second.account.id).toBe(first.account.id);
  });

  test("another spelling of a mailbox that has an account gets no second one", async () => {
    const name = `ann${randomUUID().slice(0, 8)}`;
    expect((await enter(`${name}@gmail.com`)).status).toBe(201);
    const response = await enter(`${name.slice(0, 4)}.${name.slice(4)}+again@googlemail.com`);
    expect(response.status).toBe(403);
    expect((await response.json()).error).toContain("has an account, under another spelling");
  });

  test("an address whose account was deleted comes back, without a second trial, and captures on a paid plan", async () => {
    const email = anAddress();
    const first = await enter(email);
    const { account } = await first.clone().json();
    const deleted = await withCookie(cookieOf(first)).request("DELETE", "/session/account", { label: account.label });
    expect(deleted.status).toBe(202);

    const response = await enter(email, 2);
    expect(response.status).toBe(201);
    const back = await response.clone().json();
    expect(back.account).toMatchObject({ email, plan: "free" });
    expect(back.account.id).not.toBe(account.id);
    const { request } = withCookie(cookieOf(response));
    expect(await (await request("GET", "/api/v1/account")).json()).toMatchObject({
      trial: { is_over: true },
      quotas: { screenshots: { limit: 0, remaining: 0 }, videos: { limit: 0, remaining: 0 } },
    });
    const capture = () => request("POST", "/api/v1/screenshot", { html: "Hello" });
    const refused = await capture();
    expect([refused.status, (await refused.json()).error]).toEqual([402, expect.stringContaining("no free trial")]);

    expect((await request("PATCH", "/api/v1/account/settings", { requested_plan: "starter" })).status).toBe(200);
    const { accountsTable } = inject("service");
    await updateKeyRing(accountsTable, back.account.id, (ring) => withPlan(ring, "starter", new Date().toISOString()));
    expect((await capture()).status).toBe(200);
    const { data } = await (await request("GET", "/api/v1/account/invoices")).json();
    expect(data.map(({ plan }: { plan: string }) => plan)).toEqual(["starter"]); // no trial that was none
  });

  slowTest("the mailboxes of one domain get 20 trials a day, also from many networks and with subdomains", async () => {
    const domain = `catch-all-${randomUUID().slice(0, 8)}.example`;
    const statuses: number[] = [];
    for (let index = 0; index < 21; index++) {
      const email = `ann@${index === 20 ? "" : `m${index}.`}${domain}`;
      const how = { localAddress: `127.0.1.${index + 1}` };
      const asked = await fromOwnPage("POST", "/sign-in/code", { body: { email }, ...how });
      const body = { email, code: await codeTo(email) };
      statuses.push(
        (await fromOwnPage("POST", "/sign-in/code/verify", { body, cookie: cookieOf(asked), ...how })).status,
      );
    }
    expect(statuses).toEqual([...Array(20).fill(201), 429]);
  });

  test("a disposable mailbox gets no trial", async () => {
    const response = await enter(`${randomUUID().slice(0, 8)}@mailinator.com`);
    expect(response.status).toBe(403);
    expect((await response.json()).error).toContain("disposable");
  });
});

describe("an account's address", () => {
  test("is changed by a code to the new address, and signs in from then on", async () => {
    const { accountId } = await openClient();
    const browser = await signIn(accountId);
    const email = anAddress();
    const changed = await giveAddress(browser, email);
    expect(changed.status).toBe(200);
    expect((await changed.json()).account.email).toBe(email);
    expect((await (await enter(email, 2)).json()).account.id).toBe(accountId);
  });

  test("cannot be that of another account", async () => {
    const email = anAddress();
    await enter(email);
    const browser = await signIn((await openClient()).accountId);
    const requested = await browser.request("POST", "/session/account/email", { email });
    const code = await codeTo(email, 2);
    const both = withCookie(`${browser.cookie}; ${cookieOf(requested)}`);
    expect((await both.request("POST", "/session/account/email/verify", { email, code })).status).toBe(409);
  });

  test("is not proven by a code to sign in", async () => {
    const email = anAddress();
    const cookie = cookieOf(await ask(email));
    const code = await codeTo(email);
    const browser = await signIn((await openClient()).accountId);
    const both = withCookie(`${browser.cookie}; ${cookie}`);
    expect((await both.request("POST", "/session/account/email/verify", { email, code })).status).toBe(401);
  });
});

describe("a code", () => {
  test("works once", async () => {
    const email = anAddress();
    const cookie = cookieOf(await ask(email));
    const code = await codeTo(email);
    expect((await verify(email, code, cookie)).status).toBe(201);
    expect((await verify(email, code, cookie)).status).toBe(401);
  });

  test("works only in the browser that requested it, and only for its address", async () => {
    const email = anAddress();
    const cookie = cookieOf(await ask(email));
    const code = await codeTo(email);
    const otherBrowser = cookieOf(await ask(anAddress()));
    expect((await verify(email, code, "")).status).toBe(401);
    expect((await verify(email, code, otherBrowser)).status).toBe(401);
    expect((await verify(anAddress(), code, cookie)).status).toBe(401);
    expect((await verify(email, code, cookie)).status).toBe(201);
  });

  test("is void after five wrong tries, also simultaneous ones", async () => {
    const email = anAddress();
    const cookie = cookieOf(await ask(email));
    const code = await codeTo(email);
    const wrong = code === "123456" ? "654321" : "123456";
    const tries = await Promise.all([1, 2, 3, 4, 5].map(() => verify(email, wrong, cookie)));
    expect(tries.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
    expect((await verify(email, code, cookie)).status).toBe(401);
  });

  test("that is wrong is answered by the tries that are left, whether the address has an account", async () => {
    const known = anAddress();
    await enter(known);
    const answers = [known, anAddress()].map(async (email, index) => {
      const cookie = cookieOf(await ask(email));
      const code = await codeTo(email, 2 - index);
      const wrong = code === "123456" ? "654321" : "123456";
      const bodies: unknown[] = [];
      for (let count = 0; count < 6; count++) {
        const { error, details } = await (await verify(email, wrong, cookie)).json();
        bodies.push([error.split(".")[0], details.tries_left]);
      }
      return bodies;
    });
    const [first, second] = await Promise.all(answers);
    expect(first).toEqual([
      ["This code is wrong", 4],
      ["This code is wrong", 3],
      ["This code is wrong", 2],
      ["This code is wrong", 1],
      ["This code is not valid", 0],
      ["This code is not valid", 0],
    ]);
    expect(second).toEqual(first);
  });

  test("can be requested by its owner, regardless of the requests of others, in a browser that has signed in before", async () => {
    const email = anAddress();
    const known = cookieOf(await enter(email));
    const stranger = cookieOf(await enter(anAddress())); // known for another address
    const askFrom = async (network: number, cookie = "") => {
      const localAddress = `127.0.0.${network}`;
      return (await fromOwnPage("POST", "/sign-in/code", { body: { email }, cookie, localAddress })).status;
    };
    for (let count = 0; count < 5; count++) expect(await askFrom(81)).toBe(202);
    expect([await askFrom(81), await askFrom(81, stranger)]).toEqual([429, 429]); // five an hour for one network
    const how = { cookie: known, localAddress: "127.0.0.81" };
    const requested = await fromOwnPage("POST", "/sign-in/code", { body: { email }, ...how });
    expect(requested.status).toBe(202);
    const code = await codeTo(email, 7); // the one of the sign-up, and five for strangers
    expect((await verify(email, code, `${known}; ${cookieOf(requested)}`)).status).toBe(201);
  });

  test("can be requested in a browser that has signed in by the operator's link before, regardless of the requests of others", async () => {
    const { accountId } = await openClient();
    const email = anAddress();
    await giveAddress(await signIn(accountId), email);
    const byLink = await signIn(accountId); // another browser
    const askWith = async (cookie: string) =>
      (await fromOwnPage("POST", "/sign-in/code", { body: { email }, cookie, localAddress: "127.0.0.86" })).status;
    for (let count = 0; count < 5; count++) await askWith("");
    expect([await askWith(""), await askWith(byLink.cookie)]).toEqual([429, 202]);
  });

  test("is answered for alike when there are too many, whether the address has an account", async () => {
    const known = anAddress();
    await enter(known);
    const answers = [known, anAddress()].map(async (email) => {
      let last = await ask(email);
      for (let count = 0; count < 5; count++) last = await ask(email);
      const { request_id, error, ...body } = await last.json();
      return { status: last.status, body, error: error.replace(/\d+ s/, "N s") };
    });
    const [first, second] = await Promise.all(answers);
    expect(first?.status).toBe(429);
    expect(second).toEqual(first);
  });

  test("is in a mail that names no account and carries no link that acts", async () => {
    const email = anAddress();
    await ask(email);
    const code = await codeTo(email);
    const [mail] = await mailsTo(email);
    expect(mail?.text).toContain(code);
    expect(mail?.text).not.toMatch(/token|sgn_/);
  });

  test("is answered for alike, whether the address has an account", async () => {
    const known = anAddress();
    await enter(known);
    const [first, second] = [await ask(known), await ask(anAddress())];
    expect([first.status, await first.text()]).toEqual([second.status, await second.text()]);
    const names = (response: Response) => [...response.headers.keys()].filter((name) => name !== "date");
    expect(names(first)).toEqual(names(second));
  });

  test.each(["", "a", "a@b", "a@b.example\r\nBcc: c@d.example", `${"a".repeat(250)}@b.example`])(
    "is refused for the address %j",
    async (email) => {
      expect((await ask(email)).status).toBe(422);
    },
  );
});
