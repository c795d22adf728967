// `npm run release` in a repository of its own: what it writes, commits, tags and packs, and what it refuses.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { makeRelease, ReleaseError, releaseChangelog } from "../../../lib/tools/operate/release.ts";
import { slowTest } from "../../support/slow-run.ts";

const changelog =
  "# Changelog\n\n## Unreleased\n\n### Added\n- [API] A feature.\n\n## 1.0.0 – 2026-01-01\n\n- [API] The first.\n";
let root: string;
const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "release-test-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, "clients/typescript"), { recursive: true });
  const manifest = {
    name: "service",
    version: "1.0.0",
    scripts: { docs: "true", client: "cp clients/typescript/package.json" },
  };
  writeFileSync(join(root, "package.json"), JSON.stringify(manifest, null, 2));
  writeFileSync(join(root, "clients/typescript/package.json"), `{ "name": "client", "version": "1.0.0" }`);
  mkdirSync(join(root, "clients/python"));
  writeFileSync(
    join(root, "clients/python/pyproject.toml"),
    '[build-system]\nrequires = ["setuptools>=77"]\n\n[project]\nname = "client"\nversion = "1.0.0"\n',
  );
  mkdirSync(join(root, "clients/php"));
  writeFileSync(join(root, "clients/php/composer.json"), `{ "name": "a/client", "version": "1.0.0" }`);
  mkdirSync(join(root, "clients/ruby"));
  writeFileSync(
    join(root, "clients/ruby/screen_capture_client.gemspec"),
    'Gem::Specification.new do |spec|\n  spec.required_ruby_version = ">= 3.0"\n  spec.version = "1.0.0"\nend\n',
  );
  mkdirSync(join(root, "clients/java"));
  writeFileSync(join(root, "clients/java/pom.xml"), "<project>\n  <version>1.0.0</version>\n</project>\n");
  writeFileSync(join(root, "README.md"), "pip install http://a/screen_capture_client-1.0.0-py3-none-any.whl\n");
  writeFileSync(join(root, "CHANGELOG.md"), changelog);
  writeFileSync(join(root, ".gitignore"), "dist\n");
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "Test");
  git("config", "user.email", "test@example.com");
  git("add", "--all");
  git("commit", "--quiet", "--message", "feat: a feature");
});

slowTest(
  "release: has its version, a dated section of the changelog, a tag, and artifacts with their checksums",
  () => {
    const folder = makeRelease({ root, version: "1.1.0", date: "2026-02-03" });
    expect(git("show", "v1.1.0:package.json")).toContain(`"version": "1.1.0"`);
    expect(git("show", "v1.1.0:clients/typescript/package.json")).toContain(`"version": "1.1.0"`);
    expect(git("show", "v1.1.0:clients/python/pyproject.toml")).toContain(`\nversion = "1.1.0"`);
    expect(git("show", "v1.1.0:clients/php/composer.json")).toContain(`"version": "1.1.0"`);
    expect(git("show", "v1.1.0:clients/ruby/screen_capture_client.gemspec")).toContain(
      `  spec.required_ruby_version = ">= 3.0"\n  spec.version = "1.1.0"\n`,
    );
    expect(git("show", "v1.1.0:clients/java/pom.xml")).toContain("<version>1.1.0</version>");
    expect(git("show", "v1.1.0:README.md")).toBe("pip install http://a/screen_capture_client-1.1.0-py3-none-any.whl");
    expect(git("show", "v1.1.0:CHANGELOG.md")).toContain(
      "## Unreleased\n\n## 1.1.0 – 2026-02-03\n\n### Added\n- [API] A feature.",
    );
    expect(git("log", "-1", "--format=%s")).toBe("chore(release): v1.1.0");
    expect(readdirSync(folder).toSorted()).toEqual(["SHA256SUMS", "package.json", "sources.tar.gz"]);
    const checked = execFileSync("sha256sum", ["--check", "SHA256SUMS"], { cwd: folder, encoding: "utf8" });
    expect(checked).toBe("package.json: OK\nsources.tar.gz: OK\n");
  },
);

test.each<[string, string, RegExp, () => void]>([
  ["a version that is none", "1.1", /is no version/, () => {}],
  ["a version that Python doesn't know", "1.1.0-next", /is no version/, () => {}],
  ["changes that are not committed", "1.1.0", /Commit or remove/, () => writeFileSync(join(root, "new.txt"), "x")],
  ["another branch", "1.1.0", /Switch to the branch main/, () => git("switch", "--quiet", "--create", "other")],
  ["a tag that exists", "1.1.0", /The tag v1.1.0 exists/, () => git("tag", "v1.1.0")],
])("release: %s is refused, and nothing is written", (_, version, message, prepare) => {
  prepare();
  const before = git("rev-parse", "HEAD");
  expect(() => makeRelease({ root, version, date: "2026-02-03" })).toThrow(message);
  expect(git("rev-parse", "HEAD")).toBe(before);
  expect(readFileSync(join(root, "CHANGELOG.md"), "utf8")).toBe(changelog);
});

test("release: a changelog without news is refused", () => {
  const empty = changelog.replace("### Added\n- [API] A feature.\n\n", "");
  expect(() => releaseChangelog(empty, "1.1.0", "2026-02-03")).toThrow(ReleaseError);
});

test("release: a change that names no part of the product is refused", () => {
  const untagged = changelog.replace("[API] A feature", "A feature");
  expect(() => releaseChangelog(untagged, "1.1.0", "2026-02-03")).toThrow("must begin with [API] or");
});
