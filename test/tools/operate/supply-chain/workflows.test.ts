// The GitHub workflows: pinned actions, few permissions, and what the weekly and the release workflow must do.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import packageJson from "../../../../package.json" with { type: "json" };

const folder = join(import.meta.dirname, "../../../../.github/workflows");
const workflows = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]));

describe.each([...workflows])("workflow %s", (_, text) => {
  test("pins each action by the hash of a commit, with its version beside it", () => {
    const used = [...text.matchAll(/uses: (.+)/g)].map(([, action = ""]) => action);
    expect(used.length).toBeGreaterThan(0);
    for (const action of used) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test("may read the repository, keeps no credentials, and has a time limit", () => {
    expect(text).toMatch(/^permissions:\n {2}contents: read$/m);
    const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
    expect(count(/persist-credentials: false/g)).toBe(count(/actions\/checkout@/g));
    expect(count(/timeout-minutes:/g)).toBe(count(/runs-on:/g));
  });

  test("runs npm scripts that exist", () => {
    const scripts = [...text.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, name = ""]) => name);
    expect(scripts.filter((name) => !(name in packageJson.scripts))).toEqual([]);
  });
});

test("workflows: the weekly one audits, checks signatures, and compares the bill of materials with that of its last run", () => {
  const weekly = workflows.get("weekly.yml") ?? "";
  expect(weekly).toMatch(/cron: "\d+ \d+ \* \* \d"/);
  for (const command of ["npm run audit", "npm audit signatures", "npm run --silent sbom:difference"]) {
    expect(weekly).toContain(command);
  }
});

test("workflows: a release attests the clients that it packs from its tag, and may do nothing else", () => {
  const release = workflows.get("release.yml") ?? "";
  expect(release).toMatch(/tags: \["v\*"\]/);
  const order = ["npm run --silent client", "actions/attest-build-provenance@", "actions/upload-artifact@"];
  const places = order.map((each) => release.indexOf(each));
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(places).not.toContain(-1);
  expect(release.match(/: write/g)).toHaveLength(2);
});
