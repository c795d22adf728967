// What the owner of an account does with it: renames it, asks for a plan, takes its data and its invoices, and deletes it.
import { describe, expect, inject, test, vi } from "vitest";
import { updateKeyRing } from "../../lib/service/account/account-store.ts";
import { periodKey } from "../../lib/service/aws/table-keys.ts";
import { periodAt } from "../../lib/service/billing/billing-period.ts";
import { findInvoicePdf } from "../../lib/service/billing/invoice-pdf-store.ts";
import { readPdf } from "../fixtures/pdf.ts";
import { writeItems } from "../fixtures/usage-items.ts";
import { openClient, sendWith } from "../support/client.ts";
import { exportAllData } from "../support/exported-data.ts";
import { mailsTo } from "../support/mailbox.ts";
import { cookieOf, fromOwnPage, signIn, withCookie } from "../support/signed-in.ts";
import { slowDescribe, slowTest } from "../support/slow-run.ts";

const { baseUrl, accountsTable, usageTable } = inject("service");

describe("account settings", () => {
  test("are changed one by one, and read", async () => {
    const client = await openClient({ plan: "starter" });
    const owner = await signIn(client.accountId);
    const patch = (body: object) => owner.request("PATCH", "/api/v1/account/settings", body);
    expect(await (await patch({ label: " Example Ltd " })).json()).toEqual({
      id: client.accountId,
      label: "Example Ltd",
      email: null,
      plan: "starter",
      requested_plan: null,
      scheduled_plan: null,
      quota_alerts: true,
      key_alerts: true,
      store_thumbnails: true,
    });
    await patch({ requested_plan: "pro" });
    expect(await (await client.get("/api/v1/account/settings")).json()).toMatchObject({
      label: "Example Ltd",
      requested_plan: "pro",
    });
    expect(await (await patch({ requested_plan: null })).json()).toMatchObject({ requested_plan: null });
    for (const wrong of [{ label: "" }, { label: "a\nb" }, { requested_plan: "free" }, { plan: "max" }]) {
      expect((await patch(wrong)).status).toBe(422);
    }
  });
});

describe("notices by e-mail", () => {
  const post = (path: string, key: string, body: object) => sendWith({ key }, "POST", path, { body });

  slowTest(
    "tell the owner of the first use of a new key, of its next text, and of a sign-in with one, once each",
    async () => {
      const client = await openClient();
      const email = `${client.accountId}@customer.example`;
      await updateKeyRing(accountsTable, client.accountId, (ring) => ({
        ...ring,
        account: { ...ring.account, email },
      }));
      const made = await (await post("/api/v1/keys", client.key, { label: "Website" })).json(); // the first use of the client's key
      const read = (key: string) => sendWith({ key }, "GET", "/api/v1/usage");
      await Promise.all([read(made.key), read(made.key), read(made.key)]);
      const rotated = await (await post(`/api/v1/keys/${made.id}/rotate`, client.key, { overlap: 60 })).json();
      await Promise.all([read(made.key), read(rotated.key)]);
      const manager = await (await post("/api/v1/keys", client.key, { label: "Manager", scopes: ["keys"] })).json();
      expect((await fromOwnPage("POST", "/session", { body: { api_key: manager.key } })).status).toBe(201);
      const used = [client.key.slice(0, 12), made.key_prefix, rotated.key_prefix, manager.key_prefix];
      const subjects = used.map((prefix) => `Your API key ${prefix}… was used for the first time`);
      const firstUses = async () => (await mailsTo(email)).filter(({ subject }) => subject.startsWith("Your API key"));
      await expect
        .poll(async () => (await firstUses()).map(({ subject }) => subject).toSorted())
        .toEqual(subjects.toSorted());
      const [mail] = await firstUses();
      expect(mail?.text).toContain("from the network address 127.0.0.1");
    },
  );

  test("tell the operator of a request for another plan, once for each request", async () => {
    const client = await openClient({ plan: "starter" });
    const owner = await signIn(client.accountId);
    const ask = (requested_plan: string | null) =>
      owner.request("PATCH", "/api/v1/account/settings", { requested_plan });
    await ask("pro");
    await ask("pro");
    await owner.request("PATCH", "/api/v1/account/settings", { label: "Shop" });
    const requests = async () =>
      (await mailsTo("operator@localhost.invalid")).filter(({ subject }) => subject.includes(String(client.accountId)));
    const subject = (plan: string) => `Account ${client.accountId} asks for the plan ${plan}`;
    await expect.poll(async () => (await requests()).map((mail) => mail.subject)).toEqual([subject("Pro")]);
    await ask("max");
    await expect
      .poll(async () => (await requests()).map((mail) => mail.subject))
      .toEqual([subject("Max"), subject("Pro")]);
  });
});

slowDescribe("quota alerts", () => {
  test("are sent by e-mail when a capture reaches half of a quota, unless they are turned off", async () => {
    const client = await openClient({ plan: "free" });
    const email = `${client.accountId}@customer.example`;
    await updateKeyRing(accountsTable, client.accountId, (ring) => ({
      ...ring,
      account: { ...ring.account, email, key_alerts: false },
    }));
    const period = periodAt(client.account, Date.now());
    const use = (screenshots: number) =>
      writeItems(usageTable, [
        { ...periodKey(client.accountId, period.start), screenshots, taken_screenshots: screenshots },
      ]);
    await use(149);
    expect((await client.capture({ html: "<h1>Hello" })).status).toBe(200);
    await expect
      .poll(async () => (await mailsTo(email)).map(({ subject }) => subject))
      .toEqual(["50 % of your screenshots are used"]);
    const owner = await signIn(client.accountId);
    const settings = await owner.request("PATCH", "/api/v1/account/settings", { quota_alerts: false });
    expect(await settings.json()).toMatchObject({ quota_alerts: false });
    expect((await (await owner.request("GET", "/session")).json()).account.quota_alerts).toBe(false);
  });
});

