// Pages that reach for other addresses, and every way there is to do so.
import { document, type Pages, script } from "./page.ts";

export const wayPages: Pages = {
  /** Goes to `to`, or to the red box, in the way `how` names. */
  "/leaves": (query) => {
    const to = query.get("to") ?? "/box";
    return document(leaving[query.get("how") ?? "by location"]?.(to) ?? "");
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
