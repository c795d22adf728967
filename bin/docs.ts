// `npm run docs`: writes the tables of docs/reference, docs/openapi.json and the generated files of the clients from the
// contract, the tables of metrics, of what is stored, and of billing events, and docs/third-party.md from the lockfile.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { billingEventTable } from "../lib/service/openapi/billing-event-table.ts";
import { generatedFiles } from "../lib/service/openapi/clients/generated-files.ts";
import { openapiDocument } from "../lib/service/openapi/document.ts";
import { referenceTables, replaceTable } from "../lib/service/openapi/reference-tables.ts";
import { storedDataTables } from "../lib/service/openapi/stored-data-tables.ts";
import { metricTable } from "../lib/tools/local/metrics/metric-definitions.ts";
import { deployedPackages } from "../lib/tools/operate/supply-chain/deployed-packages.ts";
import { readLockfile } from "../lib/tools/operate/supply-chain/lockfile.ts";
import { thirdPartyDocument } from "../lib/tools/operate/supply-chain/third-party.ts";

const project = join(import.meta.dirname, "..");

for (const [name, table] of Object.entries(referenceTables)) {
  const page = join(project, `docs/reference/${name}.md`);
  writeFileSync(page, replaceTable(readFileSync(page, "utf8"), name, table()));
}

for (const [name, table] of Object.entries(storedDataTables)) {
  const page = join(project, `docs/${name}.md`);
  writeFileSync(page, replaceTable(readFileSync(page, "utf8"), "stored-data", table()));
}

const operations = join(project, "docs/operations.md");
writeFileSync(operations, replaceTable(readFileSync(operations, "utf8"), "metrics", metricTable()));

const payments = join(project, "docs/payments.md");
writeFileSync(payments, replaceTable(readFileSync(payments, "utf8"), "billing-events", billingEventTable()));

// The document of a running service has that service's own address; this one has the address of `npm start`.
const document = openapiDocument("http://127.0.0.1:3000");
writeFileSync(join(project, "docs/openapi.json"), `${JSON.stringify(document, undefined, 2)}\n`);

for (const [folder, files] of Object.entries(generatedFiles)) {
  for (const [name, text] of Object.entries(files())) writeFileSync(join(project, folder, name), text);
}

writeFileSync(join(project, "docs/third-party.md"), thirdPartyDocument(deployedPackages(readLockfile(project))));
