// Packs the Ruby client as a gem with the index of a source, for `gem install` and Bundler. The same sources give the same bytes.
// Format: https://guides.rubygems.org/specification-reference/ and `Gem::Package`, `Gem::Indexer`.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { deflateSync, gzipSync } from "node:zlib";
import tar from "tar-stream";
import { gemName, gemVersion } from "./client-paths.ts";
import { type RubyValue, rubyMarshal } from "./ruby-marshal.ts";

const source = join(import.meta.dirname, "../../../clients/ruby");

/** As RubyGems has it for reproducible builds: the first time that a zip file can hold. */
const MODIFIED_AT = new Date("1980-01-02T00:00:00Z");

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
  const data = await archive(names.map((name) => [name, readFileSync(join(source, name))]));
  return archive([
    ["metadata.gz", gzipSync(yamlSpecification(gemspec, version, names), { level: 9 })],
    ["data.tar.gz", gzipSync(data, { level: 9 })],
  ]);
}

async function archive(files: readonly (readonly [name: string, content: Buffer])[]): Promise<Buffer> {
  const packed = tar.pack();
  for (const [name, content] of files) packed.entry({ name, mtime: MODIFIED_AT, mode: 0o644 }, content);
  packed.finalize();
  return buffer(packed);
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
