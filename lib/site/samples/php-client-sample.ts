// The sample of a capture with the PHP client.
import { clientCall } from "./client-call.ts";
import type { SampleRequest } from "./http-request.ts";
import { phpLiteral, singleQuoted } from "./literals.ts";

/** The program in PHP; undefined for a request that `clientCall` has no call for. */
export function phpClientSample(request: SampleRequest): string | undefined {
  const call = clientCall(request);
  if (!call) return undefined;
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
