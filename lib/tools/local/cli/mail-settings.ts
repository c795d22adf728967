// The mail settings of the local service, from environment variables. No error repeats `SMTP_URL`, which has a password.
import type { MailSettings } from "../engines/mail-engine.ts";
import type { SmtpServer } from "../engines/smtp-sender.ts";
import { LocalServiceError } from "../local-service-error.ts";
import { isLoopback } from "../loopback.ts";

export interface LocalMailSettings extends MailSettings {
  /** The address of the operator, who gets the requests of customers; undefined for that of the stage. */
  readonly operator: string | undefined;
  /**
   * The address of the operator to which codes for the operator's page are sent; undefined unless OPERATOR_MAIL names it, and an SMTP server
   * sends mail: everyone on this machine can read what is caught.
   */
  readonly codesTo: string | undefined;
}

/** `name@domain`, in the characters that need no quotes. */
const ADDRESS = /^[^\s@<>"(),:;[\]\\]+@[^\s@<>"(),:;[\]\\]+$/;
const NAMED_ADDRESS = /^[^<>"\r\n]*<([^<>]+)>$/;
const EXAMPLE = "Write it as smtps://user:password@smtp.example.com:465, with percent-encoding in user and password.";

/** Throws `LocalServiceError` for an invalid setting. An empty one counts as missing. */
export function readMailSettings(variables: Readonly<Record<string, string | undefined>>): LocalMailSettings {
  const { SMTP_URL, MAIL_FROM, MAIL_PORT, OPERATOR_MAIL } = variables;
  const smtp = SMTP_URL ? parseSmtpUrl(SMTP_URL) : undefined;
  const from = MAIL_FROM || undefined;
  const address = from && (NAMED_ADDRESS.exec(from)?.[1] ?? from);
  if (smtp && from === undefined)
    throw new LocalServiceError("SMTP_URL needs MAIL_FROM: set it to the address that mails are to come from.");
  if (address !== undefined && !ADDRESS.test(address))
    throw new LocalServiceError(
      `MAIL_FROM must be an address such as captures@example.com or Captures <captures@example.com>, not '${from}'.`,
    );
  if (OPERATOR_MAIL && !ADDRESS.test(OPERATOR_MAIL))
    throw new LocalServiceError(`OPERATOR_MAIL must be an address such as you@example.com, not '${OPERATOR_MAIL}'.`);
  const operator = OPERATOR_MAIL || (smtp ? address : undefined);
  return { smtp, from, port: parseMailPort(MAIL_PORT), operator, codesTo: (smtp && OPERATOR_MAIL) || undefined };
}

function parseMailPort(text: string | undefined): number | undefined {
  if (!text) return undefined;
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new LocalServiceError(`MAIL_PORT must be a number from 0 to 65535, not '${text}'.`);
}

function parseSmtpUrl(text: string): SmtpServer {
  const url = URL.parse(text);
  const login = url ? readLogin(url) : undefined;
  if (!url || login === "unreadable" || url.hostname === "" || url.port === "0")
    throw new LocalServiceError(`SMTP_URL is not a valid address. ${EXAMPLE}`);
  if (url.protocol !== "smtp:" && url.protocol !== "smtps:")
    throw new LocalServiceError(`SMTP_URL must begin with smtps:// or, for STARTTLS, with smtp://. ${EXAMPLE}`);
  if (!["", "/"].includes(url.pathname) || url.hash !== "" || !OPTIONS.includes(url.search))
    throw new LocalServiceError(
      `SMTP_URL has more after its port than ?ignoreTLS=true or ?requireTLS=true, or an unencoded / ? or # in its password. ${EXAMPLE}`,
    );
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const tls = tlsMode(url, host);
  if (tls === "none" && login && !isLoopback(host))
    throw new LocalServiceError(
      "SMTP_URL has a password and ignoreTLS=true, which would send it unencrypted. Leave out ignoreTLS=true, or the password.",
    );
  return { host, port: Number(url.port) || (tls === "implicit" ? 465 : 587), tls, login };
}

/** Undefined without a user. */
function readLogin({ username, password }: URL): SmtpServer["login"] | "unreadable" {
  if (username === "" && password === "") return undefined;
  if (username === "" || password === "") return "unreadable";
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    return "unreadable";
  }
}

/** Named like the options of nodemailer. */
const OPTIONS = ["", "?ignoreTLS=true", "?requireTLS=true"];

/** What a relay on the same machine receives leaves no network, and its certificate is rarely one that can be verified. */
function tlsMode({ protocol, search }: URL, host: string): SmtpServer["tls"] {
  if (protocol === "smtps:") return "implicit";
  if (search === "?ignoreTLS=true") return "none";
  return isLoopback(host) && search === "" ? "none" : "starttls";
}
