// The sample of a capture with the Java client.
import { javaConstant, javaName } from "../../../service/openapi/clients/java-text.ts";
import type { ClientCall, ClientCallOptions } from "../client-call.ts";
import { doubleQuoted } from "../literals.ts";
import { choiceType, optionKind } from "../option-kind.ts";

/** The program, a file `Sample.java`. */
export function javaClientSample(call: ClientCall): string {
  const { baseUrl, keyVariable, kind, output = "" } = call;
  const { outputs = [], ...options } = call.options;
  const statements = {
    save: [`client.captureToFile(options, Path.of(${doubleQuoted(output)}));`],
    print: ["System.out.println(client.capture(options).text());"],
    store: ["System.out.println(client.store(options).url());"],
    storeOutputs: [
      "var outputs = List.of(",
      ...(outputs as ClientCallOptions[]).map(
        (each, index, all) => `    ${builder("CaptureOutput", each).join("")}${index === all.length - 1 ? ");" : ","}`,
      ),
      "System.out.println(client.storeOutputs(options, outputs).outputs());",
    ],
    enqueue: ["System.out.println(client.enqueue(options).statusUrl());"],
  };
  const [start = "", ...setters] = builder("CaptureOptions", options);
  const code = [
    "var client = ScreenCapture.builder()",
    `    .key(System.getenv("${keyVariable}"))`,
    `    .baseUrl(${doubleQuoted(baseUrl)})`,
    "    .build();",
    `var options = ${start}`,
    ...setters.map((setter, index) => `    ${setter}${index === setters.length - 1 ? ";" : ""}`),
    ...statements[kind],
  ];
  return [
    ...imports(code.join("\n"), call.options).map((name) => `import ${name};`),
    "",
    "class Sample {",
    "    public static void main(String[] args) {",
    ...code.map((line) => `        ${line}`),
    "    }",
    "}",
  ].join("\n");
}

/** The parts of an expression: the builder, a setter for each option, and `build`. */
function builder(type: string, options: ClientCallOptions): string[] {
  const setters = Object.entries(options).map(([name, value]) => {
    const written = typedValue(name, value);
    return written === undefined
      ? `.option(${doubleQuoted(name)}, ${literal(value)})`
      : `.${javaName(name)}(${written})`;
  });
  return [`${type}.builder()`, ...setters, ".build()"];
}

function typedValue(name: string, value: unknown): string | undefined {
  const choice = (text: unknown) => `${choiceType(name)}.${javaConstant(String(text))}`;
  switch (optionKind(name, value)) {
    case "other":
      return undefined;
    case "choice":
      return choice(value);
    case "choices":
      return (value as unknown[]).map(choice).join(", ");
    case "texts":
      return (value as unknown[]).map(literal).join(", ");
    case "integer":
      return Number.isSafeInteger(value) && Math.abs(value as number) < 2 ** 31 ? String(value) : `${value}L`;
    default:
      return literal(value);
  }
}

/** A value of JSON. */
function literal(value: unknown): string {
  if (typeof value === "string") return doubleQuoted(value);
  if (Array.isArray(value)) return `List.of(${value.map(literal).join(", ")})`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([name, each]) => `${doubleQuoted(name)}, ${literal(each)}`);
  return `Map.of(${entries.join(", ")})`;
}

/** What the code names, in the order of the alphabet. */
function imports(code: string, { outputs = [], ...options }: ClientCallOptions): string[] {
  const named = [options, ...(outputs as ClientCallOptions[])].flatMap((each) => Object.entries(each));
  const choices = named.flatMap(([name, value]) =>
    /^choices?$/.test(optionKind(name, value)) ? [`screencapture.${choiceType(name)}`] : [],
  );
  const standard = ["java.nio.file.Path", "java.util.List", "java.util.Map"].filter((name) =>
    code.includes(`${name.split(".").at(-1)}.of(`),
  );
  const outputClass = code.includes("CaptureOutput.") ? ["screencapture.CaptureOutput"] : [];
  const ours = ["screencapture.CaptureOptions", "screencapture.ScreenCapture", ...outputClass, ...choices];
  return [...standard, ...[...new Set(ours)].toSorted()];
}
