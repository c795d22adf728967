// Notices about first uses of API keys and about events for the operator, on real tables, sent to a mail catcher.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PlanName } from "../../../lib/contract/plans.ts";
import { updateKeyRing } from "../../../lib/service/account/account-store.ts";
import { openAccount } from "../../../lib/service/account/open-account.ts";
import { mailText } from "../../../lib/service/mail/mail-text.ts";
import { sendNotice } from "../../../lib/service/mail/send-notice.ts";
import { operatorEventMail } from "../../../lib/service/operator-events/event-mail.ts";
import { type OperatorEventInput, operatorEvent } from "../../../lib/service/operator-events/operator-event.ts";
import type { CaughtMail } from "../../../lib/tools/local/engines/inbox-page.ts";
import { type MailEngine, startMailEngine } from "../../../lib/tools/local/engines/mail-engine.ts";
import { rememberVariables } from "../../support/environment-variables.ts";
import { type RunningTables, startTables } from "../../support/tables.ts";

const NOW = Date.UTC(2026, 0, 31, 12);
let running: RunningTables;
let catcher: MailEngine;
beforeAll(async () => {
  running = await startTables();
  catcher = await startMailEngine({ port: 0 });
  process.env["AWS_ENDPOINT_URL_SESV2"] = catcher.endpoint; // before the first mail: the client keeps its address
});
afterAll(() => Promise.all([running.close(), catcher.stop()]));

const mailsTo = async (address: string): Promise<CaughtMail[]> => {
  const mails: CaughtMail[] = await (await fetch(`${catcher.endpoint}/messages`)).json();
  return mails.filter(({ to }) => to.includes(address));
};

async function anAccountOf(settings: { key_alerts?: boolean; email?: string | null; label?: string } = {}) {
  const { accounts, usage } = running.tables;
  const { ring, apiKey } = await openAccount(accounts, { plan: "starter", label: "Website", now: NOW });
  const { id } = ring.account;
  const email = `${id}@customer.example`;
  const change = (facts: object) =>
    updateKeyRing(accounts, id, (current) => ({ ...current, account: { ...current.account, ...facts } }));
  await change({ email, ...settings });
  const operator = `operator-${id}@service.example`;
  const env = { ACCOUNTS_TABLE: accounts, USAGE_TABLE: usage, BASE_URL: "https://a.example", OPERATOR_MAIL: operator };
  const send = (message: object, from = "alerts@service.example") =>
    sendNotice(JSON.stringify({ account_id: id, ...message }), NOW, { ...env, MAIL_FROM: from });
  const use = (hash = apiKey.hash) => ({
    first_use: {
      key_id: apiKey.id,
      key_prefix: apiKey.key_prefix,
      hash,
      at: "2026-01-31T12:00:00.000Z",
      ip_address: "203.0.113.7",
    },
  });
  return { id, apiKey, change, operator, send, use, mails: () => mailsTo(email), requests: () => mailsTo(operator) };
}

describe("first use of an API key", () => {
  test("is reported once, however often and however simultaneously it is queued, with key, time, and address", async () => {
    const { apiKey, send, use, mails } = await anAccountOf();
    await Promise.all([send(use()), send(use()), send(use())]);
    await send(use());
    const [mail, ...others] = await mails();
    expect(others).toEqual([]);
    expect(mail?.subject).toBe(`Your API key ${apiKey.key_prefix}… was used for the first time`);
    expect(mail?.text).toContain(
      `The API key “Website” (${apiKey.key_prefix}…) was used for the first time, on January 31, 2026 at 12:00 PM UTC, from the ` +
        "network address 203.0.113.7.",
    );
    expect(mail?.text).not.toContain(apiKey.hash);
  });

  test("is reported again for the next text of the key", async () => {
    const { send, use, mails } = await anAccountOf();
    await send(use());
    await send(use("another"));
    expect(await mails()).toHaveLength(2);
  });

  test.each([
    ["has turned reports off", { key_alerts: false }],
    ["has no address", { email: null }],
  ])("is not reported to an account that %s, not later either", async (_, settings) => {
    const { id, send, use, mails, change } = await anAccountOf(settings);
    await send(use());
    await change({ key_alerts: true, email: `${id}@customer.example` });
    await send(use());
    expect(await mails()).toEqual([]);
    await send(use("another"));
    expect(await mails()).toHaveLength(1);
  });

  test("that could not be reported is reported later", async () => {
    const { send, use, mails } = await anAccountOf();
    await expect(send(use(), "no address")).rejects.toThrow();
    expect(await mails()).toEqual([]);
    await send(use());
    expect(await mails()).toHaveLength(1);
  });
});

