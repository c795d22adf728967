// A program in the place of the Chromium that functions unpack. It does what the test tells it, by a connection to loopback.
import { once } from "node:events";
import { copyFileSync, cpSync, mkdirSync, readFileSync, readlinkSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { hardeningFolder } from "../../../layers/hardening/build.ts";
import { packFiles } from "../../../lib/engine/browser/packed-files.ts";
import { BROWSER_FILTER_FILE } from "../../../lib/engine/browser/protection.ts";
import { listen } from "../../../lib/tools/local/loopback.ts";

export interface HttpResponse {
  readonly status: number;
  readonly body: string;
}

/** A stand-in that runs in a function. */
export interface StandIn {
  /** What it reaches of the function that started it, by way: `reached`, or the error. */
  readonly reached: Readonly<Record<string, string>>;
  /** Sends a request to a server on loopback from the stand-in. One at a time. Without a server, the status is 0. */
  request(
    address: string,
    request?: { method?: string; headers?: Record<string, string>; body?: string },
  ): Promise<HttpResponse>;
  /** Ends the stand-in. */
  end(): void;
}

export interface StandIns {
  /** `CHROMIUM_FILES` of the functions in which stand-ins are started. */
  readonly packedFiles: string;
  /** Waits for the next one that is started, and has attacked. Those that no caller waits for exit at once. */
  next(): Promise<StandIn>;
  close(): Promise<void>;
}

/** Packs the stand-in as Chromium is packed, in an empty folder that exists. */
export async function openStandIns(folder: string): Promise<StandIns> {
  let waiting: PromiseWithResolvers<StandIn> | undefined;
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => undefined); // it was killed
    sockets.push(socket);
    if (!waiting) return void socket.end();
    attack(socket).then(waiting.resolve, waiting.reject);
    waiting = undefined;
  });
  const port = (await listen(server)).split(":")[1] ?? "";
  const attacker = join(folder, "attacker.pl");
  copyFileSync(join(import.meta.dirname, "attacker.pl"), attacker);
  const source = readFileSync(join(import.meta.dirname, "stand-in.pl"), "utf8")
    .replaceAll("CONTROL_PORT", port)
    .replaceAll("ATTACKER", attacker);
  const packedFiles = join(folder, "chromium");
  mkdirSync(packedFiles);
  cpSync(hardeningFolder("x64"), packedFiles, { recursive: true });
  await packFiles(
    [
      { path: "chromium", mode: 0o755, content: Buffer.from(source) },
      {
        path: `al2023/lib/${BROWSER_FILTER_FILE}`,
        mode: 0o644,
        content: readFileSync(join(packedFiles, BROWSER_FILTER_FILE)),
      },
    ],
    join(packedFiles, "chromium"),
    1,
  );
  return {
    packedFiles,
    next() {
      waiting = Promise.withResolvers<StandIn>();
      return waiting.promise;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

async function attack(socket: Socket): Promise<StandIn> {
  const input = new SocketReader(socket);
  socket.write("attack\n");
  const reached: Record<string, string> = {};
  for (let line = await input.line(); line !== "end"; line = await input.line()) {
    const [way = "", outcome = ""] = line.split("\t");
    reached[way] = outcome;
  }
  return {
    reached,
    async request(address, { method = "GET", headers = {}, body = "" } = {}) {
      const { host, port, pathname, search } = new URL(address);
      const all = { Host: host, Connection: "close", "Content-Length": String(Buffer.byteLength(body)), ...headers };
      const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
      // By HTTP/1.0, no response comes in chunks.
      const request = [`${method} ${pathname}${search} HTTP/1.0`, ...lines, "", body].join("\r\n");
      socket.write(`${port} ${Buffer.byteLength(request)}\n${request}`);
      const response = await input.bytes(Number(await input.line()));
      const [head = "", ...rest] = response.split("\r\n\r\n");
      return { status: Number(head.split(" ")[1] ?? 0), body: rest.join("\r\n\r\n") };
    },
    end: () => socket.destroy(),
  };
}

/** Reads lines and text of a known length from a socket. Throws when the stand-in has ended. */
class SocketReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest = Buffer.alloc(0);

  constructor(socket: Socket) {
    this.#chunks = socket[Symbol.asyncIterator]();
  }

  async line(): Promise<string> {
    while (!this.#rest.includes("\n")) await this.#readMore();
    return String(this.#take(this.#rest.indexOf("\n") + 1)).trimEnd();
  }

  async bytes(length: number): Promise<string> {
    while (this.#rest.length < length) await this.#readMore();
    return String(this.#take(length));
  }

  async #readMore(): Promise<void> {
    const { value, done } = await this.#chunks.next();
    if (done) throw new Error("The stand-in has ended.");
    this.#rest = Buffer.concat([this.#rest, value]);
  }

  #take(length: number): Buffer {
    const taken = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    return taken;
  }
}

/** Ports on which this process listens. */
export async function listeningPorts(): Promise<number[]> {
  const names = await readdir("/proc/self/fd");
  const own = new Set(names.map((name) => linkTarget(`/proc/self/fd/${name}`)));
  const lines = readFileSync("/proc/self/net/tcp", "utf8").trim().split("\n").slice(1);
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === LISTENING && own.has(`socket:[${inode}]`))
    .map(([, local = ""]) => Number.parseInt(local.split(":")[1] ?? "", 16));
}

/** As in Linux's `include/net/tcp_states.h`. */
const LISTENING = "0A";

function linkTarget(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ""; // closed meanwhile
  }
}
