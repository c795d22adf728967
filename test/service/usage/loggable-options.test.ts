// Redaction and truncation of options for the capture log: no secret survives, and nothing is too long.
import { describe, expect, test } from "vitest";
import { isSecret, optionAliases, parseCaptureOptions } from "../../../lib/contract/options/capture-options.ts";
import { type CaptureOptionName, captureOptionNames } from "../../../lib/contract/options/groups/all.ts";
import { rawOptions } from "../../../lib/service/http/api-request.ts";
import { loggableOptions, redactPassword } from "../../../lib/service/usage/loggable-options.ts";
import { examples, url } from "../../contract/options/example-options.ts";
import { anApiRequest, FORM_TYPE, JSON_TYPE } from "../../support/builders.ts";

describe("capture log redaction: a URL", () => {
  test.each([
    ["https://user:secret@example.com/a?b=c#d", "https://user:REDACTED@example.com/a?b=c#d"],
    ["http://:secret@example.com/", "http://:REDACTED@example.com/"],
    ["HTTPS://user:a%40b%2Fc@example.com:8443", "https://user:REDACTED@example.com:8443/"],
    ["https://user:se@cret@example.com/", "https://user:REDACTED@example.com/"],
    ["ftp://user:secret@example.com/", "ftp://user:REDACTED@example.com/"],
  ])("with a password is logged without it: %s", (url, kept) => {
    expect(redactPassword(url)).toBe(kept);
  });

  test.each([
    "https://example.com",
    "https://user@example.com/",
    "https://example.com/@name",
    "https://example.com/?to=a:b@c.example",
    "https://example.com/#a:b@c",
    "not an address: a:b@c",
    "<a href='https://u:p@example.com'>",
    "",
  ])("without a password is logged unchanged: %s", (url) => {
    expect(redactPassword(url)).toBe(url);
  });
});

describe("capture log redaction: options", () => {
  test("are logged as they were sent", () => {
    const sent = { full_page: "true", delay: 2.5, dark_mode: false, wait_until: ["load", "auto"], selector: "#ü" };
    expect(loggableOptions(sent)).toEqual(sent);
  });

  test("have no password, not in a list either", () => {
    const url = "https://user:secret@example.com/";
    expect(loggableOptions({ url, others: [url, [url]] })).toEqual({
      url: "https://user:REDACTED@example.com/",
      others: ["https://user:REDACTED@example.com/", ["https://user:REDACTED@example.com/"]],
    });
  });

  test("keep text of 1,000 characters whole", () => {
    const html = "x".repeat(1_000);
    expect(loggableOptions({ html })).toEqual({ html });
  });

  test("are truncated when longer, with their length noted", () => {
    expect(loggableOptions({ html: `${"x".repeat(1_000)}y`, markdown: "x".repeat(10_000) })).toEqual({
      html: `${"x".repeat(1_000)}... (1001 characters in total)`,
      markdown: `${"x".repeat(1_000)}... (10000 characters in total)`,
    });
  });

  test("keep 100 items of a list", () => {
    const list = Array.from({ length: 101 }, (_, index) => index);
    expect(loggableOptions({ list })).toEqual({ list: list.slice(0, 100) });
  });

  test("fit into a DynamoDB item, however large", () => {
    const sent = { html: "<p>".repeat(1_300_000), selector: "#a" };
    expect(JSON.stringify(loggableOptions(sent)).length).toBeLessThan(1_200);
  });

  // With quadratic time this would exceed the test's timeout.
  test.each(["a", "a.", "://", "a://b:", "https://u:p", "@"])(
    "are truncated before they are searched: much of %j",
    (piece) => {
      const html = piece.repeat(1_000_000);
      expect(JSON.stringify(loggableOptions({ html })).length).toBeLessThan(1_200);
    },
  );

  test("leave the sent object unchanged", () => {
    const sent = Object.freeze({ html: "x".repeat(2_000), list: Object.freeze(["https://u:p@example.com/"]) });
    loggableOptions(sent);
    expect(sent).toEqual({ html: "x".repeat(2_000), list: ["https://u:p@example.com/"] });
  });
});

