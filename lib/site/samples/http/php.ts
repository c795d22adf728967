// The sample of an HTTP request in PHP, with curl.
import type { SampleRequest } from "../http-request.ts";
import { singleQuoted, textExpression } from "../literals.ts";

/** The program. */
export function php({ method, url, headers, body, output }: SampleRequest): string {
  const value = (text: string) =>
    textExpression(text, { quote: singleQuoted, variable: (name) => `getenv('${name}')`, join: " . " });
  const options = [
    ...(method === "GET" || (method === "POST" && body) ? [] : [`CURLOPT_CUSTOMREQUEST => '${method}',`]),
    `CURLOPT_HTTPHEADER => [${headers.map(([name, text]) => value(`${name}: ${text}`)).join(", ")}],`,
    ...(body?.kind === "json" ? [`CURLOPT_POSTFIELDS => ${singleQuoted(body.text)},`] : []),
    ...(body?.kind === "form"
      ? [
          `CURLOPT_POSTFIELDS => http_build_query([\n${body.fields
            .map(([name, text]) => `        '${name}' => ${value(text)},`)
            .join("\n")}\n    ]),`,
        ]
      : []),
    "CURLOPT_RETURNTRANSFER => true,",
  ];
  return [
    "<?php",
    `$curl = curl_init(${value(url)});`,
    "curl_setopt_array($curl, [",
    ...options.map((option) => `    ${option}`),
    "]);",
    "$content = curl_exec($curl);",
    "if ($content === false) throw new RuntimeException(curl_error($curl));",
    "if (curl_getinfo($curl, CURLINFO_RESPONSE_CODE) >= 400) throw new RuntimeException($content);",
    output === undefined ? "echo $content;" : `file_put_contents(${singleQuoted(output)}, $content);`,
  ].join("\n");
}
