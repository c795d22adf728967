// What npm's audit found, sorted by where it matters.
import { expect, test } from "vitest";
import { isUrgent, readFindings } from "../../../../lib/tools/operate/supply-chain/audit.ts";

const lockfile = {
  "node_modules/ws": { version: "8.0.0" },
  "node_modules/tool/node_modules/ws": { version: "7.0.0" },
  "node_modules/tool": { version: "1.0.0" },
};
const deployed = [{ name: "ws", version: "8.0.0", licence: "MIT", sha512: "", locations: ["functions"] as const }];
const advisory = { title: "Too much memory", url: "https://github.com/advisories/GHSA-1" };

const find = (
  name: string,
  nodes: readonly string[],
  { severity = "low", via = [advisory] as readonly (typeof advisory | string)[] } = {},
) => readFindings({ vulnerabilities: { [name]: { severity, via, nodes } } }, { lockfile, deployed });

test("audit: lists a package for each installed copy, deployed ones first", () => {
  const found = find("ws", ["node_modules/tool/node_modules/ws", "node_modules/ws"]);
  const advisories = ["Too much memory (https://github.com/advisories/GHSA-1)"];
  expect(found).toEqual([
    { name: "ws", version: "8.0.0", severity: "low", isDeployed: true, advisories },
    { name: "ws", version: "7.0.0", severity: "low", isDeployed: false, advisories },
  ]);
});

test("audit: names the vulnerable dependency of a package", () => {
  expect(find("tool", ["node_modules/tool"], { via: ["ws"] })[0]?.advisories).toEqual(["by ws"]);
});

test.each([
  ["something small in what is deployed", "ws", "node_modules/ws", "low", true],
  ["something small in a tool", "tool", "node_modules/tool", "moderate", false],
  ["something serious in a tool", "tool", "node_modules/tool", "high", true],
])("audit: %s: urgent is %5$s", (_, name, path, severity, expected) => {
  expect(find(name, [path], { severity }).some(isUrgent)).toBe(expected);
});
