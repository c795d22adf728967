// Forces garbage collection in the functions before an observation, through the V8 inspector.
import { once } from "node:events";

/** With this every function's process listens for debuggers, at a port of its own. */
export const LISTENING = { NODE_OPTIONS: "--inspect=127.0.0.1:0" };

/** What V8 knows that it holds, in bytes. */
export interface HeldByV8 {
  /** Objects of JavaScript. */
  readonly heapUsed: number;
  /** What V8 keeps of the system's memory for them. */
  readonly heapTotal: number;
  /** Buffers and other memory outside of the heap that JavaScript objects own. */
  readonly external: number;
}

const MEMORY_USAGE = "({ pid: process.pid, ...process.memoryUsage() })";

export class Collectors {
  readonly #debuggers = new Set<string>();

  /** Takes note of where a process listens, which it prints when it starts. */
  hear(line: string): void {
    const [, address] = /^Debugger listening on (ws:\S+)/.exec(line) ?? [];
    if (address) this.#debuggers.add(address);
  }

  /** Has every process that is still there collect its garbage; resolves to what V8 then holds, by process id. */
  async collect(): Promise<ReadonlyMap<number, HeldByV8>> {
    const held = await Promise.all([...this.#debuggers].map((address) => this.#collectAt(address)));
    return new Map(held.filter((each) => each !== undefined).map((each) => [each.pid, each]));
  }

  async #collectAt(address: string): Promise<(HeldByV8 & { pid: number }) | undefined> {
    const socket = new WebSocket(address);
    const gone = once(socket, "error").then(() => void this.#debuggers.delete(address));
    const collected = once(socket, "open").then(async () => {
      await sendCommand(socket, { id: 1, method: "HeapProfiler.collectGarbage" });
      const params = { expression: MEMORY_USAGE, returnByValue: true };
      return (await sendCommand(socket, { id: 2, method: "Runtime.evaluate", params })).result.value;
    });
    const held = await Promise.race([collected, gone]);
    socket.close();
    return held;
  }
}

/** Sends a command of the debugger; nothing else may be under way. */
async function sendCommand(socket: WebSocket, command: { id: number; method: string; params?: object }) {
  socket.send(JSON.stringify(command));
  const [{ data }] = await once(socket, "message");
  return JSON.parse(data).result;
}
