// Captures that fail by the text of the page.
import { describe, expect, test } from "vitest";
import { failureOf } from "../../../support/chromium.ts";
import { sampled } from "../../../support/slow-run.ts";
import { startSmallCaptures } from "../../../support/small-captures.ts";

const { captureOf } = startSmallCaptures();

describe("fail_if_content_contains and fail_if_content_missing", () => {
  const said = `<p>Access <b>DENIED</b>   here</p><p hidden>secret</p><iframe srcdoc="framed"></iframe>
    <x-a><template shadowrootmode="open"><p>in a shadow</p></template></x-a>`;

  sampled(test, 12).each([["access denied"], ["denied\there"], ["IN A SHADOW"]])(
    "find visible text: %s",
    async (phrase) => {
      expect(await failureOf(captureOf(said, { fail_if_content_contains: ["nothing", phrase] }))).toMatchObject({
        code: "CONTENT_RULE_FAILED",
        details: { fail_if_content_contains: [`the page contains '${phrase}'`] },
      });
      expect((await captureOf(said, { format: "text", fail_if_content_missing: [phrase] })).warnings).toEqual([]);
    },
  );

  sampled(test, 12).each([["secret"], ["framed"], ["srcdoc"]])(
    "do not find hidden text or markup: %s",
    async (phrase) => {
      expect(await failureOf(captureOf(said, { fail_if_content_missing: ["access", phrase] }))).toMatchObject({
        code: "CONTENT_RULE_FAILED",
        details: { fail_if_content_missing: [`the page lacks '${phrase}'`] },
      });
      expect((await captureOf(said, { format: "text", fail_if_content_contains: [phrase] })).warnings).toEqual([]);
    },
  );
});
