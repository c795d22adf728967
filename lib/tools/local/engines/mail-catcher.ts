// The local engine of e-mail: catches what is sent by the SES API, and shows it on a page. Nothing leaves the machine.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import * as v from "valibot";
import { listen, refuseForeignHosts, stopListening } from "../loopback.ts";

export interface CaughtMail {
  /** Timestamp. */
  readonly at: string;
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
}

export interface MailCatcher {
  readonly endpoint: string;
  stop(): Promise<void>;
}

/** Older mails are forgotten. */
const MAX_MAILS = 200;

const body = v.object({ Data: v.string() });
/** SES refuses others, too. */
const address = v.pipe(v.string(), v.includes("@"));
const SendEmailSchema = v.object({
  FromEmailAddress: address,
  Destination: v.object({ ToAddresses: v.array(address) }),
  Content: v.object({ Simple: v.object({ Subject: body, Body: v.object({ Text: body }) }) }),
});

/** Starts the catcher on a free port. `GET /` shows the mails, `GET /messages` has them as JSON, newest first. */
export async function startMailCatcher(): Promise<MailCatcher> {
  const mails: CaughtMail[] = [];
  const server = createServer((request, response) => {
    answer(request, response, mails).catch(() => response.writeHead(400).end('{"message":"The mail cannot be read."}'));
  });
  refuseForeignHosts(server);
  const address = await listen(server);
  return { endpoint: `http://${address}`, stop: () => stopListening(server) };
}

/** The only operation of SES that the service uses: https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html */
const SEND_EMAIL = "POST /v2/email/outbound-emails";

async function answer(request: IncomingMessage, response: ServerResponse, mails: CaughtMail[]): Promise<void> {
  switch (`${request.method} ${request.url}`) {
    case SEND_EMAIL: {
      const sent = v.parse(SendEmailSchema, JSON.parse(await text(request)));
      mails.unshift(toMail(sent));
      mails.splice(MAX_MAILS);
      response.writeHead(200, { "Content-Type": "application/json" });
      response.end(JSON.stringify({ MessageId: `local-${Date.now()}` }));
      return;
    }
    case "GET /messages":
      response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(mails));
      return;
    case "GET /":
      response.writeHead(200, { "Content-Type": "text/plain; charset=utf-8" }).end(inbox(mails));
      return;
    default:
      response.writeHead(404, { "Content-Type": "application/json" }).end('{"message":"There is no such operation."}');
  }
}

function toMail({ FromEmailAddress, Destination, Content }: v.InferOutput<typeof SendEmailSchema>): CaughtMail {
  const { Subject, Body } = Content.Simple;
  return {
    at: new Date().toISOString(),
    from: FromEmailAddress,
    to: Destination.ToAddresses,
    subject: Subject.Data,
    text: Body.Text.Data,
  };
}

function inbox(mails: readonly CaughtMail[]): string {
  const shown = mails.map(({ at, from, to, subject, text: content }) =>
    [`${at}`, `From: ${from}`, `To: ${to.join(", ")}`, `Subject: ${subject}`, "", content].join("\n"),
  );
  return shown.length === 0 ? "No e-mail was sent yet.\n" : `${shown.join(`\n${"-".repeat(72)}\n`)}\n`;
}
