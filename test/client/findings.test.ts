// What the command line prints of warnings and problems.
import { stderr } from "node:process";
import { expect, test, vi } from "vitest";
import { printFindings } from "../../clients/typescript/src/cli/problems.ts";

function printed(...findings: Parameters<typeof printFindings>): string {
  const write = vi.spyOn(stderr, "write").mockReturnValue(true);
  printFindings(...findings);
  const text = write.mock.calls.map(([chunk]) => chunk).join("");
  write.mockRestore();
  return text;
}

const cut = "The page is 30,000 pixels high and was cut off at 20,000.";

test("command line: what is a problem isn't also a warning", () => {
  const problems = [{ code: "CUT_OFF" as const, message: cut, fix: { full_page_max_height: 30_000 } }];
  const problem = `warning: a.html: CUT_OFF: ${cut} Try --full-page-max-height 30000.\n`;
  expect(printed({ warnings: cut, problems }, "a.html")).toBe(problem);
  expect(printed({ warnings: [cut], problems }, "a.html")).toBe(problem);
  expect(printed({ warnings: `A font is missing. ${cut} It is blank.`, problems }, "a.html")).toBe(
    `warning: a.html: A font is missing. It is blank.\n${problem}`,
  );
  expect(printed({ warnings: ["One.", "Two."] })).toBe("warning: One.\nwarning: Two.\n");
});
