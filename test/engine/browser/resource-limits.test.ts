// Resource limits of a process that is started like a browser.
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { withResourceLimits } from "../../../lib/engine/browser/resource-limits.ts";

/** What a shell says that has been confined, and been given open files as its function was. */
function said(script: string): string {
  const { executable, arguments: args } = withResourceLimits(["/bin/bash", "-c", script], { memoryMegabytes: 100 });
  const stdio = Array.from({ length: 70 }, () => "pipe" as const);
  return spawnSync(executable, args, { stdio, env: { HOME: tmpdir() }, encoding: "utf8" }).stdout.trim();
}

test("resource limits: keep the DevTools pipe, and no other file of the function", () => {
  // In addition to them, the shell has the folder open that it lists.
  expect(said("cd /proc/$$/fd && for fd in *; do [ -e $fd ] && echo $fd; done").split("\n")).toEqual([..."01234"]);
});

test("resource limits: cannot be raised again", () => {
  expect(said("ulimit -d unlimited; ulimit -d; ulimit -Hc")).toBe(`${(100 + 512) * 1024}\n0`);
});

test("resource limits: preload a library into the process, and not into the shell", () => {
  const preload = "no-such-library.so";
  const limited = withResourceLimits(["/bin/bash", "-c", "echo $LD_PRELOAD"], { memoryMegabytes: 100, preload });
  const { stdout, stderr } = spawnSync(limited.executable, limited.arguments, {
    env: { HOME: tmpdir() },
    encoding: "utf8",
  });
  expect(stdout.trim()).toBe(preload);
  expect(stderr.match(/cannot be preloaded/g)).toHaveLength(1);
});

test("resource limits: start the process in its home", () => {
  expect(said("pwd")).toBe(tmpdir());
});

test("resource limits: start the requested command with its arguments unchanged", () => {
  const { arguments: args } = withResourceLimits(["/bin/echo", "$HOME", "a b", "--flag=<x>; ls"], {
    memoryMegabytes: 100,
  });
  const { stdout } = spawnSync("/bin/bash", args, { env: { HOME: tmpdir() }, encoding: "utf8" });
  expect(stdout).toBe("$HOME a b --flag=<x>; ls\n");
});
