// The local engine of e-mail with SES's own client, and with a real SMTP server on loopback.
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { SESv2Client, SendEmailCommand } from "@aws-sdk/client-sesv2";
import { describe, expect, onTestFinished, test } from "vitest";
import { clientOptions } from "../../../../lib/tools/local/engines/client-options.ts";
import { type MailSettings, startMailEngine } from "../../../../lib/tools/local/engines/mail-engine.ts";
import { createSmtpSender, type SmtpServer } from "../../../../lib/tools/local/engines/smtp-sender.ts";
import { selfSigned } from "../../../fixtures/self-signed.ts";
import { startSmtpReceiver } from "../../../support/smtp-receiver.ts";

const PASSWORD = "s3cret/ü@?#";
const MAIL = {
  from: "stage@localhost.invalid",
  to: "ann@customer.example",
  subject: "487 ✓",
  text: "Grüße\n.\nEnd",
  html: "<p>Schöne Grüße</p>",
};

async function anEngine(settings: MailSettings = { port: 0 }) {
  const engine = await startMailEngine(settings);
  onTestFinished(() => engine.stop());
  return engine;
}

/** Sends a mail as the functions do. `requestTimeout` is in milliseconds. */
async function send(
  endpoint: string,
  { requestTimeout = 5_000, ...mail }: Partial<typeof MAIL> & { requestTimeout?: number } = {},
) {
  const { from, to, subject, text, html } = { ...MAIL, ...mail };
  const client = new SESv2Client({
    ...clientOptions(endpoint),
    requestHandler: { requestTimeout, throwOnRequestTimeout: true },
  });
  onTestFinished(() => client.destroy());
  return client.send(
    new SendEmailCommand({
      FromEmailAddress: from,
      Destination: { ToAddresses: [to] },
      Content: { Simple: { Subject: { Data: subject }, Body: { Text: { Data: text }, Html: { Data: html } } } },
    }),
  );
}

const at = (port: number, parts: Partial<SmtpServer> = {}): SmtpServer => ({
  host: "127.0.0.1",
  port,
  tls: "none",
  ...parts,
});
const login = { user: "ann", password: PASSWORD };

describe("mail catcher", () => {
  test("shows a mail on its page and as JSON, with the sender that is set", async () => {
    const { endpoint } = await anEngine({ port: 0, from: "Captures <me@example.com>" });
    await send(endpoint);
    expect(await (await fetch(`${endpoint}/messages`)).json()).toEqual([
      { ...MAIL, at: expect.any(String), from: "Captures <me@example.com>", to: [MAIL.to] },
    ]);
    const page = await fetch(`${endpoint}/`);
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    const shown = await page.text();
    expect(shown).toContain(`<h2>${MAIL.subject}</h2>`);
    expect(shown).toContain('sandbox srcdoc="&lt;p&gt;Schöne Grüße&lt;/p&gt;"');
    expect(shown).toContain(`<pre>${MAIL.text}</pre>`);
  });

  test("has the same port after a restart; a chosen port that is in use is one sentence, and the default gives way", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    onTestFinished(() => void taken.close());
    const { port } = taken.address() as AddressInfo;
    await expect(startMailEngine({ port })).rejects.toThrow(
      `Port ${port} is in use. Set MAIL_PORT to another port for the page of caught mails.`,
    );
    taken.close();
    await once(taken, "close");
    const first = await startMailEngine({ port });
    await first.stop();
    const second = await anEngine({ port });
    expect(second.endpoint).toBe(`http://127.0.0.1:${port}`);
    const [one, other] = [await anEngine({}), await anEngine({})]; // at most one of them has the default
    expect((await fetch(one.endpoint)).status).toBe(200);
    expect((await fetch(other.endpoint)).status).toBe(200);
  });

  test("takes no mail from a page in a browser", async () => {
    const { endpoint } = await anEngine();
    const sent = await fetch(`${endpoint}/v2/email/outbound-emails`, {
      method: "POST",
      headers: { "Content-Type": "text/plain" },
      body: JSON.stringify({
        FromEmailAddress: MAIL.from,
        Destination: { ToAddresses: [MAIL.to] },
        Content: { Simple: { Subject: { Data: "x" }, Body: { Text: { Data: "x" }, Html: { Data: "x" } } } },
      }),
    });
    expect(sent.status).toBe(400);
    expect(await (await fetch(`${endpoint}/messages`)).json()).toEqual([]);
  });
});

