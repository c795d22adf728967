// An HTTP proxy in front of a local engine, for tools that refuse or lose the calls of functions.
import { Agent, type ClientRequest, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { listen, stopListening } from "../loopback.ts";

export interface EngineProxy {
  /** Where callers find it, without a trailing slash. */
  readonly endpoint: string;
  /** From now on calls go to `endpoint`. */
  leadTo(endpoint: string): void;
  close(): Promise<void>;
}

/** Sends the method, path and headers of a call to the engine. The caller writes the body and reads the response. */
type Forward = (call: Pick<IncomingMessage, "method" | "url" | "headers">) => ClientRequest;

export async function startEngineProxy(
  handle: (call: IncomingMessage, response: ServerResponse, forward: Forward) => void,
): Promise<EngineProxy> {
  const agent = new Agent({ keepAlive: true });
  let upstream = new URL("http://127.0.0.1:9");
  const forward: Forward = ({ method = "GET", url: path = "/", headers }) =>
    request({ agent, hostname: upstream.hostname, port: upstream.port, method, path, headers });
  const server = createServer((call, response) => handle(call, response, forward));
  return {
    endpoint: `http://${await listen(server)}`,
    leadTo(endpoint) {
      upstream = new URL(endpoint);
    },
    async close() {
      await stopListening(server);
      agent.destroy();
    },
  };
}
