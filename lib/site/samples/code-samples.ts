// Code samples of one HTTP request in several languages: the key from the environment, the status checked.
import { TARBALL_PATH, WHEEL_PATH } from "../client-packages/client-paths.ts";
import { clientSample } from "./client-sample.ts";
import { curl, pieces } from "./curl-sample.ts";
import type { SampleRequest } from "./http-request.ts";
import { doubleQuoted, pythonLiteral } from "./literals.ts";
import { pythonClientSample } from "./python-client-sample.ts";
import type { SampleLanguage } from "./sample-languages.ts";

export interface CodeSample {
  readonly language: SampleLanguage;
  readonly code: string;
  /** The command that installs the package which the code imports; undefined if it needs none. */
  readonly install?: string;
}

type Writer = (request: SampleRequest) => string | Omit<CodeSample, "language">;

const writers: Readonly<Record<SampleLanguage, Writer>> = {
  sh: curl,
  javascript,
  typescript,
  python,
  php,
  go,
  ruby,
  csharp,
};

/** The sample of each language. Variables of the shell, such as `$ID`, become variables of the environment. */
export function codeSamples(request: SampleRequest): CodeSample[] {
  return Object.entries(writers).map(([language, write]) => {
    const written = write(request);
    return { language: language as SampleLanguage, ...(typeof written === "string" ? { code: written } : written) };
  });
}

/** An expression that joins literals and environment variables. */
function expression(
  text: string,
  quote: (text: string) => string,
  variable: (name: string) => string,
  join: string,
): string {
  const parts = pieces(text).map((piece) => ("text" in piece ? quote(piece.text) : variable(piece.variable)));
  return parts.length === 0 ? quote("") : parts.join(join);
}

const single = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

const templateText = (text: string) => text.replaceAll(/[\\`$]/g, "\\$&");

const indent = (text: string, by: string) => text.replaceAll("\n", `\n${by}`);

/** The typed client for captures, and fetch with types for other requests. */
function typescript(request: SampleRequest): Omit<CodeSample, "language"> {
  const code = clientSample(request);
  if (code === undefined) {
    return { code: javascript(request).replace("const response = await", "const response: Response = await") };
  }
  return { code, install: `npm install ${serviceUrl(request)}${TARBALL_PATH}` };
}

function serviceUrl({ url }: SampleRequest): string {
  const [baseUrl = ""] = url.split("/api/v1/");
  return baseUrl;
}

function javascript({ method, url, headers, body, output }: SampleRequest): string {
  const value = (text: string) =>
    pieces(text).some((piece) => "variable" in piece)
      ? `\`${expression(text, templateText, (name) => `\${process.env.${name}}`, "")}\``
      : doubleQuoted(text);
  const lines = [
    ...(method === "GET" ? [] : [`method: "${method}",`]),
    `headers: { ${headers.map(([name, text]) => `${/^\w+$/.test(name) ? name : doubleQuoted(name)}: ${value(text)}`).join(", ")} },`,
  ];
  if (body?.kind === "json") lines.push(`body: JSON.stringify(${indent(prettyJson(body.text), "  ")}),`);
  if (body?.kind === "form") {
    const fields = body.fields.map(([name, text]) => `    ${name}: ${value(text)},`).join("\n");
    lines.push(`body: new URLSearchParams({\n${fields}\n  }),`);
  }
  return [
    ...(output === undefined ? [] : ['import { writeFile } from "node:fs/promises";', ""]),
    `const response = await fetch(${value(url)}, {`,
    ...lines.map((line) => `  ${line}`),
    "});",
    "if (!response.ok) throw new Error(await response.text());",
    output === undefined
      ? "console.log(await response.text());"
      : `await writeFile(${doubleQuoted(output)}, new Uint8Array(await response.arrayBuffer()));`,
  ].join("\n");
}

/** The typed client for captures, and Requests for other requests. */
function python(request: SampleRequest): Omit<CodeSample, "language"> {
  const code = pythonClientSample(request);
  return code === undefined
    ? { code: pythonRequest(request), install: "pip install requests" }
    : { code, install: `pip install ${serviceUrl(request)}${WHEEL_PATH}` };
}

function pythonRequest({ method, url, headers, body, output }: SampleRequest): string {
  const value = (text: string) => expression(text, doubleQuoted, (name) => `os.environ["${name}"]`, " + ");
  // Requests sets the content type of JSON itself.
  const sent = headers.filter(([name]) => body?.kind !== "json" || name !== "Content-Type");
  const lines = [
    `${value(url)},`,
    `headers={${sent.map(([name, text]) => `${doubleQuoted(name)}: ${value(text)}`).join(", ")}},`,
  ];
  if (body?.kind === "json") lines.push(`json=${pythonLiteral(JSON.parse(body.text), "    ")},`);
  if (body?.kind === "form") {
    lines.push(
      `data={${body.fields.map(([name, text]) => `\n        ${doubleQuoted(name)}: ${value(text)},`).join("")}\n    },`,
    );
  }
  return [
    "import os",
    "",
    "import requests",
    "",
    `response = requests.${method.toLowerCase()}(`,
    ...lines.map((line) => `    ${line}`),
    ")",
    "if not response.ok:",
    "    raise SystemExit(response.text)",
    ...(output === undefined
      ? ["print(response.text)"]
      : [`with open(${doubleQuoted(output)}, "wb") as file:`, "    file.write(response.content)"]),
  ].join("\n");
}

function php({ method, url, headers, body, output }: SampleRequest): string {
  const value = (text: string) => expression(text, single, (name) => `getenv('${name}')`, " . ");
  const options = [
    ...(method === "GET" || (method === "POST" && body) ? [] : [`CURLOPT_CUSTOMREQUEST => '${method}',`]),
    `CURLOPT_HTTPHEADER => [${headers.map(([name, text]) => value(`${name}: ${text}`)).join(", ")}],`,
    ...(body?.kind === "json" ? [`CURLOPT_POSTFIELDS => ${single(body.text)},`] : []),
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
    output === undefined ? "echo $content;" : `file_put_contents(${single(output)}, $content);`,
  ].join("\n");
}

function go({ method, url, headers, body, output }: SampleRequest): string {
  const value = (text: string) => expression(text, doubleQuoted, (name) => `os.Getenv("${name}")`, " + ");
  const setUp =
    body?.kind === "json"
      ? [`body := strings.NewReader(${goRaw(body.text)})`]
      : body?.kind === "form"
        ? [
            "form := url.Values{",
            ...body.fields.map(([name, text]) => `\t${doubleQuoted(name)}: {${value(text)}},`),
            "}",
            "body := strings.NewReader(form.Encode())",
          ]
        : [];
  const formType = body?.kind === "form" ? [["Content-Type", "application/x-www-form-urlencoded"] as const] : [];
  const stopOnError = ["if err != nil {", "\tlog.Fatal(err)", "}"];
  const statements = [
    ...setUp,
    `request, err := http.NewRequest("${method}", ${value(url)}, ${body ? "body" : "nil"})`,
    ...stopOnError,
    ...[...headers, ...formType].map(([name, text]) => `request.Header.Set(${doubleQuoted(name)}, ${value(text)})`),
    "response, err := http.DefaultClient.Do(request)",
    ...stopOnError,
    "defer response.Body.Close()",
    "content, err := io.ReadAll(response.Body)",
    ...stopOnError,
    "if response.StatusCode >= 400 {",
    "\tlog.Fatal(string(content))",
    "}",
    ...(output === undefined
      ? ["fmt.Println(string(content))"]
      : [`if err := os.WriteFile(${doubleQuoted(output)}, content, 0o644); err != nil {`, "\tlog.Fatal(err)", "}"]),
  ].map((line) => `\t${line}`);
  return [
    "package main",
    "",
    "import (",
    ...goImports(statements).map((name) => `\t"${name}"`),
    ")",
    "",
    "func main() {",
    ...statements,
    "}",
  ].join("\n");
}

/** The packages that statements use, in the order of gofmt. Go compiles no program that imports more. */
function goImports(statements: readonly string[]): string[] {
  const packages = { fmt: "fmt", io: "io", log: "log", http: "net/http", url: "net/url", os: "os", strings: "strings" };
  const code = statements.join("\n").replaceAll(/"(?:[^"\\\n]|\\.)*"|`[^`]*`/g, "");
  return Object.entries(packages).flatMap(([name, path]) => (code.includes(`${name}.`) ? [path] : []));
}

