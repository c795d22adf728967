// The logs of the running service.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";

/** All that its functions have logged. */
export function serviceLogs(): string {
  const files = readdirSync(join(inject("service").dataDir, "logs"), { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8"))
    .join("\n");
}
