// The command line of `npm run logs`.
import { describe, expect, test } from "vitest";
import { createId } from "../../../../lib/service/platform/ids.ts";
import { parseLogOptions } from "../../../../lib/tools/operate/logs/log-command.ts";

const NOW = Date.parse("2026-11-30T12:00:00Z");
const parse = (...line: string[]) => parseLogOptions(line, NOW);

describe("logs: options", () => {
  test("without any", () => {
    const filter = { ids: undefined, account: undefined, since: NOW - 3_600_000 };
    expect(parse()).toEqual({ filter, follows: false, isJson: false, stage: undefined });
  });

  test("all of them", () => {
    const id = createId(NOW - 86_400_000, 0);
    expect(parse("--request", String(id), "--account", "17", "--follow", "--json", "--stage", "prod")).toEqual({
      filter: { ids: new Set([String(id)]), account: "17", since: NOW - 86_400_000 - 60_000 },
      follows: true,
      isJson: true,
      stage: "prod",
    });
  });

  test.each([
    ["90s", 90_000],
    ["30m", 1_800_000],
    ["12h", 43_200_000],
    ["7d", 604_800_000],
    ["2026-11-30T11:00:00Z", 3_600_000],
    ["2026-11-30", 43_200_000],
  ])("--since %s", (since, ago) => {
    expect(parse("--since", since).filter.since).toBe(NOW - ago);
  });

  test.each([
    [["--since", "yesterday"], /^--since must be a time such as 30m/],
    [["--since", "1"], /^--since must/],
    [["--request", "x"], /^--request must be the id of the request, not 'x'\.$/],
    [["--account", "1.5"], /^--account must be the id/],
    [["--color"], /--color/],
    [["show"], /show/],
  ])("%j is refused", (line, message) => {
    expect(() => parse(...line)).toThrow(message);
  });
});
