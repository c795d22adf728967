// HTTP agents with keep-alive that do not reuse a connection which was idle for long. While Lambda freezes a sandbox, which can take
// minutes, its peers close connections without the sandbox noticing; the next request on one would fail or hang.
// https://github.com/aws/aws-sdk-js-v3/issues/1196
import { type ClientRequest, Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { Duplex } from "node:stream";

/** By the clock on the wall: that of the process stands still while the sandbox is frozen. */
const MAX_IDLE_MS = 30_000;

/** As the SDK's own agents. */
const options = { keepAlive: true, maxSockets: 50 };

interface PooledSocket extends Duplex {
  /** When it became idle last, in milliseconds since 1970. */
  idleSince?: number;
}

/** A method of Node's agents that their types lack. https://nodejs.org/api/http.html#class-httpagent */
interface AgentInternals {
  addRequest(request: ClientRequest, ...rest: unknown[]): void;
}

function discardOldSockets(sockets: NodeJS.ReadOnlyDict<PooledSocket[]>): void {
  for (const pool of Object.values(sockets)) {
    const old = pool?.filter(({ idleSince = 0 }) => Math.abs(Date.now() - idleSince) > MAX_IDLE_MS) ?? [];
    for (const socket of old) {
      pool?.splice(pool.indexOf(socket), 1);
      socket.destroy();
    }
  }
}

/** The agents for one client of AWS. */
export function freshAgents(): { readonly httpAgent: HttpAgent; readonly httpsAgent: HttpsAgent } {
  return { httpAgent: discarding(new HttpAgent(options)), httpsAgent: discarding(new HttpsAgent(options)) };
}

/** Changes an agent in place. It is asked for a connection by `addRequest`, and `free` reports one that became idle. */
function discarding<A extends HttpAgent>(agent: A): A {
  const internals = agent as unknown as AgentInternals;
  const addRequest = internals.addRequest.bind(agent);
  internals.addRequest = (...args) => {
    discardOldSockets(agent.freeSockets);
    addRequest(...args);
  };
  agent.prependListener("free", (socket: PooledSocket) => {
    socket.idleSince = Date.now();
  });
  return agent;
}
