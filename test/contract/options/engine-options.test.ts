import { expect, test } from "vitest";
import { parseCaptureOptions } from "../../../lib/contract/options/capture-options.ts";
import { engineOptions } from "../../../lib/contract/options/engine-options.ts";

test("the engine gets the options of the page, and no address or secret of a delivery", () => {
  const options = parseCaptureOptions({
    url: "https://example.com",
    authorization: "Basic dXNlcjpwYXNz",
    format: "jpeg",
    full_page: true,
    async: true,
    webhook_url: "https://example.com/hook",
    store: true,
    storage_path: "captures/{request_id}",
    storage_bucket: "bucket",
    storage_access_key_id: "AKIAIOSFODNN7EXAMPLE",
    storage_secret_access_key: "secret-of-the-storage",
  });

  const given = engineOptions(options);

  expect(given).toMatchObject({ url: options.url, full_page: true, format: "jpeg" });
  expect(given).toMatchObject({ authorization: "Basic dXNlcjpwYXNz", timeout: options.timeout });
  expect(Object.keys(given).filter((name) => /^(storage_|store$|webhook_|cache|async$)/.test(name))).toEqual([]);
  expect(JSON.stringify(given)).not.toContain("secret-of-the-storage");
});
