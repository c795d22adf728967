// Webhook HTTP client: the request that a receiver gets, which responses count, and rejected addresses.
import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type AllowedOrigins, parseAllowedOrigins } from "../../../lib/engine/egress/egress-policy.ts";
import { sendWebhook, type WebhookTransport } from "../../../lib/service/webhooks/webhook-client.ts";
import { selfSigned } from "../../fixtures/self-signed.ts";
import { closedPort, startTcp, startTrap, type Trap } from "../../fixtures/site.ts";
import { receivedAt, startWebhookReceiver, type WebhookReceiver } from "../../fixtures/webhook-receiver.ts";

const message = { headers: { "Content-Type": "application/json", "webhook-id": "capture_1_2_3" }, body: `{"a":"ü"}` };
const nowhere: AllowedOrigins = new Set();
const isRefused = {
  http_status_code: null,
  error: "The address of the receiver is not allowed: it must be public, and https.",
};

let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
});
afterAll(() => receiver.close());

const post = (url: string, way: Partial<WebhookTransport> = {}) =>
  sendWebhook(url, message, { allowed: nowhere, ...way });
const allowing = (port: number) => ({ allowed: parseAllowedOrigins(`127.0.0.1:${port}`) });
const toReceiver = (path: string) =>
  post(`${receiver.origin}/to/${path}`, { allowed: parseAllowedOrigins(receiver.hostPort) });

describe("webhook delivery: a receiver", () => {
  test("gets the message unchanged, once, in a request that closes the connection", async () => {
    const before = Date.now();
    const delivery = await toReceiver("plain?token=x%20y&b");
    expect(delivery).toEqual({
      at: expect.any(String),
      http_status_code: 204,
      error: null,
      duration_ms: expect.any(Number),
    });
    expect(Date.parse(delivery.at)).toBeGreaterThanOrEqual(before);
    const requests = await receivedAt(receiver.origin, "plain");
    expect(requests).toEqual([
      {
        method: "POST",
        path: "/to/plain?token=x%20y&b",
        headers: {
          "content-type": "application/json",
          "content-length": "10",
          "webhook-id": "capture_1_2_3",
          host: receiver.hostPort,
          connection: "close",
        },
        body: message.body,
        port: expect.any(Number),
      },
    ]);
  });

  test("gets the user name and password of its URL as credentials", async () => {
    const url = `${receiver.origin.replace("//", "//me:p%40ss@")}/to/signed-in`;
    await post(url, { allowed: parseAllowedOrigins(receiver.hostPort) });
    const [request] = await receivedAt(receiver.origin, "signed-in");
    expect(request?.headers.authorization).toBe(`Basic ${Buffer.from("me:p@ss").toString("base64")}`);
  });

  test.each([200, 201, 202, 204])("that responds %d accepts it", async (status) => {
    expect(await toReceiver(`ok?answers=${status}`)).toMatchObject({ http_status_code: status, error: null });
  });

  test.each([
    [400, "The receiver answered with 400 instead of 2xx."],
    [410, "The receiver answered with 410, which means that it wants no more attempts."],
    [500, "The receiver answered with 500 instead of 2xx."],
  ])("that responds %d does not accept it", async (status, error) => {
    expect(await toReceiver(`no?answers=${status}`)).toMatchObject({ http_status_code: status, error });
  });

  test.each([301, 302, 303, 307, 308])(
    "that redirects with %d does not accept it, and the redirect is not followed",
    async (status) => {
      expect(await toReceiver(`moved${status}?answers=${status}`)).toMatchObject({
        http_status_code: status,
        error: `The receiver answered with ${status}; redirects are not followed.`,
      });
      expect(await receivedAt(receiver.origin, `moved${status}-redirected`)).toEqual([]);
    },
  );
});

