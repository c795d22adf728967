// The local service listens before it is ready: what it answers until then.
import { expect, onTestFinished, test } from "vitest";
import { openApiGateway } from "../../../../lib/tools/local/api-gateway/api-gateway.ts";

test("local API Gateway: every path is 503 with Retry-After until the service is ready", async () => {
  const gateway = await openApiGateway({
    host: "127.0.0.1",
    port: 0,
    invoke: () => Promise.reject(new Error("Nothing is ready.")),
    readObject: () => Promise.reject(new Error("Nothing is ready.")),
    onLog: () => {},
  });
  onTestFinished(() => gateway.close());
  for (const path of ["/health", "/api/v1/screenshot", "/nowhere"]) {
    const response = await fetch(`http://127.0.0.1:${gateway.port}${path}`);
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "2"]);
    expect(await response.json()).toEqual({
      error: "The service is starting. Try again in 2 s.",
      code: "CAPACITY",
      request_id: expect.any(String),
      retryable: true,
    });
  }
  gateway.use({ id: "api", stage: "local", methods: [], gatewayResponses: new Map() });
  expect((await fetch(`http://127.0.0.1:${gateway.port}/nowhere`)).status).toBe(403);
});
