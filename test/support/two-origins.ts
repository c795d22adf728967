// A server on loopback under any name in .test, and a browser that visits it: which requests went to which origin.
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "puppeteer-core";
import { type BrowserSession, launchBrowser } from "../../lib/engine/browser/browser.ts";
import { parseAllowedOrigins } from "../../lib/engine/egress/egress-policy.ts";
import { chromiumFiles, testLimits } from "./chromium.ts";

export interface TwoOrigins {
  readonly session: BrowserSession;
  readonly page: Page;
  /** Two origins of the same server, and one of it that may hold service workers. */
  readonly target: string;
  readonly other: string;
  readonly secure: string;
  /** `name path`, without port, and headers of each request so far, oldest first. */
  readonly requests: readonly { readonly requested: string; readonly headers: IncomingHttpHeaders }[];
  close(): Promise<void>;
}

/**
 * Starts both. `pages` are documents by path, scripts where the path ends in .js; `/to?<address>` redirects, `/needs-sign-in`
 * answers 401 to requests without Authorization, and everything else is `ok` to any origin.
 */
export async function startTwoOrigins(pages: Readonly<Record<string, string>> = {}): Promise<TwoOrigins> {
  const requests: { requested: string; headers: IncomingHttpHeaders }[] = [];
  const server = createServer(({ url = "/", headers }, answer) => {
    const { hostname, pathname, search } = new URL(url, `http://${headers.host}`);
    requests.push({ requested: `${hostname} ${pathname}`, headers });
    answer.setHeader("access-control-allow-origin", headers.origin ?? "*");
    if (pathname === "/to") return void answer.writeHead(302, { location: search.slice(1) }).end();
    if (pathname === "/needs-sign-in" && headers.authorization === undefined) {
      return void answer.writeHead(401, { "www-authenticate": "Basic" }).end("who are you?");
    }
    answer.setHeader("content-type", pathname.endsWith(".js") ? "text/javascript" : "text/html");
    answer.end(pages[pathname] ?? "ok");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const session = await launchBrowser({
    files: await chromiumFiles(),
    allowed: parseAllowedOrigins(`127.0.0.1:${port}`),
    limits: testLimits,
    resolve: async () => ["127.0.0.1"],
  });
  return {
    session,
    page: await session.page(),
    target: `http://target.test:${port}`,
    other: `http://other.test:${port}`,
    secure: `http://localhost:${port}`,
    requests,
    async close() {
      await session.close();
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
