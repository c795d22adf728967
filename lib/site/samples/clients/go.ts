// The sample of a capture with the Go client.
import { goColumns, goName } from "../../../service/openapi/clients/go-text.ts";
import type { ClientCall, ClientCallOptions } from "../client-call.ts";
import { doubleQuoted } from "../literals.ts";
import { choiceType, optionKind } from "../option-kind.ts";

/** The program, as gofmt has it. */
export function goClientSample(call: ClientCall): string {
  const { baseUrl, keyVariable, kind, output = "" } = call;
  const { outputs = [], ...options } = call.options;
  const given = [`options := &screencapture.CaptureOptions{`, ...fields(options), "}"];
  const answer = (method: string, result: string, print: readonly string[], more = "") => [
    `${result}, err := client.${method}(context.Background(), options${more})`,
    ...stopOnError,
    ...print,
  ];
  const statements = {
    save: [
      `if _, err := client.CaptureToFile(context.Background(), options, ${doubleQuoted(output)}); err != nil {`,
      "\tlog.Fatal(err)",
      "}",
    ],
    print: answer("Capture", "page", ["fmt.Println(page.Text())"]),
    store: answer("Store", "result", ["fmt.Println(result.URL)"]),
    storeOutputs: [
      "outputs := []screencapture.CaptureOutput{",
      ...(outputs as ClientCallOptions[]).map(
        (each) =>
          `\t{${pairs(each)
            .map((pair) => pair.join(": "))
            .join(", ")}},`,
      ),
      "}",
      ...answer(
        "StoreOutputs",
        "results",
        ["for _, output := range results.Outputs {", "\tfmt.Println(output.Name, output.Status, output.URL)", "}"],
        ", outputs",
      ),
    ],
    enqueue: answer("Enqueue", "accepted", ["fmt.Println(accepted.StatusURL)"]),
  };
  const config = `screencapture.Config{Key: os.Getenv("${keyVariable}"), BaseURL: ${doubleQuoted(baseUrl)}}`;
  return [
    "package main\n",
    "import (",
    ...["context", ...(kind === "save" ? [] : ["fmt"]), "log", "os"].map((name) => `\t"${name}"`),
    '\n\tscreencapture "screencapture.internal/client"',
    ")\n",
    "func main() {",
    ...[`client, err := screencapture.New(${config})`, ...stopOnError, ...given, ...statements[kind]].map(
      (line) => `\t${line}`,
    ),
    "}",
  ].join("\n");
}

const stopOnError = ["if err != nil {", "\tlog.Fatal(err)", "}"];

function fields(options: ClientCallOptions): string[] {
  return goColumns(pairs(options).map(([name, value]) => [`${name}:`, `${value},`]));
}

/** The fields of a struct of options with their values; what no field can hold is in `Extra`. */
function pairs(options: ClientCallOptions): [string, string][] {
  const entries = Object.entries(options);
  const others = entries.filter(([name, value]) => optionKind(name, value) === "other");
  const typed = entries.flatMap(([name, value]): [string, string][] => {
    const written = typedValue(name, value);
    return written === undefined ? [] : [[goName(name), written]];
  });
  return others.length === 0 ? typed : [...typed, ["Extra", literal(Object.fromEntries(others))]];
}

function typedValue(name: string, value: unknown): string | undefined {
  switch (optionKind(name, value)) {
    case "other":
      return undefined;
    case "integer":
    case "boolean":
      return `screencapture.Ptr(${value})`;
    case "number":
      return `screencapture.Ptr(${Number.isInteger(value) ? `${value}.0` : value})`;
    case "texts":
      return `[]string{${list(value)}}`;
    case "choices":
      return `[]screencapture.${goName(choiceType(name))}{${list(value)}}`;
    case "map":
      return literal(value).replace("map[string]any", "map[string]string");
    default:
      return doubleQuoted(String(value));
  }
}

const list = (value: unknown): string => (value as unknown[]).map(literal).join(", ");

/** A value of JSON. */
function literal(value: unknown): string {
  if (value === null) return "nil";
  if (typeof value === "string") return doubleQuoted(value);
  if (Array.isArray(value)) return `[]any{${list(value)}}`;
  if (typeof value !== "object") return JSON.stringify(value);
  const entries = Object.entries(value).map(([name, each]) => `${doubleQuoted(name)}: ${literal(each)}`);
  return `map[string]any{${entries.join(", ")}}`;
}
