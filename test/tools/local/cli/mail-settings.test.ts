// The environment variables of mail on one machine.
import { describe, expect, test } from "vitest";
import { readMailSettings } from "../../../../lib/tools/local/cli/mail-settings.ts";

const MAIL_FROM = "Captures <captures@example.com>";
const smtpOf = (SMTP_URL: string) => readMailSettings({ SMTP_URL, MAIL_FROM }).smtp;

describe("mail settings: SMTP_URL", () => {
  test.each([
    ["smtps://smtp.example.com", { host: "smtp.example.com", port: 465, tls: "implicit" }],
    ["smtp://smtp.example.com/", { host: "smtp.example.com", port: 587, tls: "starttls" }],
    ["smtp://smtp.example.com:2525", { host: "smtp.example.com", port: 2525, tls: "starttls" }],
    ["smtp://mailpit:1025?ignoreTLS=true", { host: "mailpit", port: 1025, tls: "none" }],
    ["smtp://127.0.0.1:25", { host: "127.0.0.1", port: 25, tls: "none" }],
    ["smtp://localhost:25?requireTLS=true", { host: "localhost", port: 25, tls: "starttls" }],
    ["smtps://[2001:db8::1]:4650", { host: "2001:db8::1", port: 4650, tls: "implicit" }],
  ])("%s", (url, expected) => {
    expect(smtpOf(url)).toEqual({ login: undefined, ...expected });
  });

  test("has user and password percent-encoded", () => {
    const login = { user: "ann@example.com", password: "s3cret/ü@?#:" };
    const encoded = `${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}`;
    expect(smtpOf(`smtps://${encoded}@smtp.example.com`)).toMatchObject({ host: "smtp.example.com", login });
  });

  test.each([
    ["smtp.example.com", /is not a valid address|must begin/],
    ["https://ann:s3cret@smtp.example.com", /must begin with smtps:/],
    ["smtps://ann:s3cret%zz@smtp.example.com", /is not a valid address/],
    ["smtps://ann:s3/cret@smtp.example.com", /is not a valid address/],
    ["smtps://ann:123#s3cret@smtp.example.com", /more after its port/],
    ["smtps://ann@smtp.example.com", /is not a valid address/],
    ["smtps://:s3cret@smtp.example.com", /is not a valid address/],
    ["smtps://ann:s3cret@", /is not a valid address/],
    ["smtps://ann:s3cret@smtp.example.com:0", /is not a valid address/],
    ["smtps://ann:s3cret@smtp.example.com?password=s3cret", /more after its port/],
    ["smtp://ann:s3cret@smtp.example.com?ignoreTLS=true", /would send it unencrypted/],
  ])("%s is refused in one sentence with a fix, without its password", (url, message) => {
    let thrown = "";
    try {
      smtpOf(url);
    } catch (error) {
      thrown = `${error} ${(error as Error).stack}`;
    }
    expect(thrown).toMatch(/LocalServiceError: SMTP_URL [^\n]+\. [^\n]+\.\n/);
    expect(thrown).toMatch(message);
    expect(thrown).not.toMatch(/s3|cret/);
  });
});

describe("mail settings: addresses and port", () => {
  test("nothing is set", () => {
    expect(readMailSettings({ SMTP_URL: "", MAIL_FROM: "" })).toEqual({});
  });

  test("SMTP_URL needs MAIL_FROM, by default the address of the operator, too", () => {
    expect(() => readMailSettings({ SMTP_URL: "smtps://a.example" })).toThrow(/^SMTP_URL needs MAIL_FROM: /);
    expect(readMailSettings({ SMTP_URL: "smtps://a.example", MAIL_FROM }).operator).toBe("captures@example.com");
    const OPERATOR_MAIL = "me@example.com";
    expect(readMailSettings({ SMTP_URL: "smtps://a.example", MAIL_FROM, OPERATOR_MAIL }).operator).toBe(OPERATOR_MAIL);
    expect(readMailSettings({ MAIL_FROM })).toMatchObject({ from: MAIL_FROM, operator: undefined });
  });

  test.each([
    [{ MAIL_FROM: "captures" }, /^MAIL_FROM must be an address such as .*, not 'captures'\.$/],
    [{ MAIL_FROM: "a@example.com, b@example.com" }, /^MAIL_FROM must/],
    [{ MAIL_FROM: "A\nBcc: <a@example.com>" }, /^MAIL_FROM must/],
    [{ OPERATOR_MAIL: "me" }, /^OPERATOR_MAIL must be an address such as you@example\.com, not 'me'\.$/],
    [{ MAIL_PORT: "http" }, /^MAIL_PORT must be a number from 0 to 65535, not 'http'\.$/],
    [{ MAIL_PORT: "65536" }, /^MAIL_PORT must/],
  ])("%j is refused", (variables, message) => {
    expect(() => readMailSettings(variables)).toThrow(message);
  });

  test("MAIL_PORT", () => {
    expect(readMailSettings({ MAIL_PORT: "8026" }).port).toBe(8026);
  });
});
