// A page that leaves every trace a page can leave in a browser, and one that looks for them.
import type { ServerResponse } from "node:http";
import { document, type Pages, script } from "./page.ts";

/** How a page leaves the text `mark`, and how one of the same site finds it: bodies of asynchronous functions. */
interface Trace {
  readonly leave: string;
  readonly find: string;
}

const textOf = (address: string, init = "{}") => `return (await fetch("${address}", ${init})).text();`;
const cookie = (attributes: string): Trace => ({
  leave: `await fetch("/traces/cookie?mark=" + mark + "&attributes=${encodeURIComponent(attributes)}");`,
  find: textOf(`/traces/cookies?name=${nameOf(attributes)}`),
});

export const traces: Readonly<Record<string, Trace>> = {
  "a cookie": cookie(""),
  "a cookie that scripts do not see": cookie("; HttpOnly"),
  "a cookie of a partition": cookie("; Secure; SameSite=None; Partitioned"),
  "what may be kept for ever": {
    leave: `await fetch("/traces/kept?mark=" + mark); await fetch("/traces/kept");`,
    find: textOf("/traces/kept", `{ cache: "only-if-cached", mode: "same-origin" }`),
  },
  "an entity tag": { leave: `await fetch("/traces/tagged", { headers: { mark } });`, find: textOf("/traces/tagged") },
  "what was signed in with": {
    leave: `await new Promise((done) => {
      const request = new XMLHttpRequest();
      request.open("GET", "/traces/signed-in", true, mark, "password");
      request.onloadend = done;
      request.send();
    });`,
    find: textOf("/traces/signed-in"),
  },
  "local storage": { leave: `localStorage.mark = mark;`, find: `return localStorage.mark;` },
  "the storage of a session": { leave: `sessionStorage.mark = mark;`, find: `return sessionStorage.mark;` },
  "a database": {
    leave: `await new Promise((done) => { indexedDB.open(mark).onsuccess = done; });`,
    find: `return JSON.stringify(await indexedDB.databases());`,
  },
  "a cache of its own": { leave: `await caches.open(mark);`, find: `return (await caches.keys()).join();` },
  "a file of its own": {
    leave: `await (await navigator.storage.getDirectory()).getFileHandle(mark, { create: true });`,
    find: `const names = [];
      for await (const name of (await navigator.storage.getDirectory()).keys()) names.push(name);
      return names.join();`,
  },
  "a service worker": {
    leave: `await navigator.serviceWorker.register("/traces/worker.js?" + mark);
      await navigator.serviceWorker.ready;`,
    find: `return (await navigator.serviceWorker.getRegistrations()).map(({ active }) => active?.scriptURL).join();`,
  },
  "a shared worker": {
    leave: `self.shared = new SharedWorker("/traces/shared-worker.js"); shared.port.postMessage(mark);`,
    find: `const { port } = new SharedWorker("/traces/shared-worker.js");
      return new Promise((found) => { port.onmessage = ({ data }) => found(data); port.postMessage(""); });`,
  },
  "a channel": {
    leave: `self.channel = new BroadcastChannel("traces"); channel.onmessage = () => channel.postMessage(mark);`,
    find: `const channel = new BroadcastChannel("traces");
      return new Promise((found) => {
        channel.onmessage = ({ data }) => found(data);
        channel.postMessage("?");
        setTimeout(found, 300, "nobody");
      });`,
  },
  "a lock": {
    leave: `await new Promise((done) => {
      navigator.locks.request(mark, () => { done(); return new Promise(() => undefined); });
    });`,
    find: `return JSON.stringify(await navigator.locks.query());`,
  },
  "an address of something in memory": {
    leave: `await fetch("/traces/note?address=" + URL.createObjectURL(new Blob([mark])));`,
    find: `return (await fetch(await (await fetch("/traces/note")).text())).text();`,
  },
  "the name of the window": { leave: `name = mark;`, find: `return top.name;` },
};

