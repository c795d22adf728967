// `npm run mails`: serves a page with a preview of every mail, of example data. `PORT` is another port than 8026.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { LOOPBACK, refuseForeignHosts } from "../lib/tools/local/loopback.ts";
import { MAIL_PAGE_HEADERS } from "../lib/tools/mails/mail-page.ts";
import { previewPage } from "../lib/tools/mails/preview-page.ts";

/** It stays the same when a changed mail restarts the program. */
const DEFAULT_PORT = 8026;

const server = createServer((request, response) => {
  if (request.url !== "/") return void response.writeHead(404).end();
  response.writeHead(200, MAIL_PAGE_HEADERS).end(previewPage());
});
refuseForeignHosts(server);
server.listen(Number(process.env["PORT"] ?? DEFAULT_PORT), LOOPBACK);
await once(server, "listening");
console.log(`Previews of all mails: http://${LOOPBACK}:${(server.address() as AddressInfo).port}/`);
