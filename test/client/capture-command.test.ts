// What the command line refuses before it sends anything, what it prints as a curl command, and what a shell completes.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stdout } from "node:process";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { runCapture } from "../../clients/typescript/src/cli/capture-command.ts";
import { completionScript } from "../../clients/typescript/src/cli/completion.ts";
import { exitCode } from "../../clients/typescript/src/cli/exit-code.ts";
import { captureFlags, commonFlags, parseFlags } from "../../clients/typescript/src/cli/flags.ts";
import { optionsText } from "../../clients/typescript/src/cli/help.ts";
import { runJobs } from "../../clients/typescript/src/cli/jobs-command.ts";
import { keysFlags, runKeys } from "../../clients/typescript/src/cli/keys-command.ts";
import { runUsage, usageFlags } from "../../clients/typescript/src/cli/usage-command.ts";
import { options } from "../../clients/typescript/src/generated/command-line.ts";

const before = process.cwd();
const { signal } = new AbortController();
const files = {
  "page.html": "<h1>Source</h1><img src=used.png>",
  "two.html": "<h1>Two</h1>",
  "list.txt": "page.html",
  "used.png": "a picture",
};
beforeAll(() => {
  process.chdir(mkdtempSync(join(tmpdir(), "capture-command-")));
  for (const [name, text] of Object.entries(files)) writeFileSync(name, text);
  symlinkSync("page.html", "link.html");
  vi.stubEnv("SCREEN_CAPTURE_KEY", "cap_secret");
  vi.stubEnv("SCREEN_CAPTURE_URL", "http://127.0.0.1:9"); // nothing answers there
});
afterAll(() => {
  vi.unstubAllEnvs();
  const folder = process.cwd();
  process.chdir(before);
  rmSync(folder, { recursive: true });
});

const run = async (...args: readonly string[]) => {
  const { positionals, values } = parseFlags(args, captureFlags, "capture options");
  return runCapture(positionals, values, signal);
};
const usageErrorOf = async (work: () => Promise<unknown>) => {
  const error = await work().then(
    () => undefined,
    (thrown: Error) => thrown,
  );
  return [exitCode(error), error?.message];
};

test.each([
  [["https://a.example", "https://b.example", "-o", "a.png", "-o", "b.pdf"], "Several --output take one page."],
  [["https://a.example", "--validate", "-o", "a.png", "-o", "b.pdf"], "--validate is for a single result."],
  [["https://a.example", "--response-type", "base64", "-o", "a.png", "-o", "b.pdf"], "--response-type is for a single"],
  [["https://a.example", "--async", "-o", "a.png", "-o", "b.pdf"], "An asynchronous capture writes no file."],
  [["https://a.example", "--async", "-o", "a.png"], "capture jobs ID --wait --output FILE"],
  [["https://a.example", "https://b.example", "-o", "a.png"], "End it with a slash for a folder"],
  ...["svg", "doc", "xyz", "jpgg"].map((extension): [string[], string] => [
    ["https://a.example", "-o", `page.${extension}`],
    `.${extension} isn't the extension of a format. Use one of png, jpeg,`,
  ]),
  [["https://a.example", "--key", "cap_x"], "Unknown flag --key."],
  [["https://a.example", "--widt", "3"], "Unknown flag --widt. Did you mean --width?"],
])("command line: %j is refused", async (args, message) => {
  expect(await usageErrorOf(() => run(...args))).toEqual([2, expect.stringContaining(message)]);
});

test.each<[string, () => Promise<unknown>, string]>([
  [
    "usage --bad",
    async () => parseFlags(["--bad"], [...usageFlags, ...commonFlags], "capture usage --help"),
    "Unknown flag --bad. See 'capture usage --help' for all flags.",
  ],
  ["usage --error-code without --captures", () => runUsage({ "error-code": "CAPACITY" }, signal), "needs --captures."],
  ["jobs --wait without an id", () => runJobs([], { wait: true }, signal), "Pass the id of a capture."],
  ["keys limit without a limit", () => runKeys(["limit", "7"], {}, signal), "Pass the limit: "],
  [
    "keys limit with a limit below 0",
    () => runKeys(["limit", "7"], parseFlags(["--monthly-limit=-1"], keysFlags, "").values, signal),
    "--monthly-limit must be a number of captures or none, not -1.",
  ],
  ["keys rotate with an overlap in words", () => runKeys(["rotate", "7"], { overlap: "soon" }, signal), "a duration"],
])("command line: %s is refused", async (_, work, message) => {
  expect(await usageErrorOf(work)).toEqual([2, expect.stringContaining(message)]);
});