/** Ports from which `/traces/` was asked, with what was asked for. */
export const askedFrom: { readonly port: number; readonly path: string }[] = [];

/** The address of `URL.createObjectURL` that was noted last. */
let noted = "about:blank";

export const tracePages: Pages = {
  /** Leaves every trace of `mark`, and shows what the page below finds then: with `format=text` it is JSON. */
  "/traces/leave": (query) =>
    document(
      script(`(async () => {
        const mark = "${query.get("mark")}";
        ${Object.values(traces)
          .map(({ leave }) => `await (async () => { ${leave} })();`)
          .join("\n")}
        onmessage = ({ data }) => show(data);
        document.body.append(Object.assign(document.createElement("iframe"), { src: "/traces/find" }));
      })(); ${showing}`),
    ),

  /** Shows what it finds. */
  "/traces/find": (_, answer) => {
    remember(answer);
    const finding = Object.entries(traces).map(
      ([name, { find }]) => `[${JSON.stringify(name)}, async () => {${find}}]`,
    );
    return document(
      script(`(async () => {
        const found = {};
        for (const [name, find] of [${finding}]) found[name] = String(await find().catch(String));
        if (top === self) show(found);
        else parent.postMessage(found, "*");
      })(); ${showing}`),
    );
  },

  "/traces/cookie": (query, answer) => {
    const attributes = query.get("attributes") ?? "";
    const value = `${nameOf(attributes)}=${query.get("mark")}; Path=/; Max-Age=99999${attributes}`;
    return void answer.setHeader("set-cookie", value).end();
  },
  "/traces/cookies": (query, answer) => {
    const { cookie: sent = "" } = answer.req.headers;
    return void answer.end(sent.split("; ").find((pair) => pair.startsWith(`${query.get("name")}=`)));
  },

  /** Its text is the last mark that it was asked with; it may be kept for ever. */
  "/traces/kept": (query, answer) => {
    const mark = query.get("mark");
    if (mark !== null) kept = mark;
    return void answer.setHeader("cache-control", mark ? "no-store" : "max-age=31536000, immutable").end(kept);
  },
  /** Has the `mark` of the request as its tag, and shows the tag by which it is known already. */
  "/traces/tagged": (_, answer) => {
    const { mark, "if-none-match": known } = answer.req.headers;
    const tag = typeof mark === "string" ? `"${mark}"` : known;
    if (tag !== undefined) answer.setHeader("etag", tag);
    return void answer.setHeader("cache-control", "no-cache").end(known ?? "unknown");
  },
  /** Shows who has signed in. */
  "/traces/signed-in": (_, answer) => {
    const [, pair = ""] = (answer.req.headers.authorization ?? "").split(" ");
    const isSignedIn = pair !== "";
    return void answer
      .writeHead(isSignedIn ? 200 : 401, isSignedIn ? {} : { "www-authenticate": 'Basic realm="traces"' })
      .end(Buffer.from(pair, "base64"));
  },
  "/traces/worker.js": (_, answer) =>
    void answer
      .writeHead(200, { "content-type": "text/javascript", "service-worker-allowed": "/" })
      .end("onactivate = (event) => event.waitUntil(clients.claim());"),
  "/traces/shared-worker.js": (_, answer) =>
    void answer.setHeader("content-type", "text/javascript").end(`let mark = "nothing";
      onconnect = ({ ports: [port] }) => {
        port.onmessage = ({ data }) => { if (data) mark = data; port.postMessage(mark); };
      };`),
  "/traces/note": (query, answer) => {
    noted = query.get("address") ?? noted;
    return void answer.end(noted);
  },
};

let kept = "";

const showing = `function show(found) {
  document.body.replaceChildren(Object.assign(document.createElement("pre"), {
    id: "found",
    textContent: JSON.stringify(found),
  }));
}`;

function nameOf(attributes: string): string {
  return `trace${attributes.length}`;
}

function remember({ req }: ServerResponse): void {
  askedFrom.push({ port: req.socket.remotePort ?? 0, path: req.url ?? "" });
}