describe("capture log redaction: no secret survives", () => {
  const secret = "s3cr3t-0123456789";

  /** Valid option values that contain a secret. */
  const secrets: Readonly<Record<string, readonly unknown[]>> = {
    headers: [
      `X-A: ${secret}`,
      [`X-A: ${secret}`, "X-B: 1"],
      { "X-A": secret },
      `{"X-A":"${secret}"}`,
      `["X-A: ${secret}"]`,
    ],
    cookies: [
      `a=${secret}`,
      [`a=${secret}; Path=/`],
      [{ name: "a", value: secret }],
      `[{"name":"a","value":"${secret}"}]`,
    ],
    authorization: [`Bearer ${secret}`],
    http_auth_username: [secret],
    http_auth_password: [secret],
    proxy: [`http://u:${secret}@proxy.example:8080`, `HTTP://${secret}@proxy.example`],
    url: [`https://u:${secret}@example.com/`, `https://:${secret}@example.com/`, `https:/u:${secret}@example.com/`],
    base_url: [`https://u:${secret}@example.com/docs/`],
    referer: [`https://u:${secret}@example.org/`],
    styles: [
      `https://u:${secret}@example.com/a.css`,
      [` https://u:${secret}@example.com/a.css `, "p {}"],
      `["https://u:${secret}@example.com/a.css"]`,
      `@import "https://u:${secret}@example.com/a.css"; p {}`,
    ],
    scripts: [`await fetch("https://u:${secret}@example.com/")`, [`import("https://u:${secret}@example.com/a.js")`]],
    html: [`<img src="https://u:${secret}@example.com/a.png">`, `${"x".repeat(990)} https://u:${secret}@example.com/`],
    markdown: [`[a](https://u:se@${secret}@example.com/)`],
    fail_if_request_failed: [`https://u:${secret}@example.com/*`],
    webhook_url: [`https://u:p@hooks.example/${secret}`, `https://hooks.example/?token=${secret}`],
    storage_access_key_id: [secret],
    storage_secret_access_key: [secret],
  };

  const rows = Object.entries(secrets).flatMap(([name, values]) =>
    values.map((value) => ({ name: name as CaptureOptionName, value })),
  );

  test.each(rows)("in $name sent as $value", ({ name, value }) => {
    const { sentWith } = examples[name];
    const body = { ...sentWith, [name]: value };
    const requests = [anApiRequest({ method: "POST", headers: JSON_TYPE, body })];
    if ([value].flat().every((each) => typeof each === "string")) {
      const pairs = Object.entries(body).flatMap(([each, sent]) =>
        [sent].flat().map((text): [string, string] => [each, String(text)]),
      );
      requests.push(anApiRequest({ query: pairs }));
      requests.push(anApiRequest({ method: "POST", headers: FORM_TYPE, body: new URLSearchParams(pairs).toString() }));
    }
    for (const request of requests) {
      const sent = rawOptions(request);
      expect(() => parseCaptureOptions(sent)).not.toThrow();
      const kept = loggableOptions(sent);
      expect(JSON.stringify(kept)).not.toContain("s3cr3t");
      expect(Object.keys(kept)).toEqual(Object.keys(sent));
    }
  });

  test("in any secret option", () => {
    expect(Object.keys(secrets)).toEqual(expect.arrayContaining(captureOptionNames.filter(isSecret)));
    const sent = Object.fromEntries(captureOptionNames.filter(isSecret).map((name) => [name, secret]));
    expect(new Set(Object.values(loggableOptions(sent)))).toEqual(new Set(["REDACTED"]));
  });

  test.each(Object.entries(optionAliases))("in %s, which is an alias of %s", (alias, name) => {
    expect(loggableOptions({ [alias]: "de" })).toEqual({ [alias]: isSecret(name) ? "REDACTED" : "de" });
  });

  test.each(["Authorization", "COOKIES", "proxy ", "headers[]"])("in %j, which is unknown and never logged", (name) => {
    expect(() => parseCaptureOptions({ url, [name]: secret })).toThrow(
      expect.objectContaining({ code: "VALIDATION_ERROR" }),
    );
  });
});
