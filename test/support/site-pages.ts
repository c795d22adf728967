// The pages of the fixture site, each named after what it does. Colours and places are part of the names' promise.
import type { ServerResponse } from "node:http";

/** Answers by itself, or returns the HTML of an answer with status 200. */
type Page = (query: URLSearchParams, answer: ServerResponse) => string | undefined;

export const RED = [255, 0, 0];
export const GREEN = [0, 128, 0];
export const WHITE = [255, 255, 255];
export const BLACK = [0, 0, 0];

/** Place of the box of `/box` and of the pages that paint it green, in CSS pixels. */
export const BOX = { x: 40, y: 30, width: 100, height: 50 };

export const BAND_HEIGHT = 100;

/** Colour of a band of `/bands`: no two neighbours are alike, and each of the first 200 is different. */
export function bandColour(band: number): number[] {
  return [(band * 67) % 256, (band * 29) % 256, band % 2 === 0 ? 200 : 40];
}

const box = `<div id="box" style="position:absolute;left:${BOX.x}px;top:${BOX.y}px;width:${BOX.width}px;height:${BOX.height}px;background:red"></div>`;
const paintGreen = `document.getElementById("box").style.background = "green";`;

export const pages: Readonly<Record<string, Page>> = {
  /** A red box, nothing else. */
  "/box": () => document(box),

  /** `count` bands of 100 px (30 unless told), each in its `bandColour`, with the ids band-0, band-1, … */
  "/bands": (query) => {
    const bands = Array.from({ length: Number(query.get("count") ?? 30) }, (_, band) => {
      return `<div id="band-${band}" style="height:${BAND_HEIGHT}px;background:rgb(${bandColour(band)})"></div>`;
    });
    return document(bands.join(""));
  },

  /** Black for who prefers dark, green for who prefers light, red for who has no preference. */
  "/color-scheme": () =>
    document(
      `<style>body{background:red} @media (prefers-color-scheme:dark){body{background:black}} @media (prefers-color-scheme:light){body{background:green}}</style>`,
    ),

  /** A hidden card, a card without size, and after them a visible one, which is green. */
  "/cards": () =>
    document(
      `<p class="card" style="display:none">no box</p><p class="card" style="width:0;height:0"></p><div class="card" style="margin:20px;width:60px;height:40px;background:green"></div><p id="hidden" hidden>hidden</p>`,
    ),

  /** Adds a green box with the id `late` after `after` ms. */
  "/late-element": (query) =>
    document(
      `<script>setTimeout(() => { document.body.innerHTML = '${box.replace("red", "green").replace('"box"', '"late"')}' }, ${Number(query.get("after") ?? 300)})</script>`,
    ),

  /** The box turns green after `after` ms, with nothing on the network meanwhile. */
  "/green-later": (query) =>
    document(`${box}<script>setTimeout(() => { ${paintGreen} }, ${Number(query.get("after") ?? 300)})</script>`),

  /** The box turns green at the load event, which waits for an image that comes after `after` ms, or never. */
  "/green-on-load": (query) =>
    document(
      `${box}<img src="/image?after=${query.get("after") ?? ""}"><script>onload = () => { ${paintGreen} }</script>`,
    ),

  /** The box turns green when a request that began after the load event is answered after `after` ms, or never. */
  "/green-after-fetch": (query) =>
    document(
      `${box}<script>onload = async () => { await fetch("/image?after=${query.get("after") ?? ""}"); ${paintGreen} }</script>`,
    ),

  /** `count` images (1 unless told) that never arrive below the box. */
  "/images-never-arrive": (query) =>
    document(
      box + Array.from({ length: Number(query.get("count") ?? 1) }, (_, n) => `<img src="/image?n=${n}">`).join(""),
    ),

  /** An image after `after` ms; without it, never. */
  "/image": (query, answer) => {
    const after = query.get("after") ?? "";
    if (after === "") return undefined;
    setTimeout(() => answer.setHeader("content-type", "image/svg+xml").end(GREEN_SVG), Number(after));
    return undefined;
  },

  /** Scripts, styles and requests all answered, but a beacon every 100 ms for ever. */
  "/beacons": () => document(`${box}<script>setInterval(() => navigator.sendBeacon("/empty-204"), 100)</script>`),

  /** Answers the status `status` (503 unless told) with the red box. */
  "/status": (query, answer) => {
    answer.statusCode = Number(query.get("status") ?? 503);
    return document(box);
  },
  "/not-found": (_, answer) => {
    answer.statusCode = 404;
    return document(box);
  },
  "/empty-500": (_, answer) => void answer.writeHead(500).end(),
  "/empty-204": (_, answer) => void answer.writeHead(204).end(),
  "/never-answers": () => undefined,
  "/breaks-off": (_, answer) => {
    answer.writeHead(200, { "content-type": "text/html", "content-length": 10_000 });
    answer.write("<p>so far", () => answer.destroy());
    return undefined;
  },
  "/download": (_, answer) => {
    answer.writeHead(200, { "content-type": "application/zip", "content-disposition": "attachment; filename=a.zip" });
    return void answer.end("PK");
  },
  "/json": (_, answer) => void answer.writeHead(200, { "content-type": "application/json" }).end('{"a":1}'),

  /** Redirects to `to`, or to the red box. */
  "/redirect": (query, answer) => void answer.writeHead(302, { location: query.get("to") ?? "/box" }).end(),
  "/redirects-for-ever": (_, answer) => void answer.writeHead(302, { location: "/redirects-for-ever" }).end(),

  /** Goes to `to`, or to the red box, in the way `how` names. */
  "/leaves": (query) => {
    const to = query.get("to") ?? "/box";
    return document(leaving[query.get("how") ?? "by location"]?.(to) ?? "");
  },
  "/navigates-for-ever": () =>
    document(`<script>setTimeout(() => { location.href = "/navigates-for-ever?" + Math.random() }, 30)</script>`),

  /** A red box, and a file to download that it begins by itself. */
  "/begins-download": () => document(`${box}<script>location.href = "/download"</script>`),

  "/script-for-ever": () => document(`${box}<script>for (;;);</script>`),
  "/alert": () => document(`<script>alert(1); confirm(2); prompt(3)</script>${box}`),

  /** Takes 10 MB more every 10 ms. */
  "/memory-bomb": () =>
    document(`<script>const hoard = []; setInterval(() => hoard.push(new Uint8Array(1e7).fill(1)), 10)</script>`),

  /** `width` × `height` pixels that no image format can make smaller: 3600 × 3000 are a PNG of more than 30 MB. */
  "/noise": (query) => {
    const [width, height] = [Number(query.get("width") ?? 3600), Number(query.get("height") ?? 3000)];
    return document(`<canvas width="${width}" height="${height}" style="display:block"></canvas><script>
      const context = document.querySelector("canvas").getContext("2d");
      const image = context.createImageData(${width}, ${height});
      const words = new Uint32Array(image.data.buffer);
      for (let index = 0, seed = 1; index < words.length; index++) {
        seed ^= seed << 13; seed ^= seed >>> 17; seed ^= seed << 5;
        words[index] = seed | 0xff000000;
      }
      context.putImageData(image, 0, 0);
    </script>`);
  },

  /** Reaches for each address in `to` in the way `how` names. */
  "/reaches": (query) => {
    const reach = reaching[query.get("how") ?? ""];
    return document(
      query
        .getAll("to")
        .map((to) => reach?.(to) ?? "")
        .join(""),
    );
  },
};

