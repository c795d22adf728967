// The names of other services' options: each leads to an option of ours that can be sent.
import { describe, expect, test } from "vitest";
import { parseCaptureOptions } from "../../../lib/contract/options/capture-options.ts";
import { captureOptionNames } from "../../../lib/contract/options/groups/all.ts";
import { otherServices } from "../../../lib/contract/options/other-service-names.ts";
import { suggestOption } from "../../../lib/contract/options/other-services.ts";
import { apiErrorOf } from "../../support/builders.ts";

describe.each(Object.entries(otherServices))("other services: each name of %s", (_, names) => {
  test("leads to an option, and is none itself", () => {
    for (const name of Object.keys(names)) {
      expect(captureOptionNames).toContain(suggestOption(name)?.option);
      expect(captureOptionNames).not.toContain(name);
    }
    expect(Object.keys(names).length).toBeGreaterThan(2);
  });
});

test("other services: a name is found however its words are joined", () => {
  const names = ["thumb_width", "thumbWidth", "thumb-width", "THUMB WIDTH"];
  expect(names.map((name) => suggestOption(name)?.option)).toEqual(names.map(() => "image_width"));
  expect(suggestOption("viewport_width")).toBeUndefined();
});

describe("other services: a value in milliseconds", () => {
  const problemOf = (sent: object) =>
    apiErrorOf(() => parseCaptureOptions({ url: "https://example.com", ...sent })).message;

  test.each([
    [{ delay: 2_000 }, "for 2000 milliseconds, send 2."],
    [{ delay: "1500" }, "for 1500 milliseconds, send 1.5."],
    [{ timeout: 60_000 }, "for 60000 milliseconds, send 60."],
    [{ navigation_timeout: 10_000 }, "for 10000 milliseconds, send 10."],
  ])("%j is reported in seconds", (sent, hint) => {
    expect(problemOf(sent)).toMatch(new RegExp(`; ${hint.replaceAll(".", "\\.")}`));
  });

  test.each([{ delay: 31 }, { delay: 99_000 }, { timeout: 91 }])("is not what %j means", (sent) => {
    expect(problemOf(sent)).not.toContain("milliseconds");
  });
});
