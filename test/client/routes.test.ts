// The typed client has a method for every route of the contract.
import { expect, test } from "vitest";
import { ScreenCapture } from "../../clients/typescript/src/index.ts";
import { apiRoutes } from "../../lib/service/routes.ts";

/** Routes that need no client, or that the client only makes links to. */
const others = ["GET /health", "GET /api/v1/openapi.json", "GET /api/v1/screenshot", "GET /storage/{key+}"];

test("client: every route of the contract has a method", async () => {
  const called = new Set<string>();
  const record = (url: string, { method = "GET" }: RequestInit = {}) => {
    called.add(
      `${method} ${new URL(url).pathname.replace("/invoices/7", "/invoices/{start}").replace(/\b7\b/, "{id}")}`,
    );
    return Promise.resolve(Response.json({ data: [], series: [], last_page: 1, next_before: null, status: "success" }));
  };
  const client = new ScreenCapture({ key: "cap_x", baseUrl: "http://127.0.0.1:9", fetch: record as typeof fetch });
  const page = { url: "https://example.com" };
  await Promise.all([
    client.capture(page),
    client.store(page),
    client.enqueue(page),
    client.get(7),
    client.wait(7),
    client.deleteResult(7),
    client.redeliverWebhook(7),
    client.testWebhook({ webhook_url: "https://you.example" }),
    client.bulk({ requests: [page] }),
    client.captures().next(),
    client.jobs().next(),
    client.usage().next(),
    client.statistics(),
    client.breakdown(),
    client.search().next(),
    client.details(7),
    client.report(7),
    client.exportCaptures(),
    client.account(),
    client.settings(),
    client.invoices(),
    client.invoicePdf({ period: { start: "7", end: "8" } }),
    client.keys.list(),
    client.keys.create({ label: "A" }),
    client.keys.get(7),
    client.keys.change(7, { label: "B" }),
    client.keys.rotate(7),
    client.keys.endPreviousTexts(7),
    client.keys.revoke(7),
  ]);
  const routes = apiRoutes.map(({ method, path }) => `${method} ${path}`);
  const expected = routes.filter((route) => !others.includes(route));
  expect([...called].toSorted()).toEqual(expected.toSorted());
});