describe("SMTP", () => {
  test("a mail arrives with sender, recipient, subject, text, and HTML, and is on no page", async () => {
    const { port, mails } = await startSmtpReceiver();
    const { endpoint } = await anEngine({ smtp: at(port), from: "Captures <me@example.com>" });
    await send(endpoint);
    const [mail, ...others] = mails;
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ from: "me@example.com", to: [MAIL.to], user: undefined, isEncrypted: false });
    expect(mail?.source).toMatch(/^From: Captures <me@example\.com>\r$/m);
    expect(mail?.source).toMatch(/^To: ann@customer\.example\r$/m);
    expect(mail?.source).toContain(`=?UTF-8?B?${Buffer.from(MAIL.subject).toString("base64")}?=`);
    expect(mail?.source).toMatch(/^Content-Type: multipart\/alternative;/m);
    const parts = /Content-Type: text\/plain;.*Gr=C3=BC=C3=9Fe\r\n\.\r\nEnd.*Content-Type: text\/html;.*Sch=C3=B6ne/s;
    expect(mail?.source).toMatch(parts); // the last part is the one to prefer
    expect((await fetch(`${endpoint}/messages`)).status).toBe(404);
    expect((await fetch(`${endpoint}/`)).status).toBe(404);
  });

  test("a text or an address with line breaks adds no header and no recipient", async () => {
    const { port, mails } = await startSmtpReceiver();
    const { endpoint } = await anEngine({ smtp: at(port), from: "me@example.com" });
    await send(endpoint, { subject: "a\r\nBcc: eve@example.com\r\n\r\nb" });
    expect(mails[0]?.to).toEqual([MAIL.to]);
    expect(mails[0]?.source).not.toMatch(/^Bcc:/im);
    for (const to of ["ann@customer.example\r\nRCPT TO:<eve@example.com>", "ann@customer.example, eve@example.com"])
      await expect(send(endpoint, { to })).rejects.toMatchObject({ name: "BadRequestException" });
    expect(mails).toHaveLength(1);
  });

  test("logs in, with any characters in the password", async () => {
    const { port, mails } = await startSmtpReceiver({}, PASSWORD);
    const { endpoint } = await anEngine({ smtp: at(port, { login }) });
    await send(endpoint);
    expect(mails).toMatchObject([{ user: "ann" }]);
  });

  test("a refused login and a refused recipient are errors that are not repeated, and name the server", async () => {
    const { port: locked } = await startSmtpReceiver({}, "another");
    const refused = await send((await anEngine({ smtp: at(locked, { login }) })).endpoint).catch((error) => error);
    expect(refused).toMatchObject({ name: "MessageRejected", $metadata: { httpStatusCode: 400, attempts: 1 } });
    expect(refused.message).toContain(`The SMTP server 127.0.0.1:${locked} did not take the mail: `);
    expect(refused.message).toMatch(/535 .*\(EAUTH\)\.$/);
    const { port: strict } = await startSmtpReceiver({
      onRcptTo: (_address, _session, done) => done(Object.assign(new Error("No such mailbox."), { responseCode: 550 })),
    });
    await expect(send((await anEngine({ smtp: at(strict) })).endpoint)).rejects.toMatchObject({
      name: "MessageRejected",
      message: expect.stringContaining("550 No such mailbox."),
    });
  });

  test("a server that has no time now, or is not there, is an error that the SDK repeats", async () => {
    let asked = 0;
    const { port, mails } = await startSmtpReceiver({
      onMailFrom: (_address, _session, done) =>
        ++asked === 1 ? done(Object.assign(new Error("Try later."), { responseCode: 451 })) : done(),
    });
    const sent = await send((await anEngine({ smtp: at(port) })).endpoint);
    expect(sent.$metadata.attempts).toBe(2);
    expect(mails).toHaveLength(1);
    const absent = at(1);
    await expect(send((await anEngine({ smtp: absent })).endpoint)).rejects.toMatchObject({
      name: "ServiceUnavailable",
      $metadata: { httpStatusCode: 503, attempts: 3 },
    });
  });

  test("a slow server gets a mail once, although the SDK calls again meanwhile", async () => {
    const { port, mails } = await startSmtpReceiver({
      onMailFrom: (_address, _session, done) => void setTimeout(done, 1_000),
    });
    const { endpoint } = await anEngine({ smtp: at(port) });
    const sent = await send(endpoint, { requestTimeout: 600 });
    expect(sent.$metadata.attempts).toBeGreaterThan(1);
    expect(mails).toHaveLength(1);
  });

  test("a server that says nothing is given up", async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    onTestFinished(() => void silent.close());
    const sendMail = await createSmtpSender(at((silent.address() as AddressInfo).port), { timeoutMs: 200 });
    await expect(sendMail({ ...MAIL, to: [MAIL.to] })).rejects.toMatchObject({ status: 503 });
  });

  test.each([
    ["the password", (password: string) => password],
    ["what SMTP makes of it", (password: string) => Buffer.from(`\0ann\0${password}`).toString("base64")],
  ])("an answer that repeats %s is not shown", async (_name, repeated) => {
    const { port } = await startSmtpReceiver({
      onAuth: (auth, _session, done) => done(new Error(`Wrong: ${repeated(auth.password ?? "")}`)),
    });
    const { endpoint } = await anEngine({ smtp: at(port, { login }) });
    const error = await send(endpoint).catch((failure) => failure);
    expect(error.message).toContain("its answer repeats the password, and is not shown (EAUTH)");
    expect(JSON.stringify(error)).not.toContain("s3cret");
  });
});

