// The guide to API keys that don't work quotes what the API really answers.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { openClient, readJson, sendWith } from "../support/client.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/guide/invalid-key.md"), "utf8");
/** The messages of its table. */
const quoted = [...page.matchAll(/^\| “(.+?)” \|/gm)].map(([, message = ""]) => message);

test("invalid keys: each cause is answered with the message of the guide, and no message is only there", async () => {
  const { baseUrl } = inject("service");
  const owner = await openClient();
  const { key } = owner;
  const ask = async (headers: Record<string, string>, path = "/api/v1/account", init: RequestInit = {}) =>
    (await readJson(fetch(`${baseUrl}${path}`, { headers, ...init }))).json.error as string;
  const create = async (options: object) =>
    (await readJson(sendWith(owner, "POST", "/api/v1/keys", { body: options }))).json;
  const bearer = (text: string) => ({ Authorization: `Bearer ${text}` });

  const limited = await create({ label: "Website", scopes: ["capture"] });
  const signed = await create({ label: "Links", require_signature: true });
  const revoked = await create({ label: "Old" });
  await sendWith(owner, "DELETE", `/api/v1/keys/${revoked.id}`);
  const rotated = await create({ label: "Server" });
  await sendWith(owner, "POST", `/api/v1/keys/${rotated.id}/rotate`);

  const answers = [
    await ask({}),
    await ask(bearer(`${key}x`)),
    await ask({ Authorization: key }),
    await ask({ Authorization: `Basic ${btoa(`${key}:`)}` }),
    await ask({ "X-API-Key": key }),
    await ask({}, "/api/v1/screenshot", { method: "POST", body: new URLSearchParams({ access_key: key }) }),
    await ask(bearer(revoked.key)),
    await ask(bearer(rotated.key)),
    await ask({}, `/api/v1/screenshot?html=1&access_key=${signed.key}`),
    await ask(bearer(limited.key)),
  ];
  const elsewhere = ["This API key has expired.", "This account is suspended since"]; // they need time, and an operator
  expect(quoted.filter((message) => !answers.some((answer) => answer.startsWith(message)))).toEqual(elsewhere);
  expect(answers.filter((answer) => !quoted.some((message) => answer.startsWith(message)))).toEqual([]);
});
