// `npm run clients`: generates an API client with each of three generators from npm, compiles it, and captures with it.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { synthesizeWithCache } from "../lib/tools/local/assembly/cached-assembly.ts";
import { demoAccount } from "../lib/tools/local/cli/demo-account.ts";
import { useLocalData } from "../lib/tools/local/cli/find-service.ts";
import { startService } from "../lib/tools/local/service.ts";
import { type GeneratedClient, generatedClients } from "../test/clients/programs.ts";

const project = resolve(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "clients-"));
const dataDir = join(folder, "data");

/** As strict as a project may be that uses a client. */
const compiling = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    target: "es2022",
    lib: ["es2022", "dom", "dom.iterable"],
    module: "esnext",
    moduleResolution: "bundler",
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    types: ["node"],
    noEmit: true,
  },
  include: ["program.ts"],
};

const service = await startService({
  assembly: (output) => synthesizeWithCache({ project, output, context: { stage: "local" } }),
  dataDir,
  environment: ({ baseUrl }) => ({ BASE_URL: baseUrl }),
});
let failed = 0;
try {
  useLocalData({ ...service.endpoints, secretsKey: service.outputs["SecretsKey"] });
  const { key } = await demoAccount(dataDir, service.outputs["AccountsTable"] ?? "");
  const openapi = await (await fetch(`${service.baseUrl}/api/v1/openapi.json`)).text();
  for (const [name, client] of Object.entries(generatedClients)) {
    try {
      await tryClient(client, { place: join(folder, name.replaceAll(/\W/g, "-")), openapi, key });
      console.log(`${name}: compiles, and captures by POST and by GET`);
    } catch (error) {
      failed++;
      const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
      console.error(`${name}: ${error}\n${stdout}${stderr}`);
    }
  }
} finally {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${Object.keys(generatedClients).length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

interface Trial {
  readonly place: string;
  /** The document, as the service answers it. */
  readonly openapi: string;
  readonly key: string;
}

/** Throws where the client cannot be made, does not compile, does not capture or puts the key into an address. */
async function tryClient({ packages, generate, files = {}, program }: GeneratedClient, { place, openapi, key }: Trial) {
  const [generator = "", ...generatorArguments] = generate;
  mkdirSync(place, { recursive: true });
  const written = {
    ...files,
    "openapi.json": openapi,
    "program.ts": program,
    "tsconfig.json": JSON.stringify(compiling),
  };
  for (const [file, text] of Object.entries({ "package.json": '{"type":"module"}', ...written })) {
    writeFileSync(join(place, file), text);
  }
  await run(place, "npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--silent", ...packages);
  await run(place, join(place, "node_modules/.bin", generator), ...generatorArguments);
  await run(place, join(place, "node_modules/.bin/tsc"), "--noEmit");
  const bundle = join(place, "program.mjs");
  await build({
    entryPoints: [join(place, "program.ts")],
    outfile: bundle,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "error",
  });
  const addresses = (await run(place, process.execPath, bundle)).trim().split("\n");
  const paths = addresses.map((address) => new URL(address).pathname);
  if (paths.join() !== "/api/v1/screenshot,/api/v1/screenshot")
    throw new Error(`It requested ${addresses.join(", ")}.`);
  if (addresses.some((address) => address.includes(key))) throw new Error("The API key is in an address.");

  /** Asynchronous, because this process is the gateway that the program calls. */
  async function run(cwd: string, command: string, ...commandArguments: string[]): Promise<string> {
    const env = { ...process.env, BASE_URL: service.baseUrl, SCREEN_CAPTURE_KEY: key };
    return (await promisify(execFile)(command, commandArguments, { cwd, env, timeout: 180_000 })).stdout;
  }
}