describe("webhook delivery: a server", () => {
  /** Sends to a server that runs this on each connection, once a request starts to arrive. */
  async function postTo(answer: (socket: Socket) => unknown, way: Partial<WebhookTransport> = {}) {
    const server = await startTcp((socket) => socket.once("data", () => answer(socket)));
    onTestFinished(() => server.close());
    return post(`http://127.0.0.1:${server.port}/`, { ...allowing(server.port), ...way });
  }
  /** Repeats the text until the connection closes. */
  const repeat = (socket: Socket, text: string) => {
    const timer = setInterval(() => socket.write(text), 1);
    socket.on("close", () => clearInterval(timer));
  };
  const broke = { http_status_code: null, error: "The connection to the receiver closed before it responded." };
  const late = { http_status_code: null, error: "There was no answer within 0.3 seconds." };

  test.each<[string, string, object]>([
    ["nothing", "", broke],
    ["half a status", "HTTP/1.1 2", broke],
    ["no HTTP", "SSH-2.0-OpenSSH_9.9\r\n", { http_status_code: null, error: "The receiver's response is not HTTP." }],
    [
      "headers without end",
      `HTTP/1.1 200 OK\r\nx: ${"x".repeat(100_000)}\r\n\r\n`,
      { http_status_code: null, error: "The receiver's response is not HTTP." },
    ],
    ["an upgrade", "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n", broke],
    ["half a body", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", { http_status_code: 200, error: null }],
  ])("that sends %s and closes", async (_, text, expected) => {
    expect(await postTo((socket) => socket.end(text))).toMatchObject(expected);
  });

  test("that never responds is limited by the deadline", async () => {
    expect(await postTo(() => undefined, { timeoutMs: 300 })).toMatchObject(late);
  });

  test("that sends informational responses without end is limited by the deadline", async () => {
    const answer = (socket: Socket) => repeat(socket, "HTTP/1.1 103 Early Hints\r\n\r\n");
    expect(await postTo(answer, { timeoutMs: 300 })).toMatchObject(late);
  });

  test("that drips its headers is limited by the deadline", async () => {
    const answer = (socket: Socket) => {
      socket.write("HTTP/1.1 200 OK\r\nX-Slow: ");
      repeat(socket, "x");
    };
    expect(await postTo(answer, { timeoutMs: 300 })).toMatchObject(late);
  });

  test("that drips its body has responded, and is not waited for", async () => {
    const answer = (socket: Socket) => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      repeat(socket, "x");
    };
    expect(await postTo(answer, { timeoutMs: 1_500 })).toMatchObject({ http_status_code: 200, error: null });
  });

  test("that sends an endless body is read for 64 KB and disconnected", async () => {
    const closed = Promise.withResolvers<number>();
    const answer = (socket: Socket) => {
      socket.on("close", () => closed.resolve(socket.bytesWritten));
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      const pour = () => {
        while (!socket.destroyed && socket.write("x".repeat(10_000)));
      };
      socket.on("drain", pour);
      pour();
    };
    expect(await postTo(answer)).toMatchObject({ http_status_code: 200, error: null });
    expect(await closed.promise).toBeLessThan(20_000_000); // plus the system's socket buffers
  });

  test("that does not listen cannot be connected to", async () => {
    const port = await closedPort();
    const error = "The receiver cannot be connected to.";
    expect(await post(`http://127.0.0.1:${port}/`, allowing(port))).toMatchObject({ http_status_code: null, error });
  });

  test("whose name does not resolve is reported", async () => {
    const resolve = () => Promise.reject(new Error("ENOTFOUND"));
    const error = "The host name of the receiver does not resolve.";
    expect(await post("https://receiver.test/", { resolve })).toMatchObject({ http_status_code: null, error });
  });
});

