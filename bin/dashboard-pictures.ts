// `npm run pictures:dashboard`: makes the pictures of the dashboard in its guide, with this service, of an account with examples.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { updateKeyRing } from "../lib/service/account/account-store.ts";
import { openAccount } from "../lib/service/account/open-account.ts";
import { periodKey } from "../lib/service/aws/table-keys.ts";
import { periodAt } from "../lib/service/billing/billing-period.ts";
import { issueKey } from "../lib/service/keys/issue-key.ts";
import { withKey } from "../lib/service/keys/key-ring.ts";
import { createSession } from "../lib/service/sessions/session-store.ts";
import { synthesizeWithCache } from "../lib/tools/local/assembly/cached-assembly.ts";
import { useLocalData } from "../lib/tools/local/cli/find-service.ts";
import { startService } from "../lib/tools/local/service.ts";
import { storeExampleUsage } from "../test/fixtures/example-usage.ts";
import { writeItems } from "../test/fixtures/usage-items.ts";

const project = resolve(import.meta.dirname, "..");
const DAY_MS = 24 * 60 * 60 * 1000;

/** The screens, by the name of their picture: their path below /app, where ID is the id of a capture with a stored result. */
const screens: Readonly<Record<string, string>> = {
  captures: "/captures",
  capture: "/captures/ID",
  overview: "",
  keys: "/keys",
  usage: "/usage",
  billing: "/billing",
  account: "/account",
};

// A receiver of webhooks that refuses them, so that the picture shows why.
const receiver = createServer((_, response) => response.writeHead(500).end("database is down")).listen(0, "127.0.0.1");
const receiverPort = () => (receiver.address() as AddressInfo).port;

const dataDir = mkdtempSync(join(tmpdir(), "pictures-"));
const service = await startService({
  assembly: (output) => synthesizeWithCache({ project, output, context: { stage: "local" } }),
  dataDir,
  environment: ({ baseUrl }) => ({
    BASE_URL: baseUrl,
    CAPTURE_ALLOW_ORIGINS: `${new URL(baseUrl).host},127.0.0.1:${receiverPort()}`,
    CAPTURE_ALLOW_ORIGINS_PERMITTED: "true",
    SIGN_UP: "open",
  }),
});
try {
  useLocalData({ ...service.endpoints, secretsKey: service.outputs["SecretsKey"] });
  await makePictures();
} finally {
  receiver.close();
  await service.close();
  rmSync(dataDir, { recursive: true, force: true });
}

async function makePictures(): Promise<void> {
  const { key, token } = await exampleAccount();
  const capture = (options: Readonly<Record<string, unknown>>) =>
    fetch(`${service.baseUrl}/api/v1/screenshot`, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: JSON.stringify(options),
    });
  const stored = await capture({
    url: `${service.baseUrl}/docs/guide/full-page`,
    full_page: true,
    response_type: "json",
  });
  const { request_id } = (await stored.json()) as { readonly request_id: number };
  await capture({ url: `${service.baseUrl}/docs/guide/pdf`, format: "pdf" });
  await capture({ url: `${service.baseUrl}/pricing`, format: "webp", dark_mode: true });
  await capture({ url: `${service.baseUrl}/docs/guide/nothing-here` });
  await capture({ url: `${service.baseUrl}/`, viewport_device: "iphone_15_pro" });
  await capture({
    markdown: "# Order 7\n\n| Item | Price |\n| --- | --- |\n| Map | $12 |\n| Compass | $30 |",
    async: true,
    webhook_url: `http://127.0.0.1:${receiverPort()}/webhooks`,
    external_identifier: "order-7",
  });
  await new Promise((resolve) => setTimeout(resolve, 8_000)); // the first retry of the webhook

  const picture = async (name: string, options: Readonly<Record<string, unknown>>) => {
    const response = await capture({ format: "webp", image_quality: 70, viewport_width: 1280, delay: 2, ...options });
    if (!response.ok) throw new Error(`${name}: ${await response.text()}`);
    writeFileSync(
      join(project, `lib/site/web/pictures/dashboard-${name}.webp`),
      Buffer.from(await response.arrayBuffer()),
    );
    console.log(name);
  };
  const signedIn = { cookies: `session=${token}`, viewport_height: 900 };
  for (const [name, path] of Object.entries(screens)) {
    await picture(name, { url: `${service.baseUrl}/app${path.replace("ID", String(request_id))}`, ...signedIn });
  }
  await picture("sign-in", { url: `${service.baseUrl}/app/sign-in`, viewport_height: 700 });
  await picture("dark", { url: `${service.baseUrl}/app`, ...signedIn, dark_mode: true });
}

/** An account of two months ago with three keys, 12,000 captures, and a session. */
async function exampleAccount() {
  const accounts = service.outputs["AccountsTable"] ?? "";
  const now = Date.now();
  const opened = { plan: "pro", label: "Example Ltd", now: now - 52 * DAY_MS } as const;
  const { ring, key } = await openAccount(accounts, opened);
  const accountId = ring.account.id;
  for (const label of ["Website", "Nightly reports"]) {
    const { apiKey } = issueKey({ account_id: accountId, label, scopes: ["capture"], expires_at: null }, now - DAY_MS);
    await updateKeyRing(accounts, accountId, (current) => withKey(current, apiKey));
  }
  const { keys } = await updateKeyRing(accounts, accountId, (current) => ({ ...current }));
  const tables = { usage: service.outputs["UsageTable"] ?? "", activity: service.outputs["ActivityTable"] ?? "" };
  await storeExampleUsage(tables, { accountId, keys, count: 12_000, days: 50, now: now - 60_000 });
  const period = periodAt(ring.account, now);
  await writeItems(tables.usage, [{ ...periodKey(accountId, period.start), screenshots: 16_480, videos: 1_240 }]);
  const browser = {
    signed_in_with: "email",
    api_key_hash: null,
    user_agent: "Firefox on Linux",
    network: "203.0.113.x",
  } as const;
  await createSession(accounts, { account_id: accountId, ...browser }, now - DAY_MS);
  const { token } = await createSession(accounts, { account_id: accountId, ...browser }, now);
  return { key, token };
}
