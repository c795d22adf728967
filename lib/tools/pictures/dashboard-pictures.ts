// The pictures of the dashboard: its screens, captured by the service itself, of an account with examples.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { storeExampleUsage } from "../../../test/fixtures/example-usage.ts";
import { startFolderSite } from "../../../test/fixtures/folder-site.ts";
import { writeItems } from "../../../test/fixtures/usage-items.ts";
import { updateKeyRing } from "../../service/account/account-store.ts";
import { openAccount } from "../../service/account/open-account.ts";
import { periodKey } from "../../service/aws/table-keys.ts";
import { periodAt } from "../../service/billing/billing-period.ts";
import { issueKey } from "../../service/keys/issue-key.ts";
import { withKey } from "../../service/keys/key-ring.ts";
import { createSession } from "../../service/sessions/session-store.ts";
import type { Service } from "../local/service.ts";
import { type PictureService, startPictureService } from "./picture-service.ts";
import { picturesFolder } from "./pictures-folder.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** True once no outlines stand for what is read. */
const IS_LOADED = "document.querySelector('.app-account strong') && !document.querySelector('.skeleton, .screen .bar')";

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

/** Writes a picture of each screen. */
export async function makeDashboardPictures(): Promise<void> {
  // It refuses webhooks, so that the picture shows why.
  const receiver = createServer((_, response) => response.writeHead(500).end("database is down"));
  await once(receiver.listen(0, "127.0.0.1"), "listening");
  const receiverHost = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const site = await startFolderSite(join(picturesFolder, "pages"));
  const pictures = await startPictureService({ allowedOrigins: [receiverHost, site.hostPort] });
  try {
    await makePictures(pictures, { receiverHost, siteHost: site.hostPort });
  } finally {
    receiver.close();
    await site.close();
    await pictures.close();
  }
}

/** What is shown in place of the addresses of this machine. */
const shownHosts = (hosts: Readonly<Record<string, string>>): string => `
  const hosts = Object.entries(${JSON.stringify(hosts)});
  const show = () => {
    for (const element of document.querySelectorAll("#app *")) {
      if ([...element.children].some(({ localName }) => localName !== "wbr")) continue;
      const found = hosts.find(([host]) => element.textContent.includes(host));
      if (found) element.textContent = element.textContent.replace("http://" + found[0], "https://" + found[1]).replace(...found);
    }
  };
  show();
  new MutationObserver(show).observe(document, { subtree: true, childList: true });`;

interface Hosts {
  readonly receiverHost: string;
  readonly siteHost: string;
}

async function makePictures(pictures: PictureService, { receiverHost, siteHost }: Hosts): Promise<void> {
  const { service } = pictures;
  const { key, token } = await exampleAccount(service);
  const capture = (options: Readonly<Record<string, unknown>>) => pictures.capture(key, options);
  const stored = await capture({
    url: `http://${siteHost}/journey.html`,
    full_page: true,
    format: "webp",
    response_type: "json",
  });
  const { request_id } = (await stored.json()) as { readonly request_id: number };
  await capture({ url: `http://${siteHost}/report.html`, format: "pdf", pdf_prefer_css_page_size: true });
  await capture({ url: `http://${siteHost}/tides.html` });
  await capture({ url: `http://${siteHost}/winter.html` });
  await capture({ url: `http://${siteHost}/consent.html`, block_cookie_banners: true, format: "webp" });
  await capture({
    markdown: "# Order 7\n\n| Item | Price |\n| --- | --- |\n| Map | $12 |\n| Compass | $30 |",
    async: true,
    webhook_url: `http://${receiverHost}/webhooks`,
    external_identifier: "order-7",
  });
  await new Promise((resolve) => setTimeout(resolve, 8_000)); // the first retry of the webhook

  const picture = (name: string, options: Readonly<Record<string, unknown>>) =>
    pictures.takePicture(key, `dashboard-${name}`, options);
  const scripts = shownHosts({ [siteHost]: "museum.example", [receiverHost]: "orders.example" });
  const signedIn = { cookies: `session=${token}`, viewport_height: 900, wait_for_expression: IS_LOADED, scripts };
  for (const [name, path] of Object.entries(screens)) {
    await picture(name, { url: `${service.baseUrl}/app${path.replace("ID", String(request_id))}`, ...signedIn });
  }
  await picture("sign-in", { url: `${service.baseUrl}/app/sign-in`, viewport_height: 700 });
  await picture("dark", { url: `${service.baseUrl}/app`, ...signedIn, dark_mode: true });
}

/** An account of two months ago with three keys, 12,000 captures, and a session. */
async function exampleAccount(service: Service) {
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