describe("webhook delivery: an address that is not public", () => {
  let trap: Trap;
  beforeAll(async () => {
    trap = await startTrap();
  });
  afterAll(() => trap.close());

  test.each([
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0.0.0.0",
    "localhost",
    "receiver.localhost.",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[::]",
    "169.254.169.254",
    "10.0.0.1",
    "[fd00:ec2::254]",
  ])("such as %s gets no request, by https or http", async (host) => {
    expect(await post(`https://${host}:${trap.port}/`)).toMatchObject(isRefused);
    expect(await post(`http://${host}:${trap.port}/`)).toMatchObject(isRefused);
    expect(trap.connections).toBe(0);
  });

  test.each([[["127.0.0.1"]], [["::1"]], [["93.184.215.14", "127.0.0.1"]], [["10.1.2.3"]]])(
    "is not reached by a name that resolves to %j",
    async (addresses) => {
      const resolve = async () => addresses;
      expect(await post(`https://receiver.test:${trap.port}/`, { resolve })).toMatchObject(isRefused);
      expect(trap.connections).toBe(0);
    },
  );

  test("is not the only one rejected for plain http: that goes to allowed origins only", async () => {
    const resolve = async () => ["93.184.215.14"];
    expect(await post("http://receiver.test/", { resolve })).toMatchObject(isRefused);
    expect(await post("http://93.184.215.14/")).toMatchObject(isRefused);
  });

  test("is not reached on another port than the allowed one", async () => {
    const { hostPort } = receiver;
    const way = { allowed: parseAllowedOrigins(hostPort) };
    expect(await post(`http://127.0.0.1:${trap.port}/`, way)).toMatchObject(isRefused);
    expect(trap.connections).toBe(0);
  });
});

describe("webhook delivery: https", () => {
  const authorities = getCACertificates("default");
  const requests: (string | undefined)[] = [];
  const server = createServer(selfSigned, (request, answer) => {
    requests.push(request.headers.host);
    answer.end("thanks");
  });
  let port: number;
  beforeAll(async () => {
    await once(server.listen(0, "127.0.0.1"), "listening");
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(() => server.close());

  const postTo = (host: string) =>
    post(`https://${host}:${port}/`, { ...allowing(port), resolve: async () => ["127.0.0.1"] });
  const trustTheCertificate = () => {
    setDefaultCACertificates([...authorities, selfSigned.cert]);
    onTestFinished(() => setDefaultCACertificates(authorities));
  };

  test("with an untrusted certificate is rejected before anything is sent", async () => {
    const error = "The receiver's certificate or TLS is not valid (DEPTH_ZERO_SELF_SIGNED_CERT).";
    expect(await postTo("receiver.test")).toMatchObject({ http_status_code: null, error });
    expect(requests).toEqual([]);
  });

  test("with a certificate for another name or without an address is rejected", async () => {
    trustTheCertificate();
    const error = "The receiver's certificate or TLS is not valid (ERR_TLS_CERT_ALTNAME_INVALID).";
    expect(await postTo("other.test")).toMatchObject({ http_status_code: null, error });
    expect(await postTo("127.0.0.1")).toMatchObject({ http_status_code: null, error });
    expect(requests).toEqual([]);
  });

  test("with a valid certificate delivers the webhook", async () => {
    trustTheCertificate();
    expect(await postTo("receiver.test")).toMatchObject({ http_status_code: 200, error: null });
    expect(await postTo("receiver.test.")).toMatchObject({ http_status_code: 200, error: null });
    expect(requests).toEqual([`receiver.test:${port}`, `receiver.test.:${port}`]);
  });

  test("to a server that does not speak TLS is rejected", async () => {
    const { hostPort } = receiver;
    const delivery = await post(`https://${hostPort}/`, { allowed: parseAllowedOrigins(hostPort) });
    expect(delivery).toMatchObject({ http_status_code: null, error: expect.stringContaining("TLS is not valid") });
  });

  test("to a server that never completes the handshake is limited by the deadline", async () => {
    const silent = await startTcp(() => undefined);
    onTestFinished(() => silent.close());
    const way = { ...allowing(silent.port), timeoutMs: 300 };
    expect(await post(`https://127.0.0.1:${silent.port}/`, way)).toMatchObject({
      http_status_code: null,
      error: "There was no answer within 0.3 seconds.",
    });
  });
});
