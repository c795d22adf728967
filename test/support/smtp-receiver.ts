// A real SMTP server on loopback, which keeps what it takes.
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { onTestFinished } from "vitest";

export interface ReceivedMail {
  /** Of the envelope. */
  readonly from: string;
  readonly to: readonly string[];
  /** As it was sent: headers, an empty line, and the text. */
  readonly source: string;
  readonly user: string | undefined;
  readonly isEncrypted: boolean;
}

export interface SmtpReceiver {
  readonly port: number;
  readonly mails: readonly ReceivedMail[];
}

/** Runs until the test ends. Takes each mail, from each user with the password `password` if there is one. */
export async function startSmtpReceiver(options: SMTPServerOptions = {}, password?: string): Promise<SmtpReceiver> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: password === undefined,
    allowInsecureAuth: true,
    logger: false,
    onAuth: (auth, _session, done) =>
      auth.password === password ? done(null, { user: auth.username ?? "" }) : done(new Error("Wrong login.")),
    onData: (stream, session, done) => {
      void text(stream).then((source) => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom ? mailFrom.address : "",
          to: rcptTo.map(({ address }) => address),
          source,
          user: session.user === undefined ? undefined : String(session.user),
          isEncrypted: session.secure,
        });
        done();
      });
    },
    ...options,
  });
  server.on("error", () => {}); // of clients that give up
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { port: (server.server.address() as AddressInfo).port, mails };
}
