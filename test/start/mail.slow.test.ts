// `npm start` with an SMTP server: a code to sign in arrives, and no one but the server gets the password.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { failingStart, npmStart, project } from "../support/npm-start.ts";
import { startSmtpReceiver } from "../support/smtp-receiver.ts";

const PASSWORD = "s3cret-of-the-smtp-server";

let folder: string;
beforeEach(() => {
  mkdirSync(join(project, ".local"), { recursive: true });
  folder = mkdtempSync(join(project, ".local", "mail-test-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Command lines with environments of all processes of the service but its own, which `npm start` was given the password in. */
function childrenOf(dataDir: string): string[] {
  return execFileSync("ps", ["eww", "-eo", "args"], { encoding: "utf8", maxBuffer: 100_000_000 })
    .split("\n")
    .filter((line) => line.includes(dataDir) && !/^(npm start|(\S*\/)?node bin\/local\.ts|sh -c|ps )/.test(line));
}

/** All files below a folder that have the text. */
function filesWith(text: string, path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => readFileSync(file).includes(text));
}

/** Asks for a code as the page of the service does. */
function askForCode(baseUrl: string, email: string): Promise<Response> {
  return fetch(`${baseUrl}/sign-in/code`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: baseUrl, "Sec-Fetch-Site": "same-origin" },
    body: JSON.stringify({ email }),
  });
}

test("npm start: sends the code of a sign-in by SMTP, reports the server's refusal, and shows its password to no one", async () => {
  const { port, mails } = await startSmtpReceiver(
    {
      onRcptTo: ({ address }, _session, done) =>
        address.startsWith("full") ? done(Object.assign(new Error("Mailbox full."), { responseCode: 552 })) : done(),
    },
    PASSWORD,
  );
  const service = await npmStart(
    {
      DATA_DIR: folder,
      SIGN_UP: "open",
      SMTP_URL: `smtp://ann:${PASSWORD}@127.0.0.1:${port}`,
      MAIL_FROM: "Captures <captures@example.com>",
    },
    "--verbose",
  );
  try {
    expect(service.output()).toContain(
      `E-mail is sent from Captures <captures@example.com> by the SMTP server 127.0.0.1:${port}.`,
    );
    expect((await askForCode(service.baseUrl, "bob@customer.example")).status).toBe(202);
    await expect.poll(() => mails).toHaveLength(1);
    const [mail] = mails;
    expect(mail).toMatchObject({ from: "captures@example.com", to: ["bob@customer.example"], user: "ann" });
    expect(mail?.source).toMatch(/^From: Captures <captures@example\.com>\r$/m);
    const [, code = ""] = /^Subject: (\d{6}) /m.exec(mail?.source ?? "") ?? [];
    expect(mail?.source.split("\r\n\r\n").slice(1).join("\n")).toContain(code);

    expect((await askForCode(service.baseUrl, "full@customer.example")).status).toBe(202);
    await expect.poll(service.output).toContain("552 Mailbox full.");

    const children = childrenOf(folder);
    expect(children.length).toBeGreaterThan(2); // functions and engines
    expect(children.filter((line) => /SMTP_URL|s3cret/.test(line))).toEqual([]);
  } finally {
    await service.end("SIGTERM");
  }
  expect(service.output()).not.toContain(PASSWORD);
  expect(filesWith(PASSWORD, folder)).toEqual([]);
});

test("npm start: refuses invalid settings of mail in one sentence, without the password", async () => {
  const starts = await Promise.all([
    failingStart({ DATA_DIR: join(folder, "a"), SMTP_URL: `smtps://ann:${PASSWORD}@smtp.example.com` }),
    failingStart({ DATA_DIR: join(folder, "b"), SMTP_URL: `smtp.example.com:${PASSWORD}`, MAIL_FROM: "a@example.com" }),
    failingStart({ DATA_DIR: join(folder, "c"), MAIL_FROM: "captures" }),
  ]);
  expect(starts.map(({ code }) => code)).toEqual([1, 1, 1]);
  expect(starts.map(({ errors }) => errors)).toEqual([
    "SMTP_URL needs MAIL_FROM: set it to the address that mails are to come from.",
    expect.stringMatching(/^SMTP_URL is not a valid address[^\n]*$/),
    expect.stringMatching(/^MAIL_FROM must be an address such as [^\n]*$/),
  ]);
  expect(JSON.stringify(starts)).not.toContain(PASSWORD);
});