describe("an invoice as a PDF", () => {
  test("is limited as captures are, also for a session, and rendered once when its period has ended", async () => {
    const client = await openClient({ plan: "free" });
    const owner = await signIn(client.accountId);
    const { data } = await (await client.get("/api/v1/account/invoices")).json();
    const pdfOf = (start: string) => `/api/v1/account/invoices/${encodeURIComponent(start)}/pdf`;
    const statuses: number[] = [];
    for (let count = 0; count < 12; count++) {
      const response = await owner.request("GET", pdfOf(data[0].period.start));
      statuses.push(response.status);
      await response.arrayBuffer();
    }
    expect(statuses.slice(0, 8)).toEqual(Array(8).fill(200)); // the request for the list counts, too
    expect(statuses.at(-1)).toBe(429);

    const paying = await openClient({ plan: "starter", openedAt: Date.now() - 40 * 24 * 60 * 60 * 1000 });
    const closed = (await (await paying.get("/api/v1/account/invoices")).json()).data.at(-1).period.start;
    const read = async () =>
      Buffer.from(await (await (await signIn(paying.accountId)).request("GET", pdfOf(closed))).arrayBuffer());
    const first = await read();
    expect((await read()).equals(first)).toBe(true); // a PDF has the time of its rendering
    expect(await findInvoicePdf(usageTable, { accountId: paying.accountId, start: closed, page: "" })).toBeUndefined();
    await (await signIn(paying.accountId)).request("PATCH", "/api/v1/account/settings", { label: "Renamed" });
    expect(readPdf(await read()).texts[0]).toContain("Renamed");
  });

  test.each(["2020-01-01T00:00:00.000Z", "x"])("is not found for a period that starts %s", async (start) => {
    const client = await openClient();
    expect((await client.get(`/api/v1/account/invoices/${start}/pdf`)).status).toBe(404);
  });
});

describe("the data of an account", () => {
  test("is exported to its end where the invoices of ended months were never read", async () => {
    const client = await openClient({ plan: "starter", openedAt: Date.now() - 70 * 24 * 60 * 60 * 1000 });
    const owner = await signIn(client.accountId);
    const { text } = await exportAllData(owner);
    const invoices = text.split("\n").filter((line) => line.includes('"kind":"invoice"'));
    expect(invoices.length).toBeGreaterThan(2);
  });

  test("is exported to its owner as lines of JSON, without secrets", async () => {
    const client = await openClient();
    await client.capture({ html: "<h1>Mine", viewport_width: "100" });
    const owner = await signIn(client.accountId);
    const { text, disposition } = await exportAllData(owner);
    expect(disposition).toContain(`account-${client.accountId}.ndjson.gz`);
    const kinds = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).kind);
    expect(kinds).toEqual(["account", "api_key", "session", "invoice", "capture"]);
    expect(text).not.toContain("whsec_");
    expect(text).not.toContain(client.key);
  });

  test("is deleted when the owner confirms its name, and no key or session works afterwards", async () => {
    const client = await openClient();
    const stored = await (await client.capture({ html: "x", response_type: "json" })).json();
    const [owner, otherBrowser] = [await signIn(client.accountId), await signIn(client.accountId)];
    const wrong = await owner.request("DELETE", "/session/account", { label: "test" });
    expect(wrong.status).toBe(422);
    expect((await client.get("/api/v1/account")).status).toBe(200);
    const response = await owner.request("DELETE", "/session/account", { label: "Test" });
    expect(response.status).toBe(202);
    expect(response.headers.getSetCookie()[0]).toContain("Max-Age=0");
    const { id } = await response.json();
    const state = async () => (await owner.request("GET", `/session/account/deletions/${id}`)).json();
    await vi.waitFor(async () => expect((await state()).status).toBe("done"), { timeout: 30_000, interval: 200 });
    expect(await state()).toMatchObject({
      account_id: client.accountId,
      progress: 100,
      deleted: { captures: 1, results: 1, api_keys: 1 },
    });
    expect((await client.get("/api/v1/account")).status).toBe(401);
    expect((await otherBrowser.request("GET", "/session")).status).toBe(401);
    expect((await fetch(stored.url)).status).toBe(404);
  });

  test("is neither exported nor deleted by a session of an API key, or by another site", async () => {
    const client = await openClient();
    const byKey = await fromOwnPage("POST", "/session", { body: { api_key: client.key } });
    const session = withCookie(cookieOf(byKey));
    expect((await session.request("POST", "/session/account/exports")).status).toBe(403);
    expect((await session.request("GET", "/session/account/exports")).status).toBe(403);
    expect((await session.request("DELETE", "/session/account", { label: "Test" })).status).toBe(403);
    const owner = await signIn(client.accountId);
    const forged = await fetch(`${baseUrl}/session/account`, {
      method: "DELETE",
      headers: { Cookie: owner.cookie, "Content-Type": "application/json", "Sec-Fetch-Site": "cross-site" },
      body: JSON.stringify({ label: "Test" }),
    });
    expect(forged.status).toBe(403);
    expect((await fetch(`${baseUrl}/session/account/exports`)).status).toBe(401);
    expect((await client.get("/api/v1/account")).status).toBe(200);
  });
});
