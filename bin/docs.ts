// `npm run docs`: writes the option table of the README anew from the schema.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { optionTable } from "../lib/contract/option-reference.ts";

const readme = join(import.meta.dirname, "../README.md");
const text = readFileSync(readme, "utf8");
const between = /(<!-- options -->\n)[\s\S]*?(<!-- \/options -->)/;
writeFileSync(
  readme,
  text.replace(between, (_, begin, end) => `${begin}${optionTable()}\n${end}`),
);
