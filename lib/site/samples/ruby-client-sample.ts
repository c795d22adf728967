// The sample of a capture with the Ruby client.
import { type ClientCallOptions, clientCall } from "./client-call.ts";
import type { SampleRequest } from "./http-request.ts";
import { rubyLiteral, rubyString } from "./literals.ts";

/** The program in Ruby; undefined for a request that `clientCall` has no call for. */
export function rubyClientSample(request: SampleRequest): string | undefined {
  const call = clientCall(request);
  if (!call) return undefined;
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
