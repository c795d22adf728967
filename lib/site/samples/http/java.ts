// The sample of an HTTP request in Java, with java.net.http.
import type { SampleRequest } from "../http-request.ts";
import { doubleQuoted, textExpression } from "../literals.ts";

/** The program, a file that `java Sample.java` runs. */
export function java({ method, url, headers, body, output }: SampleRequest): string {
  const value = (text: string) =>
    textExpression(text, { quote: doubleQuoted, variable: (name) => `System.getenv("${name}")`, join: " + " });
  const sendsForm = body?.kind === "form";
  const types: [string, string][] = sendsForm ? [["Content-Type", "application/x-www-form-urlencoded"]] : [];
  const content =
    body?.kind === "json"
      ? `HttpRequest.BodyPublishers.ofString(${doubleQuoted(body.text)})`
      : sendsForm
        ? "HttpRequest.BodyPublishers.ofString(form)"
        : "HttpRequest.BodyPublishers.noBody()";
  const fields = (sendsForm ? body.fields : []).map(
    ([name, text], index, all) =>
      `    ${doubleQuoted(`${encodeURIComponent(name)}=`)} + URLEncoder.encode(${value(text)}, StandardCharsets.UTF_8)${
        index === all.length - 1 ? ";" : ' + "&" +'
      }`,
  );
  const statements = [
    ...(sendsForm ? ["var form =", ...fields] : []),
    `var request = HttpRequest.newBuilder(URI.create(${value(url)}))`,
    ...[...headers, ...types].map(([name, text]) => `    .header(${doubleQuoted(name)}, ${value(text)})`),
    `    .method("${method}", ${content})`,
    "    .build();",
    `var response = HttpClient.newHttpClient().send(request, BodyHandlers.${output === undefined ? "ofString" : "ofByteArray"}());`,
    `if (response.statusCode() >= 400) throw new IOException(${output === undefined ? "response.body()" : "new String(response.body())"});`,
    output === undefined
      ? "System.out.println(response.body());"
      : `Files.write(Path.of(${doubleQuoted(output)}), response.body());`,
  ];
  const imports = [
    "java.io.IOException",
    "java.net.URI",
    ...(sendsForm ? ["java.net.URLEncoder"] : []),
    "java.net.http.HttpClient",
    "java.net.http.HttpRequest",
    "java.net.http.HttpResponse.BodyHandlers",
    ...(sendsForm ? ["java.nio.charset.StandardCharsets"] : []),
    ...(output === undefined ? [] : ["java.nio.file.Files", "java.nio.file.Path"]),
  ];
  return [
    ...imports.map((name) => `import ${name};`),
    "",
    "class Sample {",
    "    public static void main(String[] args) throws Exception {",
    ...statements.map((line) => `        ${line}`),
    "    }",
    "}",
  ].join("\n");
}
