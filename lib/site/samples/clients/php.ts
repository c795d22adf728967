// The sample of a capture with the PHP client.
import type { ClientCall } from "../client-call.ts";
import { phpLiteral, singleQuoted } from "../literals.ts";

/** The program in PHP. */
export function phpClientSample(call: ClientCall): string {
  const { baseUrl, keyVariable, kind, output = "" } = call;
  const options = phpLiteral(call.options);
  const statements = {
    save: [`$capture = $client->capture(${options});`, `$capture->save(${singleQuoted(output)});`],
    print: [`$page = $client->capture(${options});`, "echo $page->content;"],
    store: [`$result = $client->store(${options});`, "print_r($result);"],
    storeOutputs: [`$results = $client->storeOutputs(${options});`, "print_r($results);"],
    enqueue: [`$accepted = $client->enqueue(${options});`, "echo $accepted['status_url'];"],
  };
  return [
    "<?php",
    "",
    "require 'vendor/autoload.php';",
    "",
    `$client = new ScreenCapture\\Client(key: getenv('${keyVariable}'), baseUrl: ${singleQuoted(baseUrl)});`,
    ...statements[kind],
  ].join("\n");
}
