// A DNS server on loopback (RFC 1035, UDP) that answers from a table and is silent for all other names.
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

/** What a name has: its addresses of both families, or no such name. A family left out of `answers` has no data. */
export type NameAnswer = readonly string[] | "NXDOMAIN" | "SERVFAIL";

export interface NameServer {
  /** `127.0.0.1:<port>` */
  readonly hostPort: string;
  /** Names that it was requested, in order, each once. */
  names(): readonly string[];
  /** Resolves when it has been requested that many different names. */
  askedFor(count: number): Promise<void>;
  close(): void;
}

const [A, AAAA] = [1, 28];

/**
 * Starts one. A key is a name, such as `good.test`, or a name and a type for which it is silent or answers apart, such as
 * `good.test AAAA`.
 */
export async function startNameServer(
  answers: Readonly<Record<string, NameAnswer | "silent">> = {},
): Promise<NameServer> {
  const socket = createSocket("udp4");
  const names = new Set<string>();
  const watchers = new Set<() => void>();
  socket.on("message", (query, { port, address }) => {
    const { name, type, question } = parseQuestion(query);
    names.add(name);
    for (const check of [...watchers]) check();
    const answer = answers[`${name} ${type === AAAA ? "AAAA" : "A"}`] ?? answers[name] ?? "silent";
    if (answer !== "silent") socket.send(response(query, question, type, answer), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return {
    hostPort: `127.0.0.1:${socket.address().port}`,
    names: () => [...names],
    askedFor: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (names.size < count) return;
          watchers.delete(check);
          resolve();
        };
        watchers.add(check);
        check();
      }),
    close: () => void socket.close(),
  };
}

function parseQuestion(query: Buffer): { name: string; type: number; question: Buffer } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join("."), type: query.readUInt16BE(at + 1), question: query.subarray(12, at + 5) };
}

function response(query: Buffer, question: Buffer, type: number, answer: NameAnswer): Buffer {
  const addresses = typeof answer === "string" ? [] : answer.filter((each) => isIPv6(each) === (type === AAAA));
  const code = answer === "NXDOMAIN" ? 3 : answer === "SERVFAIL" ? 2 : 0;
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 | code, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(type === A || type === AAAA ? addresses.length : 0, 6);
  const records = addresses.map((address) => {
    const data = ipaddr.parse(address).toByteArray();
    // A pointer to the name of the question, the type, the class IN, and a TTL of 60 s.
    return Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length, ...data]);
  });
  return Buffer.concat([header, question, ...records]);
}
