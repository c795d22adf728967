// The sample of a capture with the Python client.
import { clientCall } from "./client-call.ts";
import type { SampleRequest } from "./http-request.ts";
import { doubleQuoted, pythonLiteral } from "./literals.ts";

/** The program in Python; undefined for a request that `clientCall` has no call for. */
export function pythonClientSample(request: SampleRequest): string | undefined {
  const call = clientCall(request);
  if (!call) return undefined;
  const { baseUrl, keyVariable, kind, output = "" } = call;
  const options = pythonLiteral(call.options);
  const statements = {
    save: [`capture = client.capture(${options})`, `capture.save(${doubleQuoted(output)})`],
    print: [`page = client.capture(${options})`, "print(page.text)"],
    store: [`result = client.store(${options})`, "print(result)"],
    storeOutputs: [`results = client.store_outputs(${options})`, "print(results)"],
    enqueue: [`accepted = client.enqueue(${options})`, 'print(accepted["status_url"])'],
  };
  return [
    "import os",
    "",
    "from screen_capture_client import ScreenCapture",
    "",
    `client = ScreenCapture(key=os.environ["${keyVariable}"], base_url=${doubleQuoted(baseUrl)})`,
    ...statements[kind],
  ].join("\n");
}
