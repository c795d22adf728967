// `npm run docs`: generates the tables of the README and docs/openapi.json from the code, and docs/third-party.md from the
// lockfile.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openapiDocument } from "../lib/api/openapi/document.ts";
import { errorTable, limitTable, optionTables, planTable } from "../lib/api/openapi/reference-tables.ts";
import { deployedPackages } from "../lib/supply-chain/deployed-packages.ts";
import { readLockfile } from "../lib/supply-chain/lockfile.ts";
import { thirdPartyDocument } from "../lib/supply-chain/third-party.ts";

const project = join(import.meta.dirname, "..");
const readme = join(project, "README.md");
const tables = { options: optionTables(), limits: limitTable(), plans: planTable(), errors: errorTable() };

const text = Object.entries(tables).reduce(
  (written, [name, table]) =>
    written.replace(
      new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(<!-- /${name} -->)`),
      (_, begin, end) => `${begin}${table}\n${end}`,
    ),
  readFileSync(readme, "utf8"),
);
writeFileSync(readme, text);

// The address `npm start` listens on; the document that a service answers has its own.
const document = openapiDocument("http://127.0.0.1:3000");
writeFileSync(join(project, "docs/openapi.json"), `${JSON.stringify(document, undefined, 2)}\n`);

writeFileSync(join(project, "docs/third-party.md"), thirdPartyDocument(deployedPackages(readLockfile(project))));
