// Prints the SHA-256 of captures of `deterministicPage`, one a line: `node print-hashes.ts <count> <options as JSON>`.
import { createHash } from "node:crypto";
import { captureWith } from "./chromium.ts";
import { deterministicPage } from "./deterministic-page.ts";

const [count = "1", options = "{}"] = process.argv.slice(2);
for (let each = 0; each < Number(count); each++) {
  const { body } = await captureWith({ html: deterministicPage, ...JSON.parse(options) });
  process.stdout.write(`${createHash("sha256").update(body).digest("hex")}\n`);
}
