// Prints what looks wrong in a capture, with the flags that may help.
import type { ScreenCapture } from "../client.ts";
import type { Problem } from "../generated/types.ts";
import { quoted } from "./curl-command.ts";
import { flagName } from "./flags.ts";
import { printWarning } from "./terminal.ts";

type Found = Pick<Problem, "code"> & Partial<Pick<Problem, "message" | "fix">>;

/** The problems of a capture whose headers have their codes alone; an API key without the scope `usage` learns no more. */
export async function describeProblems(
  client: ScreenCapture,
  { requestId, problems }: { readonly requestId: number; readonly problems: readonly Problem["code"][] },
  signal: AbortSignal,
): Promise<readonly Found[]> {
  if (problems.length === 0) return [];
  const details = await client.details(requestId, { signal }).catch(() => undefined);
  return details && details.problems.length > 0 ? details.problems : problems.map((code) => ({ code }));
}

/** Warnings, as a list or as one text, and problems. */
interface Findings {
  readonly warnings?: string | readonly string[] | undefined;
  readonly problems?: readonly Found[] | undefined;
}

/** Prints warnings and problems. What a problem says isn't printed as a warning, too. */
export function printFindings({ warnings = [], problems = [] }: Findings, name?: string): void {
  const print = (text: string) => printWarning(`${name === undefined ? "" : `${name}: `}${text}`);
  for (const warning of [warnings].flat()) {
    const rest = problems.reduce((text, { message }) => (message ? text.replace(message, "") : text), warning);
    if (rest.trim() !== "") print(rest.replaceAll(/ {2,}/g, " ").trim());
  }
  for (const { code, message, fix } of problems) {
    print(`${message === undefined ? code : `${code}: ${message}`}${fix ? ` Try ${flags(fix)}.` : ""}`);
  }
}

/** Options as they are written on the command line. */
function flags(options: Readonly<Record<string, unknown>>): string {
  return Object.entries(options)
    .flatMap(([name, value]) => {
      if (value === true) return [`--${flagName(name)}`];
      if (value === false) return [`--no-${flagName(name)}`];
      return [value].flat().map((each) => `--${flagName(name)} ${quoted(String(each))}`);
    })
    .join(" ");
}
