// The service where the functions that capture run Chromium themselves, as in the stage `dev`.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App } from "aws-cdk-lib";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import cdkJson from "../../cdk.json" with { type: "json" };
import { addStage } from "../../lib/infra/stage.ts";
import { stageConfig } from "../../lib/infra/stages.ts";
import { demoAccount } from "../../lib/tools/local/cli/demo-account.ts";
import { useLocalData } from "../../lib/tools/local/cli/find-service.ts";
import { type Service, startService } from "../../lib/tools/local/service.ts";
import { type Site, startSite } from "../fixtures/site.ts";

const folder = mkdtempSync(join(tmpdir(), "embedded-renderer-"));
let service: Service;
let site: Site;
let headers: Record<string, string>;
const invoked: string[] = [];

beforeAll(async () => {
  site = await startSite();
  const app = new App({ outdir: join(folder, "assembly"), context: cdkJson.context });
  addStage(app, { ...stageConfig("local"), renderer: "embedded", tenantIsolation: false });
  app.synth();
  service = await startService({
    assembly: join(folder, "assembly"),
    dataDir: join(folder, "data"),
    environment: () => ({ CAPTURE_ALLOW_ORIGINS: site.hostPort, CAPTURE_ALLOW_ORIGINS_PERMITTED: "true" }),
    onInvocation: ({ logicalId }) => invoked.push(logicalId.slice(0, -8)),
  });
  useLocalData({ ...service.endpoints, secretsKey: service.outputs["SecretsKey"] });
  const { key } = await demoAccount(join(folder, "data"), service.outputs["AccountsTable"] ?? "");
  headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
}, 120_000);
afterAll(async () => {
  await service.close();
  await site.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

const capture = async (options: object) => {
  const body = JSON.stringify({ html: "<h1>Embedded</h1>", ...options });
  return fetch(`${service.baseUrl}/api/v1/screenshot`, { method: "POST", headers, body });
};

test("embedded renderer: a capture is made by the function that answers it, and no function has tenants", async () => {
  const response = await capture({});
  expect(response.headers.get("content-type")).toBe("image/png");
  const { functions } = service;
  expect(functions.map(({ logicalId }) => logicalId)).not.toContainEqual(expect.stringMatching(/^Renderer/));
  await vi.waitFor(() => expect(invoked).toContain("Screenshot"));
});

test("embedded renderer: a private page that the operator allows is captured with an API key, and refused to visitors", async () => {
  const body = JSON.stringify({ url: `${site.origin}/cards` });
  const withKey = await fetch(`${service.baseUrl}/api/v1/screenshot`, { method: "POST", headers, body });
  expect(withKey.headers.get("content-type")).toBe("image/png");
  const fromPage = { "Content-Type": "application/json", "Sec-Fetch-Site": "same-origin" };
  const visit = await fetch(`${service.baseUrl}/try`, { method: "POST", headers: fromPage, body });
  expect(await visit.text()).toContain('{"error":{"code":"URL_NOT_ALLOWED"');
});

test("embedded renderer: several results of one load", async () => {
  const outputs = [
    { name: "text", format: "text" },
    { name: "shot", format: "jpeg" },
  ];
  const { loads, outputs: made } = await (await capture({ outputs })).json();
  expect([loads, made.map(({ status }: { status: string }) => status)]).toEqual([1, ["success", "success"]]);
});

test("embedded renderer: an asynchronous capture is made by the function of the queue", async () => {
  const { status_url: address } = await (await capture({ async: true })).json();
  await vi.waitFor(
    async () => expect(await (await fetch(address, { headers })).json()).toMatchObject({ status: "success" }),
    { timeout: 30_000, interval: 100 },
  );
  expect(invoked).toContain("Render");
});
