// https to checked addresses: connects through `dial` and verifies the host's certificate before sending anything.
import { once } from "node:events";
import { Agent as HttpsAgent } from "node:https";
import { isIP } from "node:net";
import type { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";
import type { Dial } from "./egress-dial.ts";
import { refuseUpgrades } from "./refuse-upgrades.ts";

/** TLS failed: the certificate is not trusted, or the host supports no common version. */
export class TlsError extends Error {}

/**
 * An https agent that connects through `dial`, to checked addresses only; each connection is closed after its request.
 */
export class TlsDialAgent extends HttpsAgent {
  readonly #dial: Dial;

  constructor(dial: Dial) {
    super({ keepAlive: false });
    refuseUpgrades(this);
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
 * Opens a TLS connection; resolves after the certificate is verified. Rejects with an `EgressError`, or a `TlsError`
 * whose cause has the reason.
 */
export async function dialTls(dial: Dial, host: string, port: number): Promise<Duplex> {
  const name = host.replace(/\.$/, "");
  const socket = await dial(name, port);
  const secure = connectTls({ socket, host: name, ...(isIP(name) === 0 && { servername: name }) });
  try {
    // A connection that is destroyed without an error only closes.
    const closed = once(secure, "close").then(() => Promise.reject(new Error("The connection ended.")));
    await Promise.race([once(secure, "secureConnect"), closed]);
    return secure;
  } catch (cause) {
    socket.destroy();
    throw new TlsError("no TLS that is trusted", { cause });
  }
}
