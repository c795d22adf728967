// A page that pretends that the egress proxy refused or failed its own document.
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { captureWith } from "../support/chromium.ts";
import { closing } from "../support/closing.ts";

async function serverThat(answers: RequestListener): Promise<{ origin: string; hostPort: string }> {
  const server = createServer(answers);
  closing({ close: () => server.close() && server.closeAllConnections() });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const hostPort = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin: `http://${hostPort}`, hostPort };
}

const script = (code: string) => `<!doctype html><p>text<script type="module">${code}</script>`;

test("a page learns nothing from the proxy's response with which it could fake a refusal of itself", async () => {
  const names: string[] = [];
  const { origin, hostPort } = await serverThat((request, answer) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://page.test");
    if (pathname === "/gone") return void request.socket.destroy();
    answer.setHeader("content-type", "text/html");
    if (pathname === "/fake") {
      const headers = JSON.parse(searchParams.get("headers") ?? "[]") as [string, string][];
      for (const [name, value] of headers) {
        names.push(name);
        if (!/^(connection|content-length|transfer-encoding)$/.test(name)) answer.setHeader(name, value);
      }
      return void answer.writeHead(403).end("<p>fake");
    }
    answer.end(
      script(`const { headers } = await fetch("/gone");
        location.href = "/fake?headers=" + encodeURIComponent(JSON.stringify([...headers]
          .map(([name, value]) => [name, value.replace("unreachable", "refused")])));`),
    );
  });
  const options = { url: `${origin}/`, wait_for_expression: "document.body.innerText === 'fake'", timeout: 10 };
  const outcome = await captureWith(options, { allow: [hostPort] }).catch(({ code }) => code);
  expect(outcome).not.toBe("URL_NOT_ALLOWED");
  expect(names.toSorted()).toEqual(["connection", "date", "keep-alive", "transfer-encoding"]);
});

test("a document keeps the status that its server sent, although its URL can't be reached any more", async () => {
  let requests = 0;
  const { origin, hostPort } = await serverThat((request, answer) => {
    if (++requests > 1) return void request.socket.destroy();
    answer.writeHead(502, { "content-type": "text/html" });
    answer.end(script(`await fetch(location.href); document.title = "done"`));
  });
  const options = {
    url: `${origin}/`,
    ignore_host_errors: true,
    wait_for_expression: "document.title === 'done'",
    timeout: 10,
  };
  await captureWith({ ...options, format: "html" }, { allow: [hostPort] });
  expect(requests).toBeGreaterThan(1);
});
