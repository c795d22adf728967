// The garbage of the functions, collected before anybody looks at what they hold: V8 leaves it for as long as there is room.
import { once } from "node:events";

/** With this every function's process listens for debuggers, at a port of its own. */
export const LISTENING = { NODE_OPTIONS: "--inspect=127.0.0.1:0" };

export class Collectors {
  readonly #debuggers = new Set<string>();

  /** Takes note of where a process listens, which it prints when it starts. */
  hear(line: string): void {
    const [, address] = /^Debugger listening on (ws:\S+)/.exec(line) ?? [];
    if (address) this.#debuggers.add(address);
  }

  /** Has every process that is still there collect its garbage. */
  async collect(): Promise<void> {
    await Promise.all([...this.#debuggers].map((address) => this.#collectAt(address)));
  }

  async #collectAt(address: string): Promise<void> {
    const socket = new WebSocket(address);
    const gone = once(socket, "error").then(() => this.#debuggers.delete(address));
    const collected = once(socket, "open").then(() => {
      socket.send(JSON.stringify({ id: 1, method: "HeapProfiler.collectGarbage" }));
      return once(socket, "message");
    });
    await Promise.race([collected, gone]);
    socket.close();
  }
}
