// The local engine of e-mail, which takes mails by the SES API: it sends them by SMTP or, without a server, shows them on a page.
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import * as v from "valibot";
import { MAIL_PAGE_HEADERS } from "../../mails/mail-page.ts";
import { LocalServiceError } from "../local-service-error.ts";
import { LOOPBACK, refuseForeignHosts, stopListening } from "../loopback.ts";
import { type CaughtMail, inboxPage } from "./inbox-page.ts";
import { createSmtpSender, type Mail, MailNotSent, type SendMail, type SmtpServer } from "./smtp-sender.ts";

export interface MailSettings {
  /** Where mails are sent. Without it, they are caught: nothing leaves the machine. */
  readonly smtp?: SmtpServer | undefined;
  /** The sender of all mails, in place of the one that the stage has. */
  readonly from?: string | undefined;
  /** Port of the page of caught mails; it must be free. @default 8025 if that is free, or else any free port */
  readonly port?: number | undefined;
}

export interface MailEngine {
  readonly endpoint: string;
  stop(): Promise<void>;
}

/** The port on which other mail catchers, such as Mailpit, have their page, too. */
export const DEFAULT_MAIL_PORT = 8025;
/** Older mails are forgotten. */
const MAX_MAILS = 200;

const body = v.object({ Data: v.string() });
/** SES refuses others, too. */
const address = v.pipe(v.string(), v.includes("@"));
/** One mailbox: nodemailer would read a list. */
const recipient = v.pipe(v.string(), v.regex(/^[^\s<>,;:@]+@[^\s<>,;:@]+$/));
const SendEmailSchema = v.object({
  FromEmailAddress: address,
  Destination: v.object({ ToAddresses: v.array(recipient) }),
  Content: v.object({ Simple: v.object({ Subject: body, Body: v.object({ Text: body, Html: body }) }) }),
});

/**
 * Starts the engine. Without an SMTP server, `GET /` shows the mails, and `GET /messages` has them as JSON, newest first. Throws
 * `LocalServiceError` when the port is in use.
 */
export async function startMailEngine({ smtp, from, port }: MailSettings = {}): Promise<MailEngine> {
  const mails: CaughtMail[] = [];
  const keepMail: SendMail = async (mail) => {
    mails.unshift({ at: new Date().toISOString(), ...mail });
    mails.splice(MAX_MAILS);
  };
  const caught = smtp ? undefined : mails;
  const send = shareRepeatedCalls(smtp ? await createSmtpSender(smtp) : keepMail);
  const server = createServer((request, response) => {
    answer(request, response, { caught, from, send }).catch((error) => respondToError(response, error));
  });
  refuseForeignHosts(server);
  await (smtp ? listenOn(server, 0) : listenForPage(server, port));
  return {
    endpoint: `http://${LOOPBACK}:${(server.address() as AddressInfo).port}`,
    stop: () => stopListening(server),
  };
}

/** A port that the operator sets is the only one; without it, any port is better than no service. */
async function listenForPage(server: Server, port: number | undefined): Promise<void> {
  try {
    await listenOn(server, port ?? DEFAULT_MAIL_PORT);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE" && (error as NodeJS.ErrnoException).code !== "EACCES")
      throw error;
    if (port === undefined) return listenOn(server, 0);
    const reason = (error as NodeJS.ErrnoException).code === "EACCES" ? "is not allowed to you" : "is in use";
    throw new LocalServiceError(`Port ${port} ${reason}. Set MAIL_PORT to another port for the page of caught mails.`, {
      cause: error,
    });
  }
}

async function listenOn(server: Server, port: number): Promise<void> {
  server.listen(port, LOOPBACK);
  await once(server, "listening");
}

type SendOnce = (mail: Mail, invocation: string | undefined) => Promise<void>;

/** How long the outcome of a call is kept, in milliseconds: longer than the SDK repeats a call. */
const REPEATS_MS = 60_000;

/**
 * Single-flight: the SDK repeats a call, with the same id of the invocation, when the answer takes longer than its time limit. The repeated
 * call waits for the first one, so that a slow SMTP server gets the mail once. A call that failed is tried again.
 */
function shareRepeatedCalls(send: SendMail): SendOnce {
  const calls = new Map<string, Promise<void>>();
  return (mail, invocation) => {
    if (invocation === undefined) return send(mail);
    const running = calls.get(invocation);
    if (running) return running;
    const call = send(mail);
    calls.set(invocation, call);
    const forget = () => calls.delete(invocation);
    call.then(() => setTimeout(forget, REPEATS_MS).unref(), forget);
    return call;
  };
}

/** The only operation of SES that the service uses: https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html */
const SEND_EMAIL = "POST /v2/email/outbound-emails";

interface Answering {
  /** Undefined for an engine that shows no mails. */
  readonly caught: readonly CaughtMail[] | undefined;
  readonly from: string | undefined;
  readonly send: SendOnce;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { caught, from, send }: Answering,
): Promise<void> {
  const operation = `${request.method} ${request.url}`;
  if (operation === SEND_EMAIL) {
    // A page in a browser sends this type only after a preflight request, which is not answered: no website can send mails.
    if (request.headers["content-type"] !== "application/json")
      throw new MailNotSent(400, "BadRequestException", "The Content-Type must be application/json.");
    const mail = toMail(v.parse(SendEmailSchema, JSON.parse(await text(request))), from);
    await send(mail, request.headers["amz-sdk-invocation-id"]?.toString());
    response.writeHead(200, { "Content-Type": "application/json" });
    response.end(JSON.stringify({ MessageId: `local-${Date.now()}` }));
  } else if (caught && operation === "GET /messages") {
    response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(caught));
  } else if (caught && operation === "GET /") {
    response.writeHead(200, MAIL_PAGE_HEADERS).end(inboxPage(caught));
  } else {
    response.writeHead(404, { "Content-Type": "application/json" }).end('{"message":"There is no such operation."}');
  }
}

function respondToError(response: ServerResponse, error: unknown): void {
  const { status, name, message } =
    error instanceof MailNotSent ? error : new MailNotSent(400, "BadRequestException", "The mail cannot be read.");
  response.writeHead(status, { "Content-Type": "application/json", "X-Amzn-ErrorType": name });
  response.end(JSON.stringify({ message }));
}

function toMail(
  { FromEmailAddress, Destination, Content }: v.InferOutput<typeof SendEmailSchema>,
  from: string | undefined,
): Mail {
  const { Subject, Body } = Content.Simple;
  return {
    from: from ?? FromEmailAddress,
    to: Destination.ToAddresses,
    subject: Subject.Data,
    text: Body.Text.Data,
    html: Body.Html.Data,
  };
}
