// SSRF check of a webhook URL before its name is resolved.
import { expect, test } from "vitest";
import { parseAllowedOrigins } from "../../../lib/engine/egress/egress-policy.ts";
import { requireWebhookAddress } from "../../../lib/service/webhooks/webhook-address.ts";
import { apiErrorOf } from "../../support/builders.ts";

const allowed = parseAllowedOrigins("127.0.0.1:8080,10.0.0.5:443");

test.each([
  "https://example.com/hook",
  "https://example.com:8443/hook?token=1",
  "https://93.184.216.34/hook",
  "https://[2606:2800:220:1::1]/hook",
  "http://127.0.0.1:8080/hook",
  "http://localhost:8080/hook",
  "https://127.0.0.1:8080/hook",
  "https://10.0.0.5/hook",
])("webhook URL: %s is accepted", (url) => {
  expect(() => requireWebhookAddress(url, allowed)).not.toThrow();
});

test.each([
  ["http://example.com/hook", "must be an https URL"],
  ["http://93.184.216.34/hook", "must be an https URL"],
  ["http://127.0.0.1/hook", "must be an https URL"],
  ["http://127.0.0.1:8081/hook", "must be an https URL"],
  ["https://127.0.0.1/hook", "is an address that webhooks may not be sent to"],
  ["https://localhost/hook", "is an address that webhooks may not be sent to"],
  ["https://hook.localhost/", "is an address that webhooks may not be sent to"],
  ["https://10.0.0.5:444/hook", "is an address that webhooks may not be sent to"],
  ["https://169.254.169.254/latest", "is an address that webhooks may not be sent to"],
  ["https://[::1]/hook", "is an address that webhooks may not be sent to"],
  ["https://[::ffff:10.0.0.1]/hook", "is an address that webhooks may not be sent to"],
  ["https://0x7f.1/hook", "is an address that webhooks may not be sent to"],
  ["https://2130706433/hook", "is an address that webhooks may not be sent to"],
])("webhook URL: %s is rejected: it %s", (url, message) => {
  const { code, details } = apiErrorOf(() => requireWebhookAddress(url, allowed));
  expect([code, details]).toEqual(["VALIDATION_ERROR", { webhook_url: [message] }]);
});
