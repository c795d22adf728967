// Samples with the clients of PHP and Ruby: options have the types of the contract, and programs are valid.
import { expect, test } from "vitest";
import { phpClientSample } from "../../lib/site/samples/php-client-sample.ts";
import { rubyClientSample } from "../../lib/site/samples/ruby-client-sample.ts";

const headers = [["Authorization", "Bearer $SCREEN_CAPTURE_KEY"]] as const;
const url = "https://captures.example/api/v1/screenshot";
const get = (query: string, output?: string) => ({
  method: "GET",
  url: `${url}?${query}`,
  headers,
  ...(output !== undefined && { output }),
});
const query = "url=https://a.example/%3Fb&full_page=true&viewport_width=400&hide_selectors=%23a&hide_selectors=.'b";

test("client sample: in PHP, options are an array", () => {
  expect(phpClientSample(get(query, "page.png"))).toBe(`\
<?php

require 'vendor/autoload.php';

$client = new ScreenCapture\\Client(key: getenv('SCREEN_CAPTURE_KEY'), baseUrl: 'https://captures.example');
$capture = $client->capture([
    'url' => 'https://a.example/?b',
    'full_page' => true,
    'viewport_width' => 400,
    'hide_selectors' => [
        '#a',
        '.\\'b',
    ],
]);
$capture->save('page.png');`);
});

test("client sample: in Ruby, options are keyword arguments", () => {
  expect(rubyClientSample(get(query, "page.png"))).toBe(`\
require "screen_capture_client"

client = ScreenCapture::Client.new(key: ENV.fetch("SCREEN_CAPTURE_KEY"), base_url: "https://captures.example")
capture = client.capture(
  url: "https://a.example/?b",
  full_page: true,
  viewport_width: 400,
  hide_selectors: [
    "\\#a",
    ".'b"
  ]
)
capture.save("page.png")`);
});

test("client sample: in Ruby, the option timeout is in a hash, because the keyword is that of the call", () => {
  expect(rubyClientSample(get("url=u&timeout=9&async=true"))).toContain(
    'client.enqueue({\n  url: "u",\n  timeout: 9\n})\nputs accepted[:status_url]',
  );
});

test("client sample: names of headers and outputs are those of the request", () => {
  const sent = { url: "u", headers: { "X-A": "1" }, outputs: [{ name: "a" }] };
  const request = { method: "POST", url, headers, body: { kind: "json", text: JSON.stringify(sent) } } as const;
  expect(phpClientSample(request)).toMatch(/storeOutputs\(\[[\s\S]*'X-A' => '1'[\s\S]*'name' => 'a'/);
  expect(rubyClientSample(request)).toMatch(/store_outputs\([\s\S]*"X-A" => "1"[\s\S]*name: "a"/);
});

test("client sample: PHP and Ruby have none for another route", () => {
  const request = { method: "GET", url: "https://captures.example/api/v1/usage", headers };
  expect([phpClientSample(request), rubyClientSample(request)]).toEqual([undefined, undefined]);
});
