// Samples of captures with the clients of typed languages: names and values have the types of the clients.
import { expect, test } from "vitest";
import { schemaModel } from "../../lib/service/openapi/clients/schema-model.ts";
import { type ClientCall, clientCall } from "../../lib/site/samples/client-call.ts";
import { goClientSample } from "../../lib/site/samples/clients/go.ts";
import { javaClientSample } from "../../lib/site/samples/clients/java.ts";
import { choiceType } from "../../lib/site/samples/option-kind.ts";

const headers = [["Authorization", "Bearer $SCREEN_CAPTURE_KEY"]] as const;
const url = "https://captures.example/api/v1/screenshot";
const callOf = (options: object, output?: string) =>
  clientCall({
    method: "POST",
    url,
    headers,
    body: { kind: "json", text: JSON.stringify(options) },
    ...(output !== undefined && { output }),
  }) as ClientCall;

const options = {
  url: "https://a.example/?b",
  format: "webp",
  full_page: true,
  viewport_width: 400,
  delay: 2,
  hide_selectors: [".a", ".b"],
  wait_until: ["load"],
  headers: { "X-A": "1" },
  cookies: ["a=b"],
};

test("Go client sample: options have the types of the client, and columns as gofmt writes them", () => {
  expect(goClientSample(callOf(options, "page.webp"))).toBe(`\
package main

import (
	"context"
	"log"
	"os"

	screencapture "screencapture.internal/client"
)

func main() {
	client, err := screencapture.New(screencapture.Config{Key: os.Getenv("SCREEN_CAPTURE_KEY"), BaseURL: "https://captures.example"})
	if err != nil {
		log.Fatal(err)
	}
	options := &screencapture.CaptureOptions{
		URL:           "https://a.example/?b",
		Format:        "webp",
		FullPage:      screencapture.Ptr(true),
		ViewportWidth: screencapture.Ptr(400),
		Delay:         screencapture.Ptr(2.0),
		HideSelectors: []string{".a", ".b"},
		WaitUntil:     []screencapture.WaitUntil{"load"},
		Headers:       map[string]string{"X-A": "1"},
		Extra:         map[string]any{"cookies": []any{"a=b"}},
	}
	if _, err := client.CaptureToFile(context.Background(), options, "page.webp"); err != nil {
		log.Fatal(err)
	}
}`);
});

test("Java client sample: options have the types of the client, and what it names is imported", () => {
  expect(javaClientSample(callOf(options, "page.webp"))).toBe(`\
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import screencapture.CaptureOptions;
import screencapture.Format;
import screencapture.ScreenCapture;
import screencapture.WaitUntil;

class Sample {
    public static void main(String[] args) {
        var client = ScreenCapture.builder()
            .key(System.getenv("SCREEN_CAPTURE_KEY"))
            .baseUrl("https://captures.example")
            .build();
        var options = CaptureOptions.builder()
            .url("https://a.example/?b")
            .format(Format.WEBP)
            .fullPage(true)
            .viewportWidth(400)
            .delay(2)
            .hideSelectors(".a", ".b")
            .waitUntil(WaitUntil.LOAD)
            .headers(Map.of("X-A", "1"))
            .option("cookies", List.of("a=b"))
            .build();
        client.captureToFile(options, Path.of("page.webp"));
    }
}`);
});

test("typed client samples: several results are options of their own", () => {
  const call = callOf({ url: "https://a.example/", outputs: [{ name: "shot" }, { name: "print", format: "pdf" }] });
  expect(goClientSample(call)).toContain('\t\t{Name: "print", Format: "pdf"},');
  expect(javaClientSample(call)).toContain('CaptureOutput.builder().name("print").format(Format.PDF).build());');
});

test.each([
  ["stores a result", { response_type: "json" }, "client.Store(", "client.store("],
  ["queues an asynchronous capture", { async: true }, "client.Enqueue(", "client.enqueue("],
  ["prints a document", { format: "markdown" }, "page.Text()", ".text()"],
])("typed client samples: one that %s", (_title, more, go, java) => {
  const call = callOf({ url: "https://a.example/", ...more });
  expect([goClientSample(call).includes(go), javaClientSample(call).includes(java)]).toEqual([true, true]);
});

test("typed client samples: choices have the names of the clients' types", () => {
  const sent = schemaModel().objects.filter(({ name }) => /^CaptureO(ptions|utput)$/.test(name));
  const named = sent.flatMap(({ fields }) =>
    fields.flatMap(({ name, type }) => {
      const each = type.kind === "list" ? type.of : type;
      return each.kind === "enum" ? [[name, each.name] as const] : [];
    }),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.map(([name]) => choiceType(name))).toEqual(named.map(([, type]) => type));
});
