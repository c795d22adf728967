// The GitHub workflows: pinned actions, few permissions, and what the weekly and the release workflow must do.
import { globSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import packageJson from "../../../../package.json" with { type: "json" };

const root = join(import.meta.dirname, "../../../..");
const folder = join(root, ".github/workflows");
const workflows = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]));

describe.each([...workflows])("workflow %s", (_, text) => {
  test("pins each action by the hash of a commit, with its version next to it", () => {
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

test("workflows: the age of Chromium has a weekly job of its own, so that its failure hides no vulnerability", () => {
  const [, jobs = ""] = (workflows.get("weekly.yml") ?? "").split(/^jobs:$/m);
  const commands = jobs
    .split(/^ {2}(?=[\w-]+:$)/m)
    .map((job) => [...job.matchAll(/run: (npm run audit.*)$/gm)].map(([, run]) => run));
  expect(commands.filter(({ length }) => length > 0)).toEqual([["npm run audit"], ["npm run audit:chromium"]]);
});

/** Files that can name the image of a container. */
const imageFiles = [".devcontainer/**", ".github/workflows/*", "**/Dockerfile*", "*compose*.{yml,yaml}"];

/** The images that a file names, such as `node:24`. */
const imagesIn = (text: string) =>
  [...text.matchAll(/^\s*(?:FROM|(?:-\s+)?"?(?:image|container|uses)"?:)\s*"?((?:docker:\/\/)?[\w./-]+[:@][^\s",]+)/gm)]
    .map(([, image = ""]) => image)
    .filter((image) => !/^[\w-]+\/[\w./-]+@[0-9a-f]{40}$/.test(image)); // an action

test("repository: names every image of a container by its digest, of which it has none", () => {
  const examples = [
    '  "image": "mcr.microsoft.com/a/b:24-c",',
    "FROM node:24",
    "    container: node:24",
    "  image: a@sha256:1",
  ];
  expect(examples.flatMap(imagesIn)).toHaveLength(examples.length);
  const isSkipped = (name: string) => ["node_modules", ".local", "cdk.out"].includes(basename(name));
  const files = globSync(imageFiles, { cwd: root, exclude: isSkipped }).filter((file) =>
    statSync(join(root, file)).isFile(),
  );
  expect(files).toContain(".github/workflows/ci.yml");
  const images = files.flatMap((file) => imagesIn(readFileSync(join(root, file), "utf8")));
  expect(images.filter((image) => !/@sha256:[0-9a-f]{64}$/.test(image))).toEqual([]);
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