describe("TLS of SMTP", () => {
  /** Trusts the test's own certificate authority, as `NODE_EXTRA_CA_CERTS` does for a process. */
  function trustSelfSigned(): void {
    const before = getCACertificates("default");
    setDefaultCACertificates([...before, selfSigned.cert]);
    onTestFinished(() => setDefaultCACertificates(before));
  }
  const mail = { ...MAIL, to: [MAIL.to] };

  test.each(["implicit", "starttls"] as const)(
    "%s: a certificate that cannot be verified is an error, and no mail is sent",
    async (tls) => {
      const { port, mails } = await startSmtpReceiver({ ...selfSigned, secure: tls === "implicit" }, PASSWORD);
      const sendMail = await createSmtpSender(at(port, { tls, login }));
      await expect(sendMail(mail)).rejects.toMatchObject({
        status: 503,
        message: expect.stringMatching(/certificate|altname|self-signed/i),
      });
      expect(mails).toEqual([]);
    },
  );

  test.each(["implicit", "starttls"] as const)("%s: a certificate of another name is an error", async (tls) => {
    trustSelfSigned();
    const { port } = await startSmtpReceiver({ ...selfSigned, secure: tls === "implicit" }, PASSWORD);
    const sendMail = await createSmtpSender(at(port, { tls, login, host: "localhost" }));
    await expect(sendMail(mail)).rejects.toMatchObject({ message: expect.stringContaining("receiver.test") });
  });

  test("a server without STARTTLS gets neither the password nor the mail", async () => {
    const logins: unknown[] = [];
    const { port, mails } = await startSmtpReceiver({
      hideSTARTTLS: true,
      disabledCommands: ["STARTTLS"],
      onAuth: (auth, _session, done) => {
        logins.push(auth);
        done(null, { user: "ann" });
      },
    });
    const sendMail = await createSmtpSender(at(port, { tls: "starttls", login }));
    await expect(sendMail(mail)).rejects.toMatchObject({ message: expect.stringContaining("(ETLS)") });
    expect([logins, mails]).toEqual([[], []]);
  });

  test.each(["implicit", "starttls"] as const)(
    "%s: a mail to a server with a certificate that is verified arrives encrypted",
    async (tls) => {
      trustSelfSigned();
      const { port, mails } = await startSmtpReceiver({ ...selfSigned, secure: tls === "implicit" }, PASSWORD);
      const sendMail = await createSmtpSender(at(port, { tls, login }), { servername: "receiver.test" });
      await sendMail(mail);
      expect(mails).toMatchObject([{ isEncrypted: true, user: "ann" }]);
    },
  );
});
