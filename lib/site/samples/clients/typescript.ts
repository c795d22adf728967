// The sample of a capture with the typed client.
import type { ClientCall, ClientCallOptions } from "../client-call.ts";

/** The program in TypeScript. */
export function typescriptClientSample(call: ClientCall): string {
  const { baseUrl, keyVariable, kind, output = "" } = call;
  const options = literal(call.options);
  const statements = {
    save: [`const { bytes } = await client.capture(${options});`, `await writeFile(${JSON.stringify(output)}, bytes);`],
    print: [`const page = await client.capture(${options});`, "console.log(page.text());"],
    store: [`const result = await client.store(${options});`, "console.log(result);"],
    storeOutputs: [`const results = await client.storeOutputs(${options});`, "console.log(results);"],
    enqueue: [`const accepted = await client.enqueue(${options});`, "console.log(accepted.status_url);"],
  };
  return [
    ...(kind === "save" ? ['import { writeFile } from "node:fs/promises";'] : []),
    'import { ScreenCapture } from "screen-capture-client";',
    "",
    `const client = new ScreenCapture({ key: process.env.${keyVariable}, baseUrl: ${JSON.stringify(baseUrl)} });`,
    ...statements[kind],
  ].join("\n");
}

function literal(options: ClientCallOptions): string {
  const lines = Object.entries(options).map(
    ([name, value]) => `  ${name}: ${JSON.stringify(value, undefined, 2).replaceAll("\n", "\n  ")},`,
  );
  return `{\n${lines.join("\n")}\n}`;
}
