// The help of the command line.
import { options } from "../generated/command-line.ts";
import { commands, firstSentence } from "./completion.ts";
import { exitCodeMeanings } from "./exit-code.ts";
import { commandFlags, commonFlags, type Flag, flagName } from "./flags.ts";
import { table } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";

export function helpText(): string {
  return `Usage: capture [URL | FILE | -]... [flags]
       capture ${Object.keys(commands).join(" | ")}

Captures web pages, local HTML and Markdown files, or HTML from standard input (-).

  capture https://example.com -o page.png --full-page --device iphone_15_pro
  capture https://example.com -o page.pdf --pdf-paper-format a4
  capture https://example.com -o shot.png -o page.pdf -o text.md
  capture https://example.com --format markdown
  capture -i urls.txt -o shots/ --width 1440 --image-width 640
  capture 'pages/**/*.html' -o shots/ --watch

Flags:
${flagTable([...commandFlags, ...commonFlags])}

Every capture option is a flag: full_page is --full-page. A switch is turned off with --no-:
--no-javascript. An option that takes several values is repeated. 'capture options' describes
all of them, and 'capture options WORD' those that contain a word.

Commands:
${table(Object.entries(commands).map(([name, text]) => [`  ${name}`, text]))}

Settings: SCREEN_CAPTURE_URL and SCREEN_CAPTURE_KEY, or 'capture login', which saves them.

Exit codes:
${table(Object.entries(exitCodeMeanings).map(([code, text]) => [`  ${code}`, text]))}`;
}

export function flagHelp(usage: string, flags: readonly Flag[]): string {
  return `Usage: ${usage}\n\nFlags:\n${flagTable([...flags, ...commonFlags])}`;
}

function flagTable(flags: readonly Flag[]): string {
  return table(
    flags.map(({ name, short, kind, value = "TEXT", values, description }) => {
      const argument = kind === "boolean" ? "" : ` ${values && values.length < 5 ? values.join("|") : value}`;
      return [`  ${short ? `-${short}, ` : "    "}--${name}${argument}`, description];
    }),
  );
}

/** The capture options whose name or description contains every word; without words, all names with one sentence each. */
export function optionsText(words: readonly string[]): string {
  if (words.length === 0) {
    return table(options.map(({ name, description }) => [`--${flagName(name)}`, `${firstSentence(description)}.`]));
  }
  const wanted = words.map((word) => word.toLowerCase().replace(/^--/, "").replaceAll("-", "_"));
  const found = options.filter(({ name, description }) => {
    const text = `${name} ${description}`.toLowerCase();
    return wanted.every((word) => text.includes(word) || text.includes(word.replaceAll("_", " ")));
  });
  if (found.length === 0) throw new UsageError(`No capture option contains '${words.join(" ")}'.`);
  return found
    .map(({ name, values, description }) => {
      const choices = values ? `\n    Values: ${values.join(", ")}` : "";
      return `--${flagName(name)}\n    ${description.replaceAll("`", "")}${choices}`;
    })
    .join("\n");
}