const script = (text: string) => `<script>${text}</script>`;
const workerOf = (text: string) => `URL.createObjectURL(new Blob([${JSON.stringify(text)}]))`;
const asWebSocket = (to: string) => to.replace(/^http/, "ws");

/** Ways in which a page asks for something at another address while it stays where it is. */
export const reaching: Readonly<Record<string, (to: string) => string>> = {
  "an iframe": (to) => `<iframe src="${to}"></iframe>`,
  "an image": (to) => `<img src="${to}">`,
  "a script": (to) => `<script src="${to}"></script>`,
  "a module": (to) => `<script type="module">import("${to}").catch(() => 0)</script>`,
  "a style sheet": (to) => `<link rel="stylesheet" href="${to}">`,
  "a CSS import": (to) => `<style>@import url("${to}");</style>`,
  "a CSS url()": (to) => `<div style="width:9px;height:9px;background:url('${to}')"></div>`,
  "a font": (to) =>
    `<style>@font-face{font-family:"${to}";src:url("${to}")}</style><p style="font-family:'${to}'">x</p>`,
  "a video": (to) => `<video src="${to}" preload="auto"></video>`,
  "an object": (to) => `<object data="${to}"></object>`,
  "an embed": (to) => `<embed src="${to}">`,
  "an SVG image": (to) => `<svg><image href="${to}" width="9" height="9"/></svg>`,
  "a preload": (to) => `<link rel="preload" as="image" href="${to}">`,
  fetch: (to) => script(`fetch("${to}").catch(() => 0)`),
  "fetch without CORS": (to) => script(`fetch("${to}", { mode: "no-cors" }).catch(() => 0)`),
  XMLHttpRequest: (to) => script(`{ const xhr = new XMLHttpRequest(); xhr.open("GET", "${to}"); xhr.send() }`),
  "a synchronous XMLHttpRequest": (to) =>
    script(`try { const xhr = new XMLHttpRequest(); xhr.open("GET", "${to}", false); xhr.send() } catch {}`),
  EventSource: (to) => script(`new EventSource("${to}")`),
  WebSocket: (to) => script(`new WebSocket("${asWebSocket(to)}")`),
  sendBeacon: (to) => script(`navigator.sendBeacon("${to}", "x")`),
  "fetch in a worker": (to) => script(`new Worker(${workerOf(`fetch("${to}").catch(() => 0)`)})`),
  "WebSocket in a worker": (to) => script(`new Worker(${workerOf(`new WebSocket("${asWebSocket(to)}")`)})`),
  "a form post in a frame": (to) => {
    const name = `frame-${encodeURIComponent(to)}`;
    return `<iframe name="${name}"></iframe><form method="post" action="${to}" target="${name}"></form>${script("document.forms[document.forms.length - 1].submit()")}`;
  },
  "a redirected image": (to) => `<img src="/redirect?to=${encodeURIComponent(to)}">`,
  "a redirected fetch": (to) =>
    script(`fetch("/redirect?to=" + encodeURIComponent("${to}"), { mode: "no-cors" }).catch(() => 0)`),
  "a frame in a frame": (to) => `<iframe srcdoc="<iframe src='${to}'></iframe>"></iframe>`,
};

