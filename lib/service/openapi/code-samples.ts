// Code samples of a capture: with curl, the command line, and the two clients. The key comes from the environment.
import { type Format, fileExtension } from "../../contract/options/formats.ts";
import { pythonLiteral } from "../../site/samples/literals.ts";

export interface DocumentedSample {
  /** The language, for syntax highlighting. */
  readonly lang: "Shell" | "TypeScript" | "Python";
  readonly label: "curl" | "Command line" | "TypeScript client" | "Python client";
  readonly source: string;
}

/** Options as JSON would have them. */
export type SampleOptions = Readonly<Record<string, unknown>>;

/** Samples that capture with `options` and write the result to a file, for the service at `baseUrl`. */
export function documentedSamples(options: SampleOptions, baseUrl: string): DocumentedSample[] {
  const file = `page.${fileExtension((options["format"] ?? "png") as Format)}`;
  return [
    { lang: "Shell", label: "curl", source: curlSample(options, baseUrl, file) },
    { lang: "Shell", label: "Command line", source: commandLineSample(options, file) },
    { lang: "TypeScript", label: "TypeScript client", source: typescriptSample(options, baseUrl, file) },
    { lang: "Python", label: "Python client", source: pythonSample(options, baseUrl, file) },
  ];
}

function curlSample(options: SampleOptions, baseUrl: string, file: string): string {
  return [
    'curl --fail-with-body -H "Authorization: Bearer $SCREEN_CAPTURE_KEY" -H "Content-Type: application/json" \\',
    `  -d ${shellWord(JSON.stringify(options))} \\`,
    `  ${shellWord(`${baseUrl}/api/v1/screenshot`)} -o ${file}`,
  ].join("\n");
}

/** The format follows from the extension of the file where both have the same name. */
function commandLineSample({ url, ...options }: SampleOptions, file: string): string {
  const flags = Object.entries(options).flatMap(([name, value]) => {
    const flag = name.replaceAll("_", "-");
    if (typeof value === "boolean") return [value ? `--${flag}` : `--no-${flag}`];
    const values = Array.isArray(value) ? value : [value];
    return values.map(
      (each) => `--${flag}=${shellWord(typeof each === "object" ? JSON.stringify(each) : String(each))}`,
    );
  });
  return ["capture", ...(url === undefined ? [] : [shellWord(String(url))]), "-o", file, ...flags].join(" ");
}

function typescriptSample(options: SampleOptions, baseUrl: string, file: string): string {
  const lines = Object.entries(options).map(([name, value]) => `  ${name}: ${JSON.stringify(value)},`);
  return [
    'import { writeFile } from "node:fs/promises";',
    'import { ScreenCapture } from "screen-capture-client";',
    "",
    `const client = new ScreenCapture({ key: process.env.SCREEN_CAPTURE_KEY, baseUrl: ${JSON.stringify(baseUrl)} });`,
    `const { bytes } = await client.capture({\n${lines.join("\n")}\n});`,
    `await writeFile("${file}", bytes);`,
  ].join("\n");
}

function pythonSample(options: SampleOptions, baseUrl: string, file: string): string {
  return [
    "import os",
    "",
    "from screen_capture_client import ScreenCapture",
    "",
    `client = ScreenCapture(key=os.environ["SCREEN_CAPTURE_KEY"], base_url=${pythonLiteral(baseUrl)})`,
    `client.capture(${pythonLiteral(options)}).save(${pythonLiteral(file)})`,
  ].join("\n");
}

/** Text as one word of a POSIX shell. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
