// TLS to checked addresses: how a handshake ends.
import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { dialTls, TlsError } from "../../../lib/engine/egress/egress-tls.ts";
import { startTcp } from "../../fixtures/site.ts";
import { closing } from "../../support/closing.ts";

test("tls: a connection that is destroyed during the handshake, without an error, is rejected", async () => {
  const { port } = closing(await startTcp(() => undefined));
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  const dialling = dialTls(async () => socket, "receiver.test", port);
  setImmediate(() => socket.destroy());
  await expect(dialling).rejects.toBeInstanceOf(TlsError);
});