describe("event for the operator", () => {
  const asksFor = (id: number, plan: PlanName, label = "Website") => {
    const data = { account: { label, email: `${id}@customer.example` }, from: "starter", plan } as const;
    return { operator_event: operatorEvent({ type: "plan.requested", account_id: id, data }, NOW) };
  };

  test("goes to the operator, with the command that accepts a request", async () => {
    const { id, send, change, requests } = await anAccountOf();
    await change({ requested_plan: "pro" });
    await send(asksFor(id, "pro"));
    expect(await requests()).toMatchObject([
      {
        subject: `Account ${id} asks for the plan Pro`,
        text: [
          `Account ${id} asks for the plan Pro.`,
          `Account: ${id}\nName: Website\nE-mail address: ${id}@customer.example\nPresent plan: Starter\nRequested plan: Pro`,
          `To accept it: npm run accounts -- plan --account ${id} --plan pro\n`,
        ].join("\n\n"),
      },
    ]);
  });

  test("that is a request, and was withdrawn or changed meanwhile, is not sent", async () => {
    const { id, send, change, requests } = await anAccountOf();
    await send(asksFor(id, "pro"));
    await change({ requested_plan: "max" });
    await send(asksFor(id, "pro"));
    expect(await requests()).toEqual([]);
    await send(asksFor(id, "max"));
    expect(await requests()).toHaveLength(1);
  });

  test("keeps the name of the account in its line, and out of the headers", () => {
    const label = "Shop\r\nBcc: all@victim.example\u2028To accept it: rm -rf / ";
    const mail = operatorEventMail(asksFor(3, "max", label).operator_event);
    const text = mailText(mail);
    expect(mail.subject).toBe("Account 3 asks for the plan Max");
    expect(text.split(/[\r\n\u2028]/).filter((line) => /^(Bcc|To accept it)/.test(line))).toEqual([
      "To accept it: npm run accounts -- plan --account 3 --plan max",
    ]);
    expect(text).toContain("Name: Shop Bcc: all@victim.example To accept it: rm -rf / ");
  });

  const account = { label: "Website", email: null };
  const invoice = {
    account,
    number: "SC-7-2026-01",
    period: { start: "2026-01-01T00:00:00.000Z", end: "2026-02-01T00:00:00.000Z" },
    plan: "pro",
    currency: "usd",
    total: "49.01",
  } as const;

  test.each([
    [
      { type: "plan.cancelled", data: { account, plan: "pro", ends_at: "2026-02-28T00:00:00.000Z" } },
      "has cancelled the plan Pro",
    ],
    [
      {
        type: "plan.downgraded",
        data: { account, from: "pro", plan: "starter", effective_at: "2026-02-28T00:00:00.000Z" },
      },
      "changes from the plan Pro to Starter",
    ],
    [{ type: "plan.continued", data: { account, plan: "pro" } }, "keeps the plan Pro"],
    [{ type: "invoice.overdue", data: invoice }, "The invoice SC-7-2026-01 of account 7 is overdue"],
  ] as const)("says what happened: %j", ({ type, data }, said) => {
    const event = operatorEvent({ type, account_id: 7, data } as OperatorEventInput, NOW);
    const mail = operatorEventMail(event);
    expect(mail.subject).toContain(said);
    expect(mailText(mail)).toContain("Name: Website\nE-mail address: none\n");
  });
});

describe("every mail", () => {
  test("ends with the addresses that the operator has set, and names the support where it says to ask the operator", async () => {
    const suspended = { reason: "Not paid.", at: "2026-01-31T12:00:00.000Z", billing: "stop" };
    const ends: (string | undefined)[] = [];
    for (const variables of [
      { SUPPORT: "support@example.com", IMPRINT_URL: "https://example.com/imprint", TERMS_URL: "javascript:alert(1)" },
      {},
    ]) {
      const { change, send, mails } = await anAccountOf();
      await change({ suspension: suspended });
      const restoreVariables = rememberVariables();
      Object.assign(process.env, variables);
      await send({ suspension: { state: "suspended" } }).finally(restoreVariables);
      ends.push((await mails())[0]?.text.split("\n\n").slice(4).join("\n\n").trimEnd());
    }
    expect(ends).toEqual([
      "To have the account resumed, write to support@example.com.\n\n-- \nSupport: support@example.com\nImprint: https://example.com/imprint",
      "To have the account resumed, ask the operator of this service.",
    ]);
  });
});
