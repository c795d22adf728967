// https to checked addresses: an agent whose connections are dialled, and proven to be the host's, before anything is sent.
import { once } from "node:events";
import { Agent as HttpsAgent } from "node:https";
import { isIP } from "node:net";
import type { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";
import type { Dial } from "./egress-dial.ts";

/** The host could not prove who it is, or speaks no TLS that is spoken here. */
export class TlsError extends Error {}

/** Makes its connections by dialling checked addresses only; each is closed after its request. */
export class TlsDialAgent extends HttpsAgent {
  readonly #dial: Dial;

  constructor(dial: Dial) {
    super({ keepAlive: false });
    this.#dial = dial;
  }

  override createConnection(
    { host, port }: { host?: string | null; port?: number | string | null },
    done: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    dialTls(this.#dial, host ?? "", Number(port)).then(
      (socket) => done(null, socket),
      (error) => done(error, undefined as never),
    );
  }
}

/**
 * A connection to a host on which nothing is sent before the host has proven who it is. Rejects with an EgressError, or a
 * TlsError whose cause says what is wrong.
 */
export async function dialTls(dial: Dial, host: string, port: number): Promise<Duplex> {
  const name = host.replace(/\.$/, "");
  const socket = await dial(name, port);
  const secure = connectTls({ socket, host: name, ...(isIP(name) === 0 && { servername: name }) });
  try {
    await once(secure, "secureConnect");
    return secure;
  } catch (cause) {
    socket.destroy();
    throw new TlsError("no TLS that is trusted", { cause });
  }
}
