// Virtual time: what a page does with its clock has happened in the image, and pages that need real time get it.
import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decode } from "../../fixtures/png.ts";
import { type Site, startSite } from "../../fixtures/site.ts";
import { GREEN } from "../../fixtures/site-pages.ts";
import { captureWith } from "../../support/chromium.ts";
import { sampled, slowDescribe, slowTest } from "../../support/slow-run.ts";

type Options = Readonly<Record<string, unknown>>;
const window = { viewport_width: 400, viewport_height: 300 };

/** How long the server takes for what its pages wait for, in milliseconds. */
const SERVER_MS = 800;

let server: Server;
let hostPort: string;

beforeAll(async () => {
  server = createServer(async ({ url = "" }, response) => {
    if (url === "/events") {
      response.writeHead(200, { "Content-Type": "text/event-stream" }).flushHeaders();
      await sleep(SERVER_MS);
      response.write("data: green\n\n");
    } else if (url === "/poll") {
      await sleep(SERVER_MS);
      response.end("green");
    } else if (url === "/video.webm") {
      const { body } = await captureWith({ ...window, html: "<p>A video", format: "webm", video_duration: 1 });
      response.writeHead(200, { "Content-Type": "video/webm" }).end(body);
    } else response.writeHead(200, { "Content-Type": "text/html" }).end(pages[url]);
  });
  server.on("upgrade", async ({ headers }, socket) => {
    const accept = createHash("sha1").update(`${headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`);
    socket.on("error", () => undefined);
    socket.write(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
        `Sec-WebSocket-Accept: ${accept.digest("base64")}\r\n\r\n`,
    );
    await sleep(SERVER_MS);
    socket.write(Buffer.from([0x81, 5, ...Buffer.from("green")])); // a text frame
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  hostPort = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** A page whose script ends with `done()`, which makes it green. */
const page = (script: string) => `<!doctype html><p>Waiting</p><script>
  const done = () => { document.body.id = "done"; document.body.style.background = "green" };
  ${script}</script>`;

const pages: Readonly<Record<string, string>> = {
  "/socket": page(`new WebSocket("/chat").onmessage = done`),
  "/stream": page('new EventSource("/events").onmessage = done'),
  "/polls": page('fetch("/poll").then(done)'),
  "/polls-later": page('setTimeout(() => fetch("/poll").then(done), 300)'),
  "/computes": page(`
    const code = "const start = performance.now(); while (performance.now() - start < 500); postMessage(1)";
    new Worker(URL.createObjectURL(new Blob([code]))).onmessage = done`),
  "/plays": page(`
    const video = Object.assign(document.createElement("video"), { src: "/video.webm", muted: true, width: 100, onended: done });
    document.body.append(video);
    video.play()`),
  "/spins": page(`setTimeout(() => { const end = Date.now() + 300; while (Date.now() < end); done() }, 200)`),
};

const groundOf = async (options: Options) => {
  const { body } = await captureWith({ ...window, timeout: 20, ...options }, { allow: [hostPort] });
  return (await decode(body)).colourAt(390, 290);
};

describe("virtual time", () => {
  test("lets a delay pass that would take most of the timeout", async () => {
    const html = page("setTimeout(done, 9_000)");
    expect(await groundOf({ html, delay: 9.9, timeout: 10 })).toEqual(GREEN);
  });

  sampled(test, 8).each([
    ["a canvas", "frame"],
    ["the style of an element", "style"],
  ])("shows %s as it is at the end of an animation by script", async (_, target) => {
    const html = `<!doctype html><body style="margin:0"><canvas width=400 height=300 style="width:400px;height:300px"></canvas><script>
      const canvas = document.querySelector("canvas"), context = canvas.getContext("2d"), start = performance.now();
      const draw = () => {
        const progress = Math.min(1, (performance.now() - start) / 1000);
        if ("${target}" === "frame") { context.fillStyle = "green"; context.fillRect(0, 0, 400 * progress, 300 * progress) }
        else canvas.style.background = progress < 1 ? "rgb(" + 250 * progress + ",0,0)" : "green";
        if (progress < 1) requestAnimationFrame(draw);
      };
      requestAnimationFrame(draw)</script>`;
    expect(await groundOf({ html })).toEqual(GREEN);
  });
});

slowDescribe("banners and dialogs are closed on a page that settles in virtual time", () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
  });
  afterAll(() => site.close());

  // In real time, the delay would not leave enough of the timeout to close anything.
  const slow = { ...window, delay: 17, timeout: 22 };

  test("the banner of a consent platform", async () => {
    const options = { ...slow, url: `${site.origin}/consent/onetrust`, block_cookie_banners: true };
    const { metadata } = await captureWith(options, { allow: [site.hostPort], isTimedFromLaunch: true });
    expect(metadata.blocked).toMatchObject({ cookie_banner: { platform: "OneTrust", closed_by: "rejecting" } });
  });

  test("a dialog that no list knows", async () => {
    const url = `${site.origin}/covered?page=${encodeURIComponent("a letter with a cross")}`;
    const options = { ...slow, url, block_banners_by_heuristics: true };
    const { metadata } = await captureWith(options, { allow: [site.hostPort], isTimedFromLaunch: true });
    expect(metadata.blocked).toMatchObject({ dialogs: 1 });
  });
});

describe("real time is kept for a page", () => {
  sampled(test, 16).each([
    ["that gets a message over a WebSocket", "/socket"],
    ["that gets a server-sent event", "/stream"],
    ["that waits for a long poll", "/polls"],
    ["that starts a long poll after it has loaded", "/polls-later"],
    ["whose worker computes", "/computes"],
    ["whose video plays to its end", "/plays"],
  ])("%s", async (_, path) => {
    expect(await groundOf({ url: `http://${hostPort}${path}`, wait_for_selector: "#done" })).toEqual(GREEN);
  });

  slowTest("that waits for its clock in a loop", async () => {
    expect(await groundOf({ url: `http://${hostPort}/spins`, delay: 1 })).toEqual(GREEN);
  });
});
