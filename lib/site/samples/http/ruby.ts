// The sample of an HTTP request in Ruby, with Net::HTTP.
import type { SampleRequest } from "../http-request.ts";
import { singleQuoted, textExpression } from "../literals.ts";

/** The program. */
export function ruby({ method, url, headers, body, output }: SampleRequest): string {
  const value = (text: string) =>
    textExpression(text, { quote: singleQuoted, variable: (name) => `ENV.fetch('${name}')`, join: " + " });
  const sendsForm = body?.kind === "form";
  return [
    "require 'net/http'",
    "",
    `uri = URI(${value(url)})`,
    `request = Net::HTTP::${method[0]}${method.slice(1).toLowerCase()}.new(uri)`,
    ...headers.map(([name, text]) => `request[${singleQuoted(name)}] = ${value(text)}`),
    ...(body?.kind === "json" ? [`request.body = ${singleQuoted(body.text)}`] : []),
    ...(sendsForm
      ? [`request.set_form_data(${body.fields.map(([name, text]) => `\n  '${name}' => ${value(text)}`).join(",")}\n)`]
      : []),
    "response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == 'https') { |http| http.request(request) }",
    "raise response.body unless response.is_a?(Net::HTTPSuccess)",
    output === undefined ? "puts response.body" : `File.binwrite(${singleQuoted(output)}, response.body)`,
  ].join("\n");
}
