// Pages that request other addresses, in every way a page can.
import { type Served, servedBy } from "../internal-network.ts";
import { document, type Pages, script } from "./page.ts";

export const wayPages: Pages = {
  /** Goes to `to`, or to the red box, in the way `how` names. */
  "/leaves": (query) => {
    const to = query.get("to") ?? "/box";
    return document(leaving[query.get("how") ?? "by location"]?.(to) ?? "");
  },
};

/** HTML that reaches for an address; `home` is the origin of an attack site, which may be reached. */
export type Way = (to: string, home: string) => string;
export type Ways = Readonly<Record<string, Way>>;

const attribute = (text: string) => text.replace(/&/g, "&amp;").replace(/"/g, "&quot;");
const framed = (html: string) => `<iframe srcdoc="${attribute(html)}"></iframe>`;
const frameOf = (address: string) => `<iframe src="${attribute(address)}"></iframe>`;
const styled = (declarations: string) => `<div style="width:9px;height:9px;${attribute(declarations)}">x</div>`;
const sheet = (rules: string) => `<style>${rules}</style>`;
const quietly = (expression: string) => script(`{ ${expression}.catch(() => 0) }`);
const tried = (statements: string) => script(`try { ${statements} } catch {}`);
const asWebSocket = (to: string) => to.replace(/^http/, "ws");
const withTls = (to: string) => to.replace(/^http/, "https");
const blobOf = (text: string, type = "text/javascript") =>
  `URL.createObjectURL(new Blob([${JSON.stringify(text).replaceAll("</", "<\\/")}], { type: "${type}" }))`;
const inWorker = (text: string) => tried(`new Worker(${blobOf(text)})`);
const svg = (inside: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">${inside}</svg>`;
const name = (to: string) => `to-${to.replace(/\W+/g, "-")}`;
const redirected = (home: string, to: string, status = 302) =>
  servedBy(home, { status, headers: { location: to, "access-control-allow-origin": "*" } });
const framedAnswer = (home: string, what: Served) => frameOf(servedBy(home, what));

/** What a page stands still for. It comes first: later, all connections could wait for frames that wait for the page. */
const waiting: Ways = {
  "a synchronous XMLHttpRequest": (to) =>
    tried(`const xhr = new XMLHttpRequest(); xhr.open("GET", "${to}", false); xhr.send()`),
};

/** Markup that asks for something at another address. */
const elements: Ways = {
  "an iframe": frameOf,
  "an iframe without credentials": (to) => `<iframe credentialless src="${to}"></iframe>`,
  "a sandboxed iframe": (to) => `<iframe sandbox src="${to}"></iframe>`,
  "a lazy iframe": (to) => `<iframe loading="lazy" src="${to}"></iframe>`,
  "a frame in a frame": (to) => framed(frameOf(to)),
  "a frame set": (to) => framed(`<frameset><frame src="${to}"></frameset>`),
  "a frame of data": (to) => frameOf(`data:text/html,<img src="${to}">`),
  "a frame that a script makes": (to) => frameOf(`javascript:'<img src=${to}>'`),
  "a frame with a base address": (to) => framed(`<base href="${to}"><img src="x">`),
  "a refresh in a frame": (to) => framed(`<meta http-equiv="refresh" content="0;url=${to}">`),
  "an image": (to) => `<img src="${to}">`,
  "a set of images": (to) => `<img srcset="${to} 1x">`,
  "a picture": (to) => `<picture><source srcset="${to}"><img></picture>`,
  "an image button": (to) => `<input type="image" src="${to}">`,
  "a background attribute": (to) => `<table background="${to}"><tr><td>x</table>`,
  "a script": (to) => `<script src="${to}"></script>`,
  "a module": (to) => `<script type="module" src="${to}"></script>`,
  "an import map": (to) =>
    framed(`<script type="importmap">{"imports":{"x":"${to}"}}</script><script type="module">import "x"</script>`),
  "a style sheet": (to) => `<link rel="stylesheet" href="${to}">`,
  "an alternate style sheet": (to) => `<link rel="alternate stylesheet" title="x" href="${to}">`,
  "a preload": (to) => `<link rel="preload" as="image" href="${to}">`,
  "a preload of an image set": (to) => `<link rel="preload" as="image" imagesrcset="${to} 1x">`,
  "a preloaded module": (to) => `<link rel="modulepreload" href="${to}">`,
  "a prefetch": (to) => `<link rel="prefetch" href="${to}">`,
  "a compression dictionary": (to) => `<link rel="compression-dictionary" href="${to}">`,
  "speculation rules that prefetch": (to) =>
    `<script type="speculationrules">{"prefetch":[{"urls":["${to}"],"eagerness":"immediate"}]}</script>`,
  "speculation rules that prerender": (to) =>
    `<script type="speculationrules">{"prerender":[{"urls":["${to}"],"eagerness":"immediate"}]}</script>`,
  "a video": (to) => `<video src="${to}" preload="auto"></video>`,
  "a source of a video": (to) => `<video preload="auto"><source src="${to}"></video>`,
  "a poster of a video": (to) => `<video poster="${to}"></video>`,
  "a track of a video": (to) =>
    `<video crossorigin src="data:video/mp4,x"><track default kind="captions" src="${to}"></video>`,
  "an audio": (to) => `<audio src="${to}" preload="auto"></audio>`,
  "an object": (to) => `<object data="${to}"></object>`,
  "an object that is a drawing": (to) => `<object type="image/svg+xml" data="${to}"></object>`,
  "an embed": (to) => `<embed src="${to}">`,
};

/** Style sheets that ask for something at another address. */
const styles: Ways = {
  "a CSS import": (to) => sheet(`@import url("${to}");`),
  "a CSS import with conditions": (to) => sheet(`@import "${to}" layer(x) supports(display: block) screen;`),
  "a CSS import of an import": (to, home) =>
    sheet(`@import "${servedBy(home, { type: "text/css", body: `@import "${to}";` })}";`),
  "a background": (to) => styled(`background:url('${to}')`),
  "an image set": (to) => styled(`background-image:image-set(url('${to}') 1x)`),
  "a cross-fade": (to) => styled(`background-image:-webkit-cross-fade(url('${to}'),none,50%)`),
  "a border image": (to) => styled(`border:9px solid;border-image:url('${to}') 9`),
  "a list's bullet": (to) => `<ul><li style="list-style-image:url('${to}')">x</ul>`,
  "a cursor": (to) => styled(`cursor:url('${to}'),auto`),
  "generated content": (to) => `${sheet(`.${name(to)}::before{content:url("${to}")}`)}<p class="${name(to)}">x`,
  "a mask": (to) => styled(`mask:url('${to}')`),
  "a mask image": (to) => styled(`-webkit-mask-image:url('${to}')`),
  "a clip path": (to) => styled(`clip-path:url('${to}#x')`),
  "a shape": (to) => styled(`float:left;shape-outside:url('${to}')`),
  "a reflection": (to) => styled(`-webkit-box-reflect:below 0 url('${to}')`),
  "a custom property": (to) => styled(`--x:url('${to}');background:var(--x)`),
  "a font": (to) => `${sheet(`@font-face{font-family:"${to}";src:url("${to}")}`)}<p style="font-family:'${to}'">x`,
};

/** Drawings and XML that ask for something at another address. */
const drawings: Ways = {
  "an image in SVG": (to) => svg(`<image href="${to}" width="9" height="9"/>`),
  "an old image in SVG": (to) => svg(`<image xlink:href="${to}" width="9" height="9"/>`),
  "a filter's image in SVG": (to) =>
    svg(
      `<filter id="${name(to)}"><feImage href="${to}"/></filter><rect width="9" height="9" filter="url(#${name(to)})"/>`,
    ),
  "a script in SVG": (to) => svg(`<script href="${to}"></script>`),
  "a fill in SVG": (to) => svg(`<rect width="9" height="9" fill="url('${to}#x')"/>`),
  "HTML in SVG": (to) => svg(`<foreignObject width="9" height="9"><img src="${to}"/></foreignObject>`),
  "a style sheet of an SVG document": (to, home) =>
    framedAnswer(home, { type: "image/svg+xml", body: `<?xml-stylesheet href="${to}"?>${svg("")}` }),
  "an image of an SVG document": (to, home) =>
    framedAnswer(home, { type: "image/svg+xml", body: svg(`<image href="${to}" width="9" height="9"/>`) }),
  "a style sheet of XML": (to, home) =>
    framedAnswer(home, { type: "text/xml", body: `<?xml-stylesheet type="text/css" href="${to}"?><x/>` }),
  XHTML: (to, home) =>
    framedAnswer(home, {
      type: "application/xhtml+xml",
      body: `<html xmlns="http://www.w3.org/1999/xhtml"><body><img src="${to}"/></body></html>`,
    }),
  "a transformation of XML": (to, home) =>
    framedAnswer(home, {
      type: "text/xml",
      body: `<?xml-stylesheet type="text/xsl" href="${attribute(
        `/as?what=${encodeURIComponent(
          JSON.stringify({
            type: "text/xml",
            body: `<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/"><html><img src="${to}"/></html></xsl:template></xsl:stylesheet>`,
          }),
        )}`,
      )}"?><x/>`,
    }),
};

/** Answers of an allowed server that lead to another address. */
const answers: Ways = {
  ...Object.fromEntries(
    [301, 302, 303, 307, 308].map((status): [string, Way] => [
      `a redirect with ${status}`,
      (to, home) => `<img src="${redirected(home, to, status)}">`,
    ]),
  ),
  "a redirect of a redirect": (to, home) => `<img src="${redirected(home, redirected(home, to), 301)}">`,
  "a redirected frame": (to, home) => frameOf(redirected(home, to)),
  "a redirected fetch": (to, home) => quietly(`fetch("${redirected(home, to)}", { mode: "no-cors" })`),
  "a redirected post": (to, home) =>
    quietly(`fetch("${redirected(home, to, 307)}", { mode: "no-cors", method: "POST", body: "x" })`),
  "a redirected style sheet": (to, home) => `<link rel="stylesheet" href="${redirected(home, to)}">`,
  "a redirected script": (to, home) => `<script src="${redirected(home, to)}"></script>`,
  "a redirect to TLS": (to, home) => `<img src="${redirected(home, withTls(to))}">`,
  "a Refresh header": (to, home) => framedAnswer(home, { headers: { refresh: `0;url=${to}` } }),
  "a Link header that preloads": (to, home) =>
    framedAnswer(home, { headers: { link: `<${to}>; rel=preload; as=image` } }),
  "a report of a violated policy": (to, home) =>
    framedAnswer(home, {
      body: `<img src="/x">`,
      headers: { "content-security-policy": `default-src 'none'; report-uri ${to}` },
    }),
};

/** Scripts that ask for something at another address. */
const scripts: Ways = {
  fetch: (to) => quietly(`fetch("${to}")`),
  "fetch without CORS": (to) => quietly(`fetch("${to}", { mode: "no-cors" })`),
  "fetch with a preflight": (to) => quietly(`fetch("${to}", { headers: { "x-a": "b" } })`),
  "fetch that outlives the page": (to) => quietly(`fetch("${to}", { mode: "no-cors", keepalive: true })`),
  "fetch with TLS": (to) => quietly(`fetch("${withTls(to)}")`),
  XMLHttpRequest: (to) => script(`{ const xhr = new XMLHttpRequest(); xhr.open("GET", "${to}"); xhr.send() }`),
  EventSource: (to) => script(`new EventSource("${to}").onerror = ({ target }) => target.close()`),
  WebSocket: (to) => script(`new WebSocket("${asWebSocket(to)}")`),
  "WebSocket with TLS": (to) => script(`new WebSocket("${asWebSocket(withTls(to))}")`),
  WebSocketStream: (to) => tried(`new WebSocketStream("${asWebSocket(to)}").opened.catch(() => 0)`),
  sendBeacon: (to) => script(`navigator.sendBeacon("${to}", "x")`),
  "an image that a script makes": (to) => script(`new Image().src = "${to}"`),
  "a font that a script loads": (to) => quietly(`new FontFace("x", "url(${to})").load()`),
  "a dynamic import": (to) => quietly(`import("${to}")`),
  "an import of JSON": (to) => quietly(`import("${to}", { with: { type: "json" } })`),
  "a cache": (to) =>
    tried(`caches.open("x").then((cache) => cache.add(new Request("${to}", { mode: "no-cors" }))).catch(() => 0)`),
  "a paint worklet": (to) => tried(`CSS.paintWorklet.addModule("${to}").catch(() => 0)`),
  "an audio worklet": (to) =>
    tried(`new OfflineAudioContext(1, 9, 44100).audioWorklet.addModule("${to}").catch(() => 0)`),
  "fetch in a worker": (to) => inWorker(`fetch("${to}").catch(() => 0)`),
  "WebSocket in a worker": (to) => inWorker(`new WebSocket("${asWebSocket(to)}")`),
  "importScripts in a worker": (to) => inWorker(`importScripts("${to}")`),
  "fetch in a worker's worker": (to) => inWorker(`new Worker(${blobOf(`fetch("${to}").catch(() => 0)`)})`),
  "an import in a module worker": (to) => tried(`new Worker(${blobOf(`import "${to}"`)}, { type: "module" })`),
  "fetch in a shared worker": (to) => tried(`new SharedWorker(${blobOf(`fetch("${to}").catch(() => 0)`)})`),
  "fetch in a service worker": (to, home) =>
    serviceWorker(home, to, `self.oninstall = (event) => event.waitUntil(fetch("${to}"))`),
  "importScripts in a service worker": (to, home) => serviceWorker(home, to, `importScripts("${to}")`),
  "a frame of a blob": (to) =>
    script(
      `document.body.appendChild(document.createElement("iframe")).src = ${blobOf(`<img src="${to}">`, "text/html")}`,
    ),
  "a frame that is written": (to) =>
    script(`document.body.appendChild(document.createElement("iframe")).contentDocument.write('<img src="${to}">')`),
  "a frame that is sent away": (to) =>
    script(`document.body.appendChild(document.createElement("iframe")).contentWindow.location = "${to}"`),
  "a frame that is left by a link": (to) => framed(`<a href="${to}">x</a>${script("document.links[0].click()")}`),
  "a form in a frame": (to) => formTo(to, "get"),
  "a form post in a frame": (to) => formTo(to, "post"),
  "a download": (to) => framed(`<a download href="${to}">x</a>${script("document.links[0].click()")}`),
  "a WebRTC channel over TURN by TCP": (to) => script(dataChannel(`turn:${new URL(to).host}?transport=tcp`)),
  "a WebRTC channel over TURN by TLS": (to) => script(dataChannel(`turns:${new URL(to).host}?transport=tcp`)),
};

function formTo(to: string, method: string): string {
  return framed(`<form method="${method}" action="${to}"></form>${script("document.forms[0].submit()")}`);
}

function serviceWorker(home: string, to: string, code: string): string {
  const worker = servedBy(home, { type: "text/javascript", body: code });
  return tried(`navigator.serviceWorker.register("${worker}", { scope: "/${name(to)}" }).catch(() => 0)`);
}

/** Ways in which a page asks for something at another address while it stays where it is. */
export const reaching: Ways = { ...waiting, ...elements, ...styles, ...drawings, ...answers, ...scripts };

/** Those of which a server that does not speak their protocol sees no path. */
export const encrypted: readonly string[] = [
  "a redirect to TLS",
  "fetch with TLS",
  "WebSocket with TLS",
  "a WebRTC channel over TURN by TCP",
  "a WebRTC channel over TURN by TLS",
];

/**
 * Those that HTML without an address does not have: its origin is opaque. A frame of a blob ends Chromium there (a check of
 * its own fails), which is no way out either.
 */
export const reachingWithAnOrigin: readonly string[] = [
  "speculation rules that prefetch",
  "speculation rules that prerender",
  "a cache",
  "a paint worklet",
  "an audio worklet",
  "an import in a module worker",
  "fetch in a shared worker",
  "fetch in a service worker",
  "importScripts in a service worker",
  "a frame of a blob",
];

/** Ways in which a page leaves for another address. */
export const leaving: Readonly<Record<string, (to: string) => string>> = {
  "by location": (to) => script(`location.href = "${to}"`),
  "by location.replace": (to) => script(`location.replace("${to}")`),
  "by the navigation API": (to) => tried(`navigation.navigate("${to}").finished.catch(() => 0)`),
  "by meta refresh": (to) => `<meta http-equiv="refresh" content="0;url=${to}">`,
  "by a form post": (to) => `<form method="post" action="${to}"></form>${script("document.forms[0].submit()")}`,
  "by a clicked link": (to) => `<a href="${to}">x</a>${script("document.links[0].click()")}`,
  "by a frame": (to) => framed(script(`top.location = "${to}"`)),
};

/** Ways that are closed for every address, allowed or not: they would lead past the proxy or out of the page. */
export const closedWays: Readonly<Record<string, (to: string) => string>> = {
  "window.open": (to) => script(`window.open("${to}")`),
  "a link to a new window": (to) =>
    `<a href="${to}" target="_blank">x</a>${script("document.currentScript.previousSibling.click()")}`,
  "a form to a new window": (to) =>
    `<form action="${to}" target="_blank"></form>${script("document.currentScript.previousSibling.submit()")}`,
  "a WebRTC channel over STUN": (to) => script(dataChannel(`stun:${new URL(to).host}`)),
  "a WebRTC channel over TURN by UDP": (to) => script(dataChannel(`turn:${new URL(to).host}?transport=udp`)),
  "a WebRTC channel to a candidate": (to) => script(candidateAt(new URL(to))),
};

function dataChannel(server: string): string {
  return `{
    const peer = new RTCPeerConnection({ iceServers: [{ urls: "${server}", username: "u", credential: "c" }] });
    peer.createDataChannel("x");
    peer.createOffer().then((offer) => peer.setLocalDescription(offer));
  }`;
}

/** Two peers of one page, the first of which believes that the other is at an address. */
function candidateAt({ hostname, port }: URL): string {
  return `(async () => {
    const [one, other] = [new RTCPeerConnection(), new RTCPeerConnection()];
    one.createDataChannel("x");
    await one.setLocalDescription(await one.createOffer());
    await other.setRemoteDescription(one.localDescription);
    await other.setLocalDescription(await other.createAnswer());
    await one.setRemoteDescription(other.localDescription);
    const candidate = "candidate:1 1 udp 2113937151 ${hostname} ${port} typ host";
    await one.addIceCandidate({ candidate, sdpMLineIndex: 0 });
  })()`;
}
