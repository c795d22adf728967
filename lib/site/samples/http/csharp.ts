// The sample of an HTTP request in C#, with HttpClient.
import type { SampleRequest } from "../http-request.ts";
import { doubleQuoted, textExpression } from "../literals.ts";

/** The program. */
export function csharp({ method, url, headers, body, output }: SampleRequest): string {
  const value = (text: string) =>
    textExpression(text, {
      quote: doubleQuoted,
      variable: (name) => `Environment.GetEnvironmentVariable("${name}")`,
      join: " + ",
    });
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
