// `npm run docs`: writes the option table of the README anew from the schema.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { optionTable } from "../lib/contract/option-reference.ts";

const readme = join(import.meta.dirname, "../README.md");
const text = readFileSync(readme, "utf8");
writeFileSync(readme, text.replace(/(<!-- options -->\n)[\s\S]*?(\n<!-- \/options -->)/, `$1${optionTable()}$2`));
