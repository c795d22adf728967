// Packs the Ruby client as a gem with the index of a source, for `gem install` and Bundler. The same sources give the same bytes.
// Format: https://guides.rubygems.org/specification-reference/ and `Gem::Package`, `Gem::Indexer`.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync, gunzipSync, gzipSync } from "node:zlib";
import { gemName, gemVersion } from "./client-paths.ts";
import { type RubyValue, rubyMarshal } from "./ruby-marshal.ts";
import { tarArchive } from "./tar-archive.ts";

const source = join(import.meta.dirname, "../../../clients/ruby");

interface GemFile {
  /** Below the address of the source. */
  readonly path: string;
  readonly content: Buffer;
}

/** The gem of the version in the gemspec, and the files from which RubyGems learns that the source has it. */
export async function rubyGem(): Promise<readonly GemFile[]> {
  const gemspec = readFileSync(join(source, "screen_capture_client.gemspec"), "utf8");
  const version = gemVersion(field(gemspec, "version"));
  const entry = [field(gemspec, "name"), versionObject(version), "ruby"];
  const isPrerelease = /[a-z]/.test(version);
  const index = (name: string, entries: readonly RubyValue[]): GemFile => ({
    path: `${name}.4.8.gz`,
    content: gzipSync(rubyMarshal(entries), { level: 9 }),
  });
  const name = gemName(field(gemspec, "version"));
  return [
    index("specs", isPrerelease ? [] : [entry]),
    index("latest_specs", isPrerelease ? [] : [entry]),
    index("prerelease_specs", isPrerelease ? [entry] : []),
    { path: `quick/Marshal.4.8/${name}.gemspec.rz`, content: deflateSync(marshalSpecification(gemspec, version)) },
    { path: `gems/${name}.gem`, content: await pack(gemspec, version) },
  ];
}

async function pack(gemspec: string, version: string): Promise<Buffer> {
  const names = globSync(["lib/**/*.rb", "sig/**/*.rbs", "README.md", "LICENSE"], { cwd: source }).toSorted();
  const data = await tarArchive(names.map((name) => [name, readFileSync(join(source, name))]));
  const metadata = gzipSync(yamlSpecification(gemspec, version, names), { level: 9 });
  // The gem itself isn't compressed: its files are.
  return gunzipSync(
    await tarArchive([
      ["metadata.gz", metadata],
      ["data.tar.gz", data],
    ]),
  );
}

/** `Gem::Specification#to_yaml`: what it leaves out has its default. */
function yamlSpecification(gemspec: string, version: string, files: readonly string[]): string {
  const requirement = (of: string) =>
    `!ruby/object:Gem::Requirement\n  requirements:\n  - - ">="\n    - !ruby/object:Gem::Version\n      version: '${of}'\n`;
  return `--- !ruby/object:Gem::Specification
name: ${field(gemspec, "name")}
version: !ruby/object:Gem::Version
  version: ${version}
platform: ruby
authors:
- ${field(gemspec, "authors")}
date: 1980-01-02 00:00:00.000000000 Z
dependencies: []
files:
${files.map((file) => `- ${file}\n`).join("")}licenses:
- ${field(gemspec, "license")}
metadata: {}
require_paths:
- lib
required_ruby_version: ${requirement(requiredRuby(gemspec))}required_rubygems_version: ${requirement("0")}rubygems_version: 3.3.15
specification_version: 4
summary: ${field(gemspec, "summary")}
`;
}

/** `Gem::Specification#_dump`, whose fields have an order. */
function marshalSpecification(gemspec: string, version: string): Buffer {
  const requirement = (of: string): RubyValue => ({ class: "Gem::Requirement", data: [[[">=", versionObject(of)]]] });
  const fields = [
    "3.3.15", // RubyGems
    4, // the version of the specification
    field(gemspec, "name"),
    versionObject(version),
    "1980-01-02",
    field(gemspec, "summary"),
    requirement(requiredRuby(gemspec)),
    requirement("0"), // of RubyGems
    null, // the original platform
    [], // dependencies
    "",
    null, // e-mail address
    [field(gemspec, "authors")],
    null, // description
    null, // home page
    true,
    "ruby", // platform
    [field(gemspec, "license")],
    new Map(), // metadata
  ];
  return rubyMarshal({ class: "Gem::Specification", dump: rubyMarshal(fields) });
}

function versionObject(version: string): RubyValue {
  return { class: "Gem::Version", data: [version] };
}

function requiredRuby(gemspec: string): string {
  return field(gemspec, "required_ruby_version").replace(">= ", "");
}

/** A text of the gemspec, or the first one of a list. */
function field(gemspec: string, name: string): string {
  const [, value] = new RegExp(`^ {2}spec\\.${name} = \\[?"([^"]*)"`, "m").exec(gemspec) ?? [];
  if (value === undefined) throw new Error(`The gemspec has no ${name}.`);
  return value;
}
