// What a start shows on a terminal and in a log.
import { expect, test } from "vitest";
import { Progress } from "../../../../lib/tools/local/cli/progress.ts";

function output(isTTY: boolean) {
  const written: string[] = [];
  return { isTTY, write: (text: string) => written.push(text) > 0, text: () => written.join("") };
}

test("progress: a log has one line for each finished stage, in the order in which they end", async () => {
  const log = output(false);
  const progress = new Progress(log);
  const slow = Promise.withResolvers<string>();

  const first = progress.run("Chromium", () => slow.promise);
  await progress.run("Fonts", async () => "done");
  slow.resolve("unpacked");

  expect(await first).toBe("unpacked");
  expect(log.text()).toMatch(/^ {2}Fonts +\d+\.\d s\n {2}Chromium +\d+\.\d s\n$/);
});

test("progress: a terminal shows what runs, and erases it", async () => {
  const terminal = output(true);
  const progress = new Progress(terminal);
  const slow = Promise.withResolvers<void>();

  const running = [progress.run("Chromium", () => slow.promise), progress.run("Fonts", () => slow.promise)];
  progress.print("A line of the service.");
  const [lastFrame] = terminal.text().split("\r\x1b[2K").slice(-1);
  expect(lastFrame).toMatch(/^\S Chromium, Fonts \.\.\. \d+\.\d s$/);
  expect(terminal.text()).toContain("\r\x1b[2KA line of the service.\n");

  slow.resolve();
  await Promise.all(running);
  expect(terminal.text().split("\r\x1b[2K").slice(-1)).toEqual([expect.stringMatching(/^ {2}Fonts +\d+\.\d s\n$/)]);
});

test("progress: a stage that fails prints nothing, and its error is thrown", async () => {
  const log = output(false);
  const progress = new Progress(log);
  await expect(progress.run("Fonts", () => Promise.reject(new Error("no space")))).rejects.toThrow("no space");
  expect(log.text()).toBe("");
});
