// Sends mails to an SMTP server. Its errors are those that SES's API would answer, and have no secret of the server's address.

export interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Rejects with `MailNotSent`. */
export type SendMail = (mail: Mail) => Promise<void>;

export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** `implicit` from the first byte, `starttls` after a command that the server must offer, `none` for a server that needs no protection. */
  readonly tls: "implicit" | "starttls" | "none";
  /** Undefined for a server that asks for none. */
  readonly login?: { readonly user: string; readonly password: string } | undefined;
}

/** The response of SES to a mail that it does not take. */
export class MailNotSent extends Error {
  readonly status: number;

  /** `name` is the error of SES. The SDK repeats a call for a `status` from 500. */
  constructor(status: number, name: string, message: string) {
    super(message);
    this.status = status;
    this.name = name;
  }
}

/** Milliseconds until the server has greeted. A function waits 5 s for the answer to each of its three calls. */
const CONNECTION_TIMEOUT_MS = 4_000;
/** Milliseconds without a byte from the server after that. */
const SOCKET_TIMEOUT_MS = 8_000;

export interface SmtpOptions {
  /** Milliseconds that replace all time limits. */
  readonly timeoutMs?: number;
  /** Name that the certificate must have. @default the host */
  readonly servername?: string;
}

/** A connection for each mail: they are few, and a connection that stays open would be closed by the server at any time. */
export async function createSmtpSender(
  server: SmtpServer,
  { timeoutMs, servername }: SmtpOptions = {},
): Promise<SendMail> {
  const { createTransport } = await import("nodemailer"); // only a service that sends mails needs it
  const { host, port, tls, login } = server;
  const transport = createTransport({
    host,
    port,
    secure: tls === "implicit",
    requireTLS: tls === "starttls",
    ignoreTLS: tls === "none",
    ...(servername !== undefined && { tls: { servername } }),
    ...(login && { auth: { user: login.user, pass: login.password } }),
    connectionTimeout: timeoutMs ?? CONNECTION_TIMEOUT_MS, // of the name, the connection, TLS, and the greeting together
    socketTimeout: timeoutMs ?? SOCKET_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return async ({ from, to, subject, text, html }) => {
    try {
      await transport.sendMail({ from, to: [...to], subject, text, html });
    } catch (error) {
      throw toMailNotSent(error as SmtpError, server);
    }
  };
}

interface SmtpError extends Error {
  readonly code?: string;
  /** What the server answered. */
  readonly responseCode?: number;
}

/** A reply from 500 is a refusal for good (RFC 5321, section 4.2.1); all else may pass. */
function toMailNotSent({ code, responseCode, message }: SmtpError, { host, port, login }: SmtpServer): MailNotSent {
  const reason = withoutLogin(message, login);
  const facts = `The SMTP server ${host}:${port} did not take the mail: ${reason} (${code ?? "no code"}).`;
  return responseCode !== undefined && responseCode >= 500
    ? new MailNotSent(400, "MessageRejected", facts)
    : new MailNotSent(503, "ServiceUnavailable", facts);
}

/** The server may repeat what it was sent. Its text is left out where it has the password in a form in which SMTP sends it. */
function withoutLogin(text: string, login: SmtpServer["login"]): string {
  if (!login) return text;
  const { user, password } = login;
  const base64 = [password, `\0${user}\0${password}`].map((each) => Buffer.from(each).toString("base64"));
  const secrets = [password, encodeURIComponent(password), ...base64];
  return secrets.some((secret) => text.includes(secret)) ? "its answer repeats the password, and is not shown" : text;
}
