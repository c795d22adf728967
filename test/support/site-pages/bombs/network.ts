// Bombs of the network: endless, slow and highly compressed responses, and floods.
import type { ServerResponse } from "node:http";
import type { Pages } from "../page.ts";
import { list, script } from "../page.ts";
import { type Bombs, harmless, heavy, inBlob, never, type Outcome, stopped } from "./bomb.ts";
import { type Coding, packed } from "./packed.ts";

const addresses = (count: number, path: string) => `Array.from({ length: ${count} }, (_, n) => "${path}" + n)`;
const unpacked: readonly Outcome[] = ["captured", ...stopped, "TARGET_UNREACHABLE"];

export const networkBombs: Bombs = {
  "no end": { page: (_, answer) => endless(answer, "text/html", "<p>x".repeat(4_000)), ends: stopped },
  "a byte every second": { page: (_, answer) => trickle(answer, "text/html"), ends: never },
  "headers that never end": {
    page: (_, answer) => {
      const { socket } = answer;
      socket?.write("HTTP/1.1 200 OK\r\n");
      const timer = setInterval(() => socket?.write(`x-${Math.random()}: ${"x".repeat(2_000)}\r\n`), 1);
      socket?.once("close", () => clearInterval(timer)).on("error", () => undefined);
      return undefined;
    },
    ends: ["TARGET_UNREACHABLE", "CAPTURE_TIMEOUT"],
  },
  "a script that comes byte by byte": {
    page: `<script src="/bomb/trickle?type=text/javascript"></script>`,
    ends: never,
  },
  "a sheet without an end": { page: `<link rel=stylesheet href="/bomb/endless?type=text/css">`, ends: heavy },
  "a picture without an end": { page: `<img src="/bomb/endless?type=image/png">`, ends: heavy },
  "a film without an end": {
    page: `<video autoplay src="/bomb/endless?type=video/mp4"></video><audio autoplay src="/bomb/endless?type=audio/mpeg"></audio>`,
    ends: heavy,
  },
  "10,000 requests": { page: script(`${addresses(10_000, "/empty-204?")}.map((url) => fetch(url))`), ends: heavy },
  "requests for ever from a worker": {
    page: script(
      `new Worker(${inBlob("const again = () => fetch(origin + '/empty-204').then(again, again); for (let n = 0; n < 50; n++) again()")})`,
    ),
    ends: heavy,
  },
  "requests as large as novels": {
    page: script("setInterval(() => fetch('/empty-204', { method: 'POST', body: 'x'.repeat(2e7) }), 20)"),
    ends: heavy,
  },
  "10,000 sockets": { page: script(`${addresses(10_000, "/socket?")}.map((url) => new WebSocket(url))`), ends: heavy },
  "messages through a socket for ever": {
    page: script(
      "const socket = new WebSocket('/socket'); socket.onopen = () => setInterval(() => { for (let n = 0; n < 99; n++) socket.send('x'.repeat(1e5)) }, 5)",
    ),
    ends: heavy,
  },
  "1,000 connections of WebRTC": {
    page: script(
      "for (let n = 0; n < 1000; n++) try { const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:9' }] }); peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer)) } catch {}",
    ),
    ends: harmless,
  },
  "10,000 hints": {
    page: list(10_000, (n) => `<link rel=preload as=image href="/empty-204?${n}">`).join(""),
    ends: heavy,
  },
  "1,000 fonts that nobody sends": {
    page: list(
      1_000,
      (n) => `<style>@font-face{font-family:f${n};src:url(/never-answers?${n})}</style><p style="font-family:f${n}">x`,
    ).join(""),
    ends: harmless,
  },
  "a gigabyte of elements, packed by gzip": {
    page: (_, answer) => unpacking(answer, "gzip", "text/html", "<p>x"),
    ends: unpacked,
  },
  "a gigabyte of blanks, packed by brotli": {
    page: (_, answer) => unpacking(answer, "br", "text/html", "  "),
    ends: unpacked,
  },
  "a gigabyte of text, packed by zstd": {
    page: (_, answer) => unpacking(answer, "zstd", "text/html", "x "),
    ends: unpacked,
  },
  "a gigabyte of text, packed by deflate": {
    page: (_, answer) => unpacking(answer, "deflate", "text/html", "x "),
    ends: unpacked,
  },
  "a gigabyte of style": {
    page: `<link rel=stylesheet href="/bomb/packed?coding=br&type=text/css&of=a%7B%7D%20">`,
    ends: heavy,
  },
  "a gigabyte fetched": {
    page: script(
      "fetch('/bomb/packed?coding=gzip&type=text/plain&of=xx').then((answer) => answer.text()).then((text) => { window.kept = text })",
    ),
    ends: heavy,
  },
};

/** What the bombs load. */
export const networkPages: Pages = {
  "/bomb/endless": (query, answer) => endless(answer, query.get("type") ?? "", "x".repeat(16_000)),
  "/bomb/trickle": (query, answer) => trickle(answer, query.get("type") ?? ""),
  "/bomb/packed": (query, answer) =>
    unpacking(answer, query.get("coding") as Coding, query.get("type") ?? "", query.get("of") ?? ""),
};

/** As fast as it is taken. */
function endless(answer: ServerResponse, type: string, chunk: string): undefined {
  answer.writeHead(200, { "content-type": type });
  const more = () => {
    while (!answer.destroyed && answer.write(chunk));
  };
  answer.on("drain", more);
  more();
}

const TRICKLE_MS = 1_000;

function trickle(answer: ServerResponse, type: string): undefined {
  answer.writeHead(200, { "content-type": type });
  const timer = setInterval(() => answer.write(" "), TRICKLE_MS);
  answer.on("close", () => clearInterval(timer)).write(" ");
}

function unpacking(answer: ServerResponse, coding: Coding, type: string, pattern: string): undefined {
  void packed(coding, Buffer.from(pattern.repeat(2 ** 20 / pattern.length)), 1024).then((body) =>
    answer.writeHead(200, { "content-type": type, "content-encoding": coding }).end(body),
  );
}