describe("command line: a file that it reads is never overwritten", () => {
  test.each([
    ["by its own name", ["page.html", "-o", "page.html"]],
    ["through a link", ["page.html", "-o", "link.html"]],
    ["in the folder of the results", ["page.html", "-o", "./", "--format", "html"]],
    ["among the results of several pages", ["page.html", "two.html", "--format", "html"]],
    ["as one of several files of a page", ["page.html", "-o", "page.png", "-o", "page.html"]],
    ["which is a list of pages", ["-i", "list.txt", "-o", "list.txt"]],
  ])("%s", async (_, args) => {
    const message = "is read by this command and isn't overwritten";
    expect(await usageErrorOf(() => run(...args))).toEqual([2, expect.stringContaining(message)]);
    expect(readdirSync(".").toSorted()).toEqual([...Object.keys(files), "link.html"].toSorted());
    for (const [name, text] of Object.entries(files)) expect(readFileSync(name, "utf8")).toBe(text);
  });
});

describe("command line: --curl prints", () => {
  const curl = async (...args: readonly string[]) => {
    const write = vi.spyOn(stdout, "write").mockReturnValue(true);
    await run(...args, "--curl");
    const text = write.mock.calls.map(([chunk]) => chunk).join("");
    write.mockRestore();
    return text;
  };

  test("several files of one page as one command", async () => {
    expect(await curl("https://a.example", "-o", "a.png", "-o", "b.pdf", "--pdf-scale", "2")).toContain(
      `'outputs=[{"name":"a","format":"png"},{"name":"b","format":"pdf","pdf_scale":"2"}]'`,
    );
  });

  test("no password of a URL, and a variable for each value of a secret option", async () => {
    const printed = await curl("https://me:sesame@example.com/", "--cookies", "a=1", "--cookies", "b=2");
    expect(printed).toMatch(/"url=\$URL"[\s\S]*"cookies=\$COOKIES"[\s\S]*"cookies=\$COOKIES_2"/);
    expect(printed).not.toMatch(/sesame|a=1|b=2|cap_/);
  });
});

test("command line: options describes every option of the contract", () => {
  const names = optionsText([])
    .split("\n")
    .map((line) => line.split(" ")[0]);
  expect(names).toEqual(options.map(({ name }) => `--${name.replaceAll("_", "-")}`));
  expect(optionsText(["dark", "mode"])).toContain("--dark-mode\n    Emulate");
});

test("command line: bash completes commands, flags, and values", () => {
  const completions: [string[], string[]][] = [
    [["capture", "--viewport-dev"], ["--viewport-device"]],
    [
      ["capture", "--device", "iphone_15_pro_m"],
      ["iphone_15_pro_max", "iphone_15_pro_max_landscape"],
    ],
    [["capture", "u"], ["usage"]],
    [["capture", "keys", "ro"], ["rotate"]],
    [["capture", "keys", "--sc"], ["--scope"]],
    [["capture", "--no-javas"], ["--no-javascript"]],
    [["capture", "jobs", "--wa"], ["--wait"]],
  ];
  const complete = ([words]: [string[], string[]]) =>
    `COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}; _capture; echo "\${COMPREPLY[@]}"`;
  const script = [completionScript("bash"), ...completions.map(complete)].join("\n");
  const printed = execFileSync("bash", ["-c", script], { cwd: import.meta.dirname, encoding: "utf8" });
  expect(printed.trim().split("\n")).toEqual(completions.map(([, expected]) => expected.join(" ")));
});
