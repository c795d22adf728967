// Samples of the documentation: curl commands parsed, and the same request in other languages, run where the language is here.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { codeSamples } from "../../lib/site/samples/code-samples.ts";
import { parseCurl } from "../../lib/site/samples/http-request.ts";
import { codeBlocks, documentationPages } from "../support/documentation.ts";
import { installedLanguages, runSample } from "../support/sample-programs.ts";

describe("parseCurl", () => {
  test("reads a GET request with an output file", () => {
    expect(parseCurl('curl -H "Authorization: Bearer $KEY" \\\n  "http://h/x?a=b&c=d" -o page.png')).toEqual({
      method: "GET",
      url: "http://h/x?a=b&c=d",
      headers: [["Authorization", "Bearer $KEY"]],
      output: "page.png",
    });
  });

  test("reads a form with quotation marks in a value", () => {
    expect(parseCurl(`curl -d url=u --data-urlencode 'html=<p class="a">1=2</p>' http://h/x`)).toEqual({
      method: "POST",
      url: "http://h/x",
      headers: [],
      body: {
        kind: "form",
        fields: [
          ["url", "u"],
          ["html", '<p class="a">1=2</p>'],
        ],
      },
    });
  });

  test.each(["curl -D - http://h/x", "curl -L http://h/x", "curl --data-urlencode a@b http://h", "npm start"])(
    "leaves out %s, which other languages would not show the same",
    (command) => {
      expect(parseCurl(command)).toBeUndefined();
    },
  );
});

interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly authorization: string | undefined;
  readonly type: string | undefined;
  readonly body: string;
}

describe("every sample of the documentation sends the same request as its curl command:", () => {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    const body = await text(request);
    received.push({ method, url, authorization: headers.authorization, type: headers["content-type"], body });
    response.end("content");
  });
  let origin = "";
  beforeAll(async () => {
    await once(server.listen(0, "127.0.0.1"), "listening");
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  const requests = documentationPages()
    .flatMap(codeBlocks)
    .filter(({ language }) => language === "sh")
    .flatMap(({ page, code }) => {
      const request = parseCurl(code);
      return request?.url.startsWith("http://127.0.0.1:3000") ? [{ page, code, request }] : [];
    });
  const environment = { KEY: "cap_x", ID: "7", KEY_ID: "8", STORAGE_KEY_ID: "a", STORAGE_SECRET: "b" };
  // The shell runs the documented command itself in other tests, and Go compiles for a second or more.
  const languages = installedLanguages.filter((language) => language !== "sh" && language !== "go");

  test("there are samples", () => {
    expect(requests.length).toBeGreaterThan(20);
  });

  test.each(requests)("$page: $code", async ({ request }) => {
    const local = { ...request, url: request.url.replace("http://127.0.0.1:3000", origin) };
    const samples = codeSamples(local);
    received.length = 0;
    for (const language of languages) {
      const code = samples.find((each) => each.language === language)?.code ?? "";
      const folder = await runSample(language, code, environment);
      if (request.output !== undefined) expect(readFileSync(join(folder, request.output), "utf8")).toBe("content");
    }
    const url = decodeURIComponent(local.url.slice(origin.length).replaceAll("$KEY_ID", "8").replaceAll("$ID", "7"));
    const hasKey = local.headers.some(([name]) => name === "Authorization");
    for (const each of received) {
      expect({ ...each, url: decodeURIComponent(each.url ?? "") }).toMatchObject({ method: request.method, url });
      expect(each.authorization).toBe(hasKey ? "Bearer cap_x" : undefined);
      const { body } = request;
      if (body?.kind === "json") expect(JSON.parse(each.body)).toEqual(JSON.parse(body.text));
      if (body?.kind === "form") {
        const sent = [...new URLSearchParams(each.body)].map(([name, value]) => [name, value]);
        expect(sent).toEqual(
          body.fields.map(([name, value]) => [
            name,
            value.replace("$STORAGE_KEY_ID", "a").replace("$STORAGE_SECRET", "b"),
          ]),
        );
      }
    }
    expect(received).toHaveLength(languages.length);
  });
});
