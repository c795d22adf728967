// Odd requests to the running service: those of test/attacks/odd-requests.test.ts in part, and what only it has, such as tools of MCP.
import { beforeAll, expect, inject, test } from "vitest";
import { routes } from "../../lib/service/routes.ts";
import { openClient } from "../support/client.ts";
import { manyOddPlaces, oddBodies, oddJson, oddText, worstJson } from "../support/odd-requests.ts";
import { ownPage } from "../support/signed-in.ts";
import { sample } from "../support/slow-run.ts";

const { baseUrl } = inject("service");
const JSON_TYPE = { "Content-Type": "application/json" };

let key: string;
beforeAll(async () => {
  ({ key } = await openClient());
});

test("odd requests: bodies to the routes of captures, and to that for visitors, are no fault of the service", async () => {
  const bodies = routes
    .filter(({ method, path }) => method === "POST" && ["/try", "/api/v1/screenshot", "/api/v1/bulk"].includes(path))
    .flatMap((route) =>
      [...sample(oddBodies, 3), ...sample(manyOddPlaces(route, worstJson), 3)].map((body) => ({
        path: route.path,
        body,
      })),
    );
  const faults: unknown[] = [];
  for (const { path, body } of bodies) {
    const credentials = path === "/try" ? ownPage : { Authorization: `Bearer ${key}` };
    const response = await fetch(`${baseUrl}${path}`, {
      method: "POST",
      headers: { ...JSON_TYPE, ...credentials },
      body,
    });
    const answer = await response.text();
    const isBusy = response.status === 503 && answer.includes('"CAPACITY"'); // other tests capture at the same time
    if ((response.status >= 500 && !isBusy) || /INTERNAL_ERROR/.test(answer))
      faults.push([path, body.slice(0, 300), answer]);
  }
  expect(faults).toEqual([]);
});

/** The answer to a message of MCP, as a client without a library sends it. */
async function sendMessage(body: string): Promise<{ readonly status: number; readonly text: string }> {
  const headers = { ...JSON_TYPE, Authorization: `Bearer ${key}`, Accept: "application/json, text/event-stream" };
  const response = await fetch(`${baseUrl}/mcp`, { method: "POST", headers, body });
  return { status: response.status, text: await response.text() };
}

const message = (method: string, params: string) => `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`;

interface ListedTool {
  readonly name: string;
  readonly inputSchema: { readonly properties?: object };
}

test("odd requests: odd arguments of tools and prompts of MCP are no fault of the service", async () => {
  const { text } = await sendMessage(message("tools/list", "{}"));
  const { result } = JSON.parse(/\{.*\}/s.exec(text)?.[0] ?? "");
  const calls = (result.tools as ListedTool[]).flatMap(({ name, inputSchema: { properties = {} } }) =>
    [...Object.keys(properties), "toString", "options"].flatMap((property) =>
      Object.values(oddJson).map((odd) =>
        message("tools/call", `{"name":"${name}","arguments":{${JSON.stringify(property)}:${odd}}}`),
      ),
    ),
  );
  const others = Object.values(oddJson).flatMap((odd) => [
    message("tools/call", odd),
    message("tools/call", `{"name":${odd},"arguments":{}}`),
    message("tools/call", `{"name":"get_capture","arguments":${odd}}`),
    message("prompts/get", `{"name":"review_design","arguments":{"url":${odd}}}`),
    message("resources/read", `{"uri":${odd}}`),
    `{"jsonrpc":"2.0","id":${odd},"method":"ping"}`,
    `{"jsonrpc":"2.0","id":1,"method":${odd}}`,
    odd,
  ]);
  expect(calls.length).toBeGreaterThan(1_000);
  const faults: unknown[] = [];
  for (const body of [...sample(calls, 211), ...sample(others, 23)]) {
    const { status, text: answer } = await sendMessage(body);
    if (status >= 500 || /on our side/.test(answer)) faults.push([body.slice(0, 300), status, answer.slice(0, 500)]);
  }
  expect(faults).toEqual([]);
});

test("odd requests: odd parameters of pages and links that need no key are no fault of the service", async () => {
  const paths = ["/sign-in", "/undo-email", "/not-me", "/storage/1d/a.png", "/api/v1/screenshot", "/playground", "/"];
  const faults: unknown[] = [];
  for (const path of paths)
    for (const text of sample(oddText, 7)) {
      const query = new URLSearchParams({
        token: text,
        e: text,
        s: text,
        key_id: text,
        signature: text,
        expires: text,
        url: text,
      });
      const response = await fetch(`${baseUrl}${path}?${query}`, { redirect: "manual" });
      const answer = await response.text();
      if (response.status >= 500) faults.push([path, text, response.status, answer.slice(0, 300)]);
    }
  expect(faults).toEqual([]);
});
