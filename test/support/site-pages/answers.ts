// Responses other than a plain page: statuses, redirects, downloads, empty ones, and HTTP authentication.
import type { IncomingMessage } from "node:http";
import { GREEN } from "../site-pages.ts";
import { box, document, type Pages, paintGreen, script, solidImage } from "./page.ts";

/** What `/basic-auth` asks for; in an address the password is written `secret%20word`. */
export const BASIC_AUTH = { user: "ann", password: "secret word", realm: "Fixture" };

export const answerPages: Pages = {
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

  /**
   * A page that forbids scripts and styles and lets nobody frame it. All of it is green, by an attribute; a script or a
   * style sheet of its own that ran all the same would make it red, and one of its origin too.
   */
  "/csp": (_, answer) => {
    answer.setHeader(
      "content-security-policy",
      "default-src 'self'; script-src 'none'; style-src 'none'; frame-ancestors 'none'",
    );
    return `<!doctype html><title>Strict</title><style>html{background:red}</style><link rel="stylesheet" href="/red.css"><body bgcolor="#008000" style="background:red">${script(`document.body.bgColor = "red"`)}<p>Strict content security policy</p>`;
  },
  "/red.css": (_, answer) =>
    void answer.setHeader("content-type", "text/css").end("html,body{background:red!important}"),

  /** 401 and the red box without `BASIC_AUTH`; with it the box, which turns green once its protected image has come. */
  "/basic-auth": (_, answer) => {
    if (!isAuthorized(answer.req)) {
      refuse(answer);
      return document(box);
    }
    return document(`${box}<img id="picture" src="/basic-auth/image" style="position:absolute;left:-99px">
      ${script(`picture.onload = () => { ${paintGreen} }`)}`);
  },
  "/basic-auth/image": (_, answer) => {
    if (isAuthorized(answer.req))
      return void answer.writeHead(302, { location: solidImage(GREEN, 0, "protected") }).end();
    refuse(answer);
    return void answer.end();
  },
};

function isAuthorized({ headers }: IncomingMessage): boolean {
  const credentials = Buffer.from(`${BASIC_AUTH.user}:${BASIC_AUTH.password}`).toString("base64");
  return headers.authorization === `Basic ${credentials}`;
}

function refuse(answer: { statusCode: number; setHeader(name: string, value: string): unknown }): void {
  answer.statusCode = 401;
  answer.setHeader("www-authenticate", `Basic realm="${BASIC_AUTH.realm}"`);
}
