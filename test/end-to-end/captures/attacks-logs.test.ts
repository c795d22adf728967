// Secrets and customer text in logs and tables: sent in every possible place, found in none.
import { createHmac, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import { beforeAll, describe, expect, inject, test, vi } from "vitest";
import { dynamodb } from "../../../lib/service/aws/clients/dynamodb.ts";
import { useLocalData } from "../../../lib/tools/local/cli/find-service.ts";
import { type Client, endOf, openClient } from "../../support/client.ts";

const service = inject("service");
const { baseUrl, site, receiver, ownStorage } = service;
const small = { viewport_width: 100, viewport_height: 100 };
const box = { ...small, url: `${site}/box` };
const destination = { store: true, storage_bucket: "my-bucket", storage_endpoint: ownStorage, storage_path: "logs" };

/**
 * `usage`: the list of captures has it, and with it the tables, as the reference says. `job`: the job has it, for the
 * webhook that is sent. `nowhere`: it is a secret.
 */
type Kept = "usage" | "job" | "nowhere";

/** Options with a mark in one of them, or what else a request has. */
interface Place {
  readonly kept: Kept;
  readonly options?: (mark: string) => Readonly<Record<string, unknown>>;
  readonly headers?: (mark: string) => Readonly<Record<string, string>>;
}

const usage = (options: Place["options"]): Place => ({ kept: "usage", ...(options && { options }) });
const nowhere = (options: Place["options"]): Place => ({ kept: "nowhere", ...(options && { options }) });
const withUser = (address: string, mark: string) => address.replace("://", `://ann:${mark}@`);

/** The host of the page, which log lines name, so that an operator finds who captures it. */
const HOST = "a name that does not resolve";

const locations: Readonly<Record<string, Place>> = {
  "the query of the page": usage((mark) => ({ ...box, url: `${box.url}?${mark}` })),
  "the fragment of the page": usage((mark) => ({ ...box, url: `${box.url}#${mark}` })),
  HTML: usage((mark) => ({ ...small, html: `<p>${mark}` })),
  Markdown: usage((mark) => ({ ...small, markdown: `# ${mark}` })),
  "a style": usage((mark) => ({ ...box, styles: `#${mark} { color: red }` })),
  "a script": usage((mark) => ({ ...box, scripts: `self.x = "${mark}"` })),
  "what a script throws": usage((mark) => ({ ...box, scripts: `throw new Error("${mark}")` })),
  "an expression that throws": usage((mark) => ({ ...box, wait_for_expression: `${nameOf(mark)}()`, timeout: 8 })),
  "a selector that nothing matches": usage((mark) => ({ ...box, selector: `#${mark}`, timeout: 8 })),
  "a rule on the page's content": usage((mark) => ({ ...box, fail_if_content_missing: mark })),
  "the name of the browser": usage((mark) => ({ ...box, user_agent: mark })),
  "the name for saving": usage((mark) => ({ ...box, attachment_name: `${mark}.png` })),
  "the key of the cache": usage((mark) => ({ ...box, cache_ttl: 60, cache_key: mark })),
  "a page that is missing": usage((mark) => ({ ...box, url: `${site}/${mark}` })),
  [HOST]: usage((mark) => ({ ...box, url: `http://${mark}.invalid/` })),
  "a page that is not allowed": usage((mark) => ({ ...box, url: `http://127.0.0.1:9/${mark}` })),
  "the console of the page": usage((mark) => ({
    ...small,
    html: `<script>console.error("${mark}"); throw new Error("${mark}")</script>`,
  })),
  "the password of the page": nowhere((mark) => ({ ...box, url: withUser(box.url, mark) })),
  "a header": nowhere((mark) => ({ ...box, headers: { "X-Key": mark } })),
  "a header that Chromium does not take": nowhere((mark) => ({ ...box, headers: { "Accept-Charset": `${mark}ü` } })),
  "a cookie": nowhere((mark) => ({ ...box, cookies: [`session=${mark}`] })),
  "the authorization": nowhere((mark) => ({ ...box, authorization: `Bearer ${mark}` })),
  "the password of a sign-in": nowhere((mark) => ({ ...box, http_auth_username: "ann", http_auth_password: mark })),
  "the password of a sign-in that fails": nowhere((mark) => ({
    ...small,
    url: `${site}/basic-auth`,
    http_auth_username: "ann",
    http_auth_password: mark,
  })),
  "the password of a proxy": nowhere((mark) => ({ ...box, proxy: withUser("http://127.0.0.1:9", mark) })),
  "the secret of a storage": nowhere((mark) => ({
    ...box,
    ...destination,
    storage_access_key_id: "id",
    storage_secret_access_key: mark,
  })),
  "the secret of a storage that refuses it": nowhere((mark) => ({
    ...box,
    ...destination,
    storage_bucket: "no-bucket",
    storage_access_key_id: "id",
    storage_secret_access_key: mark,
  })),
  "the address of a webhook": {
    kept: "job",
    options: (mark) => ({ ...box, async: true, webhook_url: `${receiver}/to/${randomUUID()}?token=${mark}` }),
  },
  "a header in the background": nowhere((mark) => ({ ...box, async: true, headers: { "X-Key": mark } })),
  "an option that there is not": nowhere((mark) => ({ ...box, [mark]: mark })),
  "an option that is wrong": nowhere((mark) => ({ ...box, format: mark, cookies: mark })),
  "the key of an idempotent request": { kept: "nowhere", headers: (mark) => ({ "Idempotency-Key": mark }) },
  "the cookie of the request": { kept: "nowhere", headers: (mark) => ({ Cookie: `session=${mark}` }) },
  "the referrer of the request": { kept: "nowhere", headers: (mark) => ({ Referer: `https://a.example/${mark}` }) },
  "a key that is none": { kept: "nowhere", headers: (mark) => ({ Authorization: `Bearer ${mark}` }) },
};
const names = Object.keys(locations);
const markOf = (name: string) => `hush-${names.indexOf(name)}-${RUN}`;
/** In an expression it is written as a name. */
const isIn = (text: string, name: string) => [markOf(name), nameOf(markOf(name))].some((mark) => text.includes(mark));
const nameOf = (mark: string) => mark.replaceAll("-", "_");
const RUN = randomUUID().slice(0, 8);

let own: Client;
/** All that was written while the requests were carried out. */
let logs: string;
let listed: string;
let items: string;
/** Signatures of a link to a result, and of one for a page. */
const signatures: string[] = [];

beforeAll(async () => {
  own = await openClient();
  const requestIds: string[] = [];
  const requested = async (response: Response) => {
    requestIds.push(response.headers.get("x-request-id") ?? "none");
    const body = await response.text();
    if (response.status === 202) await endOf(JSON.parse(body).request_id, own); // else its capture could be added while the list is read
  };
  const queue = Object.entries(locations);
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [name, { options = () => box, headers = () => ({}) }] = next;
      await requested(
        await fetch(`${baseUrl}/api/v1/screenshot`, {
          method: "POST",
          headers: {
            Authorization: `Bearer ${own.key}`,
            "Content-Type": "application/json",
            ...headers(markOf(name)),
          },
          body: JSON.stringify(options(markOf(name))),
        }),
      );
    }
  };
  await Promise.all([work(), work(), work()]);

  const { url } = await (await own.capture({ html: "x", response_type: "json" })).json();
  await requested(await fetch(url, { redirect: "manual" }));
  await requested(await fetch(`${url}x`, { redirect: "manual" }));
  await requested(await fetch(`${baseUrl}/api/v1/account?access_key=${own.key}`));
  const query = `expires=${Math.ceil(Date.now() / 1000) + 60}&html=x&key_id=${own.keyId}`;
  const signature = createHmac("sha256", own.signingSecret).update(query).digest("hex");
  signatures.push(new URL(url).searchParams.get("s") ?? "", signature);
  await requested(await fetch(`${baseUrl}/api/v1/screenshot?${query}&signature=${signature}`));

  const written = () => {
    const folder = join(service.dataDir, "logs");
    return readdirSync(folder)
      .map((file) => readFileSync(join(folder, file), "utf8"))
      .join("\n");
  };
  const jobs = async () => JSON.stringify(await own.logs());
  await vi.waitFor(() => expect(requestIds.filter((id) => !written().includes(id))).toEqual([]), WAIT);
  await vi.waitFor(async () => expect(await jobs()).toContain('"webhook_url":'), WAIT);
  logs = written();
  listed = JSON.stringify(await (await own.get("/api/v1/usage", { per_page: "100" })).json());
  items = await allItems();
}, 120_000);

