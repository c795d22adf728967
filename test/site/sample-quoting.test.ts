// Code samples quote any text: samples that run here send exactly the given options.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampleLanguages } from "../../lib/site/samples/sample-languages.ts";
import { getSamples, postSamples } from "../../lib/site/web/playground/request-samples.ts";
import { installedLanguages, runSample } from "../support/sample-programs.ts";
import { IS_SLOW_RUN } from "../support/slow-run.ts";

/** Every character that means something in one of the languages. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: the samples must not take it for one either
const HOSTILE = "a'b\"c`d$e${f}#{g}\\h\\n\n\t%s<?php ?>$HOME $(id) !x \u2028\u0085\"\"\" ''' {{i}} ü 日本 😀";
const values = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 30 }),
  fc.constantFrom("true", "null", "@file", "-x", '"""', "'", "\\", "`", "$SCREEN_CAPTURE_KEY", "#{x}", "\r\n"),
  fc.boolean(),
  fc.integer(),
  fc.array(fc.string({ maxLength: 10 }), { maxLength: 3 }),
);
const hostileOptions = fc.dictionary(fc.stringMatching(/^[a-z_]{1,12}$/), values, { maxKeys: 4 });

describe("samples that run here send exactly the given options:", () => {
  const received: { url: string; body: string; authorization: string | undefined }[] = [];
  const server = createServer(async (request, response) => {
    received.push({
      url: request.url ?? "",
      body: await text(request),
      authorization: request.headers.authorization,
    });
    response.end("content");
  });
  let baseUrl = "";
  beforeAll(async () => {
    await once(server.listen(0, "127.0.0.1"), "listening");
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  const environment = { SCREEN_CAPTURE_KEY: "cap_x", KEY: "wrong" };
  const codeFor = (language: string, samples: ReturnType<typeof postSamples> | undefined) =>
    samples?.find((each) => each.language === language)?.code ?? "";

  for (const language of installedLanguages) {
    test(`${language}, POST`, async () => {
      const send = async (options: Record<string, unknown>) => {
        received.length = 0;
        const samples = postSamples(options, { baseUrl, output: "page.png" });
        await runSample(language, codeFor(language, samples), environment);
        expect(JSON.parse(received[0]?.body ?? "")).toEqual(options);
        expect(received[0]?.authorization).toBe("Bearer cap_x");
      };
      await send({ html: HOSTILE, full_page: true, hide_selectors: [HOSTILE, "#b"] });
      await fc.assert(fc.asyncProperty(hostileOptions, send), { numRuns: IS_SLOW_RUN && language !== "go" ? 4 : 1 }); // Go compiles each
    });

    test(`${language}, GET`, async () => {
      received.length = 0;
      const samples = getSamples({ html: HOSTILE }, { baseUrl, output: "page.png" });
      await runSample(language, codeFor(language, samples), environment);
      expect(new URL(received[0]?.url ?? "", baseUrl).searchParams.get("html")).toBe(HOSTILE);
    });
  }
});

test("samples in C#, which no test runs, quote JSON so that only the end of the literal is unescaped", () => {
  fc.assert(
    fc.property(hostileOptions, (options) => {
      const samples = postSamples(options, { baseUrl: "http://127.0.0.1", output: "page.png" });
      const code = samples.find((each) => each.language === "csharp")?.code ?? "";
      const literal = /StringContent\(("(?:[^"\\\n]|\\.)*")/.exec(code)?.[1] ?? "";
      expect(JSON.parse(literal)).toBe(JSON.stringify(options));
      expect(literal).not.toMatch(/[\u0085\u2028\u2029]/);
    }),
  );
});

test("there is a sample in nine languages, each of which reads the key from the environment", () => {
  const samples = postSamples({ url: "https://example.com" }, { baseUrl: "http://127.0.0.1", output: "page.png" });
  expect(samples.map(({ language }) => language)).toEqual(Object.keys(sampleLanguages));
  expect(samples).toHaveLength(9);
  for (const { code } of samples) expect(code).toContain("SCREEN_CAPTURE_KEY");
});
