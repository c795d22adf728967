// The line on which programs say what they do: on a terminal, and once that takes longer.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startStatusLine, withStatusLine } from "../../clients/typescript/src/cli/status-line.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function terminal(isTTY = true, columns = 80) {
  const written: string[] = [];
  return { isTTY, columns, write: (text: string) => written.push(text), written };
}
const lines = ({ written }: { written: readonly string[] }) => written.map((text) => text.replace("\r\u001b[2K", "|"));

test("status line: says after two seconds what a program does and for how long, and is removed in the end", () => {
  const output = terminal();
  const line = startStatusLine("Capturing", { output });
  vi.advanceTimersByTime(1_900);
  line.enter("Downloading");
  expect(output.written).toEqual([]);
  vi.advanceTimersByTime(1_200);
  line.enter("Storing");
  vi.advanceTimersByTime(900);
  line.interrupt(() => output.write("warning"));
  line.end();
  vi.advanceTimersByTime(10_000);
  expect(lines(output)).toEqual([
    "|Downloading ... 2 s",
    "|Downloading ... 3 s",
    "|Storing ... 4 s",
    "|",
    "warning",
    "|Storing ... 4 s",
    "|",
  ]);
});

test("status line: fits into one line of a narrow terminal", () => {
  const output = terminal(true, 12);
  const line = startStatusLine("A long description", { output });
  vi.advanceTimersByTime(2_000);
  line.end();
  expect(lines(output)[0]).toBe("|A long desc");
});

test.each([
  ["a pipe", { output: terminal(false) }],
  ["a quiet program", { output: terminal(), isQuiet: true }],
])("status line: %s gets none, and what is printed meanwhile", (_, options) => {
  const line = startStatusLine("Capturing", options);
  vi.advanceTimersByTime(5_000);
  line.interrupt(() => options.output.write("result"));
  line.end();
  expect(options.output.written).toEqual(["result"]);
});

test("status line: is removed when the work fails", async () => {
  const output = terminal();
  const working = withStatusLine(
    "Reading",
    () => vi.advanceTimersByTimeAsync(2_500).then(() => Promise.reject(new Error("no"))),
    { output },
  );
  await expect(working).rejects.toThrow("no");
  expect(lines(output)).toEqual(["|Reading ... 2 s", "|"]);
});