const WAIT = { timeout: 30_000, interval: 200 };

/** Every item of the tables in which captures leave traces. */
async function allItems(): Promise<string> {
  useLocalData(service);
  const found: unknown[] = [];
  for (const TableName of [service.activityTable, service.usageTable]) {
    let ExclusiveStartKey: Record<string, unknown> | undefined;
    do {
      const page = await dynamodb().send(new ScanCommand({ TableName, ExclusiveStartKey }));
      found.push(...(page.Items ?? []));
      ExclusiveStartKey = page.LastEvaluatedKey;
    } while (ExclusiveStartKey);
  }
  return JSON.stringify(found);
}

describe("secrets: no log contains a customer's text", () => {
  test.each(names.filter((name) => name !== HOST))("sent in %s", (name) => {
    expect(isIn(logs, name)).toBe(false);
  });

  test("but the host of the page", () => {
    expect(isIn(logs, HOST)).toBe(true);
  });

  test("nor keys or signatures of links", () => {
    const secrets = [own.key, own.signingSecret, ...signatures];
    expect(secrets.every((secret) => secret.length > 30)).toBe(true);
    expect(secrets.filter((secret) => logs.includes(secret))).toEqual([]);
  });
});

describe("secrets: the usage list and the tables contain what is documented, and no secret:", () => {
  test.each(Object.entries(locations).map(([name, { kept }]) => ({ name, kept })))(
    "$name ($kept)",
    ({ name, kept }) => {
      expect({ listed: isIn(listed, name), items: isIn(items, name) }).toEqual({
        listed: kept === "usage",
        items: kept !== "nowhere",
      });
    },
  );
});
