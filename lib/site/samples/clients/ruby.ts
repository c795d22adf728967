// The sample of a capture with the Ruby client.
import type { ClientCall, ClientCallOptions } from "../client-call.ts";
import { rubyLiteral, rubyString } from "../literals.ts";

/** The program in Ruby. */
export function rubyClientSample(call: ClientCall): string {
  const { baseUrl, keyVariable, kind, output = "" } = call;
  const options = callArguments(call.options);
  const statements = {
    save: [`capture = client.capture(${options})`, `capture.save(${rubyString(output)})`],
    print: [`page = client.capture(${options})`, "puts page.text"],
    store: [`result = client.store(${options})`, "p result"],
    storeOutputs: [`results = client.store_outputs(${options})`, "p results"],
    enqueue: [`accepted = client.enqueue(${options})`, "puts accepted[:status_url]"],
  };
  return [
    'require "screen_capture_client"',
    "",
    `client = ScreenCapture::Client.new(key: ENV.fetch("${keyVariable}"), base_url: ${rubyString(baseUrl)})`,
    ...statements[kind],
  ].join("\n");
}

/** Keyword arguments, or a hash where one of them would be that of the call. */
function callArguments(options: ClientCallOptions): string {
  const literal = rubyLiteral(options);
  return "timeout" in options ? literal : literal.slice(1, -1);
}
