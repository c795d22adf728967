// The sample of a capture with the Python client.
import type { ClientCall } from "../client-call.ts";
import { doubleQuoted, pythonLiteral } from "../literals.ts";

/** The program in Python. */
export function pythonClientSample(call: ClientCall): string {
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