/** Ways in which a page leaves for another address. */
export const leaving: Readonly<Record<string, (to: string) => string>> = {
  "by location": (to) => script(`location.href = "${to}"`),
  "by location.replace": (to) => script(`location.replace("${to}")`),
  "by meta refresh": (to) => `<meta http-equiv="refresh" content="0;url=${to}">`,
  "by a form post": (to) => `<form method="post" action="${to}"></form>${script("document.forms[0].submit()")}`,
  "by a clicked link": (to) => `<a href="${to}">x</a>${script("document.links[0].click()")}`,
};

/** Ways that are closed for every address, allowed or not: they would lead past the proxy or out of the page. */
export const closedWays: Readonly<Record<string, (to: string) => string>> = {
  "window.open": (to) => script(`window.open("${to}")`),
  "a link to a new window": (to) => `<a href="${to}" target="_blank">x</a>${script("document.links[0].click()")}`,
  "a WebRTC data channel over STUN": (to) => script(dataChannel(`stun:${new URL(to).host}`)),
  "a WebRTC data channel over TURN": (to) => script(dataChannel(`turn:${new URL(to).host}?transport=udp`)),
};

function dataChannel(server: string): string {
  return `{
    const peer = new RTCPeerConnection({ iceServers: [{ urls: "${server}", username: "u", credential: "c" }] });
    peer.createDataChannel("x");
    peer.createOffer().then((offer) => peer.setLocalDescription(offer));
  }`;
}

const GREEN_SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><rect width="20" height="20" fill="green"/></svg>`;

/** A page without margins on a white ground. */
function document(body: string): string {
  return `<!doctype html><title>Fixture</title><style>body{margin:0}</style>${body}`;
}
