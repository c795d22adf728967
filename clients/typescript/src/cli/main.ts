#!/usr/bin/env node
// The `capture` command: checks the version of Node.js before it loads code that an older one can't run.
import process from "node:process";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major > 20 || (major === 20 && minor >= 17)) {
  await import("./run.ts");
} else {
  process.stderr.write(
    `error: capture needs Node.js 20.17 or later, and this is ${process.versions.node}. Install a newer one from https://nodejs.org.\n`,
  );
  process.exitCode = 1;
}
