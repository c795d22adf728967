// Packs the Python client as a wheel for `pip install`. The same sources give the same bytes.
// Format: https://packaging.python.org/en/latest/specifications/binary-distribution-format/
import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { wheelName } from "./client-paths.ts";
import { zipArchive } from "./zip-archive.ts";

const source = join(import.meta.dirname, "../../../clients/python");

interface Wheel {
  readonly name: string;
  readonly content: Uint8Array;
}

/** The wheel of the version in `clients/python/pyproject.toml`. */
export function pythonWheel(): Wheel {
  const project = readFileSync(join(source, "pyproject.toml"), "utf8");
  const name = wheelName(field(project, "version"));
  const info = `${name.split("-").slice(0, 2).join("-")}.dist-info`;
  const modules = globSync("screen_capture_client/{*.py,py.typed}", { cwd: join(source, "src") }).toSorted();
  const files: Record<string, Uint8Array> = {
    ...Object.fromEntries(modules.map((path) => [path, readFileSync(join(source, "src", path))])),
    [`${info}/licenses/LICENSE`]: readFileSync(join(source, "LICENSE")),
    [`${info}/METADATA`]: Buffer.from(metadata(project)),
    [`${info}/WHEEL`]: Buffer.from(
      "Wheel-Version: 1.0\nGenerator: screen-capture-api\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    ),
  };
  const record = `${info}/RECORD`;
  const lines = Object.entries(files).map(([path, content]) => `${path},sha256=${sha256(content)},${content.length}\n`);
  const content = zipArchive({ ...files, [record]: Buffer.from(`${lines.join("")}${record},,\n`) });
  return { name, content };
}

/** The core metadata of the package, with its README. */
function metadata(project: string): string {
  const fields = {
    "Metadata-Version": "2.1",
    Name: field(project, "name"),
    Version: field(project, "version"),
    Summary: field(project, "description"),
    License: "MIT",
    "Requires-Python": field(project, "requires-python"),
    "Provides-Extra": "async",
    "Requires-Dist": `${/^async = \["([^"]*)"\]$/m.exec(project)?.[1]}; extra == "async"`,
    "Description-Content-Type": "text/markdown",
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\n`);
  return `${lines.join("")}\n${readFileSync(join(source, "README.md"), "utf8")}`;
}

/** A text of the table `project`. */
function field(project: string, name: string): string {
  const [, value] = new RegExp(`^${name} = "([^"]*)"$`, "m").exec(project) ?? [];
  if (value === undefined) throw new Error(`clients/python/pyproject.toml has no ${name}.`);
  return value;
}

function sha256(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("base64url");
}