function goRaw(text: string): string {
  return /[`\r\u0085\u2028\u2029\ufeff]/.test(text) ? doubleQuoted(text) : `\`${text}\``;
}

function ruby({ method, url, headers, body, output }: SampleRequest): string {
  const value = (text: string) => expression(text, single, (name) => `ENV.fetch('${name}')`, " + ");
  const sendsForm = body?.kind === "form";
  return [
    "require 'net/http'",
    "",
    `uri = URI(${value(url)})`,
    `request = Net::HTTP::${method[0]}${method.slice(1).toLowerCase()}.new(uri)`,
    ...headers.map(([name, text]) => `request[${single(name)}] = ${value(text)}`),
    ...(body?.kind === "json" ? [`request.body = ${single(body.text)}`] : []),
    ...(sendsForm
      ? [`request.set_form_data(${body.fields.map(([name, text]) => `\n  '${name}' => ${value(text)}`).join(",")}\n)`]
      : []),
    "response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == 'https') { |http| http.request(request) }",
    "raise response.body unless response.is_a?(Net::HTTPSuccess)",
    output === undefined ? "puts response.body" : `File.binwrite(${single(output)}, response.body)`,
  ].join("\n");
}

function csharp({ method, url, headers, body, output }: SampleRequest): string {
  const value = (text: string) =>
    expression(text, doubleQuoted, (name) => `Environment.GetEnvironmentVariable("${name}")`, " + ");
  const content =
    body?.kind === "json"
      ? [`request.Content = new StringContent(${doubleQuoted(body.text)}, Encoding.UTF8, "application/json");`]
      : body?.kind === "form"
        ? [
            `request.Content = new FormUrlEncodedContent(new Dictionary<string, string?>\n{${body.fields
              .map(([name, text]) => `\n    [${doubleQuoted(name)}] = ${value(text)},`)
              .join("")}\n});`,
          ]
        : [];
  return [
    ...(body?.kind === "json" ? ["using System.Text;", ""] : []),
    "using var client = new HttpClient();",
    `using var request = new HttpRequestMessage(HttpMethod.${method[0]}${method.slice(1).toLowerCase()}, ${value(url)});`,
    ...headers
      .filter(([name]) => name !== "Content-Type")
      .map(([name, text]) => `request.Headers.Add(${doubleQuoted(name)}, ${value(text)});`),
    ...content,
    "using var response = await client.SendAsync(request);",
    "if (!response.IsSuccessStatusCode) throw new Exception(await response.Content.ReadAsStringAsync());",
    output === undefined
      ? "Console.WriteLine(await response.Content.ReadAsStringAsync());"
      : `await File.WriteAllBytesAsync(${doubleQuoted(output)}, await response.Content.ReadAsByteArrayAsync());`,
  ].join("\n");
}

function prettyJson(text: string): string {
  return JSON.stringify(JSON.parse(text), undefined, 2);
}
