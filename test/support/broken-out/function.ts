// A function that starts code in place of Chromium, as it starts Chromium. It prints what the code reaches, as JSON.
// Arguments: folder of the libraries; which protections it has; the command in place of Chromium.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { createServer } from "node:http";
import inspector from "node:inspector";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { BROWSER_FILTER_FILE, closeProcess } from "../../../lib/engine/browser/protection.ts";
import { withResourceLimits } from "../../../lib/engine/browser/resource-limits.ts";

const [folder = "", protections = "", ...command] = process.argv.slice(2);

let isSignalled = false;
if (protections.includes("closed")) {
  closeProcess(folder);
  process.on("SIGUSR1", () => {
    isSignalled = true;
  });
}
const descriptor = openSync(process.execPath, "r");
const server = createServer().listen(0, "127.0.0.1");
await once(server, "listening");
const { port } = server.address() as AddressInfo;

const { executable, arguments: args } = withResourceLimits([...command, String(descriptor), String(port)], {
  memoryMegabytes: 100,
  ...(protections.includes("filter") && { preload: BROWSER_FILTER_FILE }),
});
const attacker = spawn(executable, args, {
  env: { HOME: folder, LD_LIBRARY_PATH: folder },
  stdio: ["ignore", "pipe", "inherit"],
  detached: true,
});
const lines = (await text(attacker.stdout)).trim().split("\n");
const reached = Object.fromEntries(lines.map((line) => line.split("\t")));
if (reached.debugger === "reached") {
  // The signal was sent, and does one or the other.
  while (inspector.url() === undefined && !isSignalled) await sleep(10);
  if (inspector.url() === undefined) reached.debugger = "the signal is ignored";
}
console.log(JSON.stringify(reached));
process.exit(0);
