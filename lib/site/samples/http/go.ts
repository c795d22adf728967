// The sample of an HTTP request in Go, with net/http.
import type { SampleRequest } from "../http-request.ts";
import { doubleQuoted, textExpression } from "../literals.ts";

/** The program, as gofmt has it. */
export function go({ method, url, headers, body, output }: SampleRequest): string {
  const value = (text: string) =>
    textExpression(text, { quote: doubleQuoted, variable: (name) => `os.Getenv("${name}")`, join: " + " });
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
