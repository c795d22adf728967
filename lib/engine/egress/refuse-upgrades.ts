// Requests whose server switches protocols fail: Node closes their connection without an error.
import type { Agent, ClientRequest } from "node:http";

/** How an agent of Node receives each request. Not documented, but many agents override it, such as those of agent-base. */
interface RequestQueue {
  addRequest(request: ClientRequest, ...rest: unknown[]): void;
}

/**
 * Makes each request of an agent fail with an error when its server answers 101, which none of them requested. Without it
 * neither `response` nor `error` happens, and clients such as the AWS SDK wait forever.
 */
export function refuseUpgrades(agent: Agent): void {
  const queue = agent as unknown as RequestQueue;
  const addRequest = queue.addRequest.bind(agent);
  queue.addRequest = (request, ...rest) => {
    request.once("upgrade", (_, socket) => {
      socket.destroy();
      request.emit("error", new Error("The server switched protocols.")); // `destroy` has no effect any more
    });
    addRequest(request, ...rest);
  };
}
