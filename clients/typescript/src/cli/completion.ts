// `capture completion SHELL`: scripts that complete commands, flags, and values in bash, zsh, and fish.
import { captureFlags, commonFlags, type Flag, optionFlags } from "./flags.ts";
import { jobsFlags } from "./jobs-command.ts";
import { keysActions, keysFlags } from "./keys-command.ts";
import { usageFlags } from "./usage-command.ts";
import { UsageError } from "./usage-error.ts";

export const shells = ["bash", "zsh", "fish"] as const;

/** The commands in addition to `capture URL…`. */
export const commands: Readonly<Record<string, string>> = {
  usage: "Show the plan, the quotas, and the captures of the last days",
  jobs: "List asynchronous captures, wait for them, and download them",
  keys: "List, create, rotate, and revoke API keys",
  login: "Check an API key and save it",
  options: "Describe the capture options",
  mcp: "Relay MCP messages from standard input to the service",
  completion: "Print a completion script for bash, zsh, or fish",
};

/** The words that can follow a command. */
const argumentsByCommand: Readonly<Record<string, readonly string[]>> = { keys: keysActions, completion: shells };

const flagsByCommand: Readonly<Record<string, readonly Flag[]>> = {
  usage: [...usageFlags, ...commonFlags],
  jobs: [...jobsFlags, ...commonFlags],
  keys: [...keysFlags, ...commonFlags],
  login: commonFlags,
  mcp: commonFlags,
};

export function completionScript(shell: string | undefined): string {
  const scripts: Readonly<Record<string, () => string>> = { bash: bashScript, zsh: zshScript, fish: fishScript };
  const script = Object.hasOwn(scripts, shell ?? "") ? scripts[shell ?? ""] : undefined;
  if (!script) throw new UsageError(`Pass a shell: ${shells.join(", ")}.`);
  return script();
}

/** Every flag as it is typed. */
function spellings(flags: readonly Flag[]): string[] {
  return withNegatives(flags).map(({ name }) => `--${name}`);
}

/** The flags, and each capture option that is a switch with `--no-`, too. */
function withNegatives(flags: readonly Flag[]): Flag[] {
  return flags.flatMap((flag) => {
    if (flag.kind !== "boolean" || !optionFlags.includes(flag)) return flag;
    return [flag, { name: `no-${flag.name}`, kind: flag.kind, description: `Turn off --${flag.name}.` }];
  });
}

function bashScript(): string {
  const valued = captureFlags.concat(usageFlags, jobsFlags, keysFlags).filter(({ values }) => values !== undefined);
  const cases = [...new Map(valued.map((flag) => [flag.name, flag.values])).entries()].map(
    ([name, values = []]) => `    --${name}) COMPREPLY=($(compgen -W '${values.join(" ")}' -- "$current")); return ;;`,
  );
  const others = captureFlags.filter(({ kind, values }) => kind !== "boolean" && values === undefined);
  const commandCases = Object.keys(commands).map((command) => {
    const words = [...(argumentsByCommand[command] ?? []), ...spellings(flagsByCommand[command] ?? [])];
    return `    ${command}) COMPREPLY=($(compgen -W '${words.join(" ")}' -- "$current")); return ;;`;
  });
  return `# Completion of the capture command for bash. Add this line to ~/.bashrc:
#   source <(capture completion bash)
_capture() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}"
  COMPREPLY=()
  case "$previous" in
${cases.join("\n")}
    ${others.map(({ name }) => `--${name}`).join("|")}) COMPREPLY=($(compgen -f -- "$current")); return ;;
  esac
  if [[ $COMP_CWORD -gt 1 ]]; then
    case "\${COMP_WORDS[1]}" in
${commandCases.map((line) => `  ${line}`).join("\n")}
    esac
  fi
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W '${spellings(captureFlags).join(" ")}' -- "$current"))
  elif [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W '${Object.keys(commands).join(" ")}' -- "$current") $(compgen -f -- "$current"))
  else
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}
complete -o filenames -F _capture capture
`;
}

function zshScript(): string {
  const describe = (text: string) => text.replaceAll(/[[\]:]/g, "\\$&").replaceAll("'", "'\\''");
  const spec = ({ name, short, kind, values, value, description }: Flag) => {
    const text = `[${describe(firstSentence(description))}]`;
    const repeated = kind === "list" ? "*" : "";
    const action = values ? `(${values.join(" ")})` : value === "FILE" ? "_files" : "";
    const argument = kind === "boolean" ? "" : `:${name}:${action}`;
    const spelled = [`--${name}`, ...(short ? [`-${short}`] : [])].map((each) => `${repeated}${each}`);
    return spelled.map((each) => `    '${each}${text}${argument}'`).join(" \\\n");
  };
  const specs = (flags: readonly Flag[]) => withNegatives(flags).map(spec).join(" \\\n");
  const subcommands = Object.entries(commands).map(([name, text]) => `    '${name}:${describe(text)}'`);
  const cases = Object.keys(commands).map((command) => {
    const words = argumentsByCommand[command];
    const flags = flagsByCommand[command];
    return [
      `    ${command}) _arguments \\`,
      ...(flags ? [`${specs(flags)} \\`] : []),
      `    '1:command:(${command})' '2:argument:(${words?.join(" ") ?? ""})'; return ;;`,
    ].join("\n");
  });
  return `#compdef capture
# Completion of the capture command for zsh. Add this line to ~/.zshrc, after compinit:
#   source <(capture completion zsh)
_capture_input() {
  local -a subcommands=(
${subcommands.join("\n")}
  )
  _describe command subcommands
  _files
}
_capture() {
  case "\${words[2]}" in
${cases.join("\n")}
  esac
  _arguments \\
${specs(captureFlags)} \\
    '1:input:_capture_input' '*:input:_files'
}
if [[ $funcstack[1] == _capture ]]; then _capture "$@"; else compdef _capture capture; fi
`;
}

function fishScript(): string {
  const quote = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const line = (condition: string, { name, short, kind, values, value, description }: Flag) =>
    [
      `complete -c capture -n ${quote(condition)} -l ${name}`,
      ...(short ? [`-s ${short}`] : []),
      ...(kind === "boolean" ? [] : [values || value !== "FILE" ? "-x" : "-r"]),
      ...(values ? [`-a ${quote(values.join(" "))}`] : []),
      `-d ${quote(firstSentence(description))}`,
    ].join(" ");
  const names = Object.keys(commands).join(" ");
  const isCapture = `not __fish_seen_subcommand_from ${names}`;
  return [
    "# Completion of the capture command for fish. Save it with:",
    "#   capture completion fish > ~/.config/fish/completions/capture.fish",
    ...Object.entries(commands).map(
      ([name, text]) => `complete -c capture -n __fish_use_subcommand -a ${name} -d ${quote(text)}`,
    ),
    ...Object.entries(argumentsByCommand).map(
      ([command, words]) =>
        `complete -c capture -n ${quote(`__fish_seen_subcommand_from ${command}`)} -x -a ${quote(words.join(" "))}`,
    ),
    ...withNegatives(captureFlags).map((flag) => line(isCapture, flag)),
    ...Object.entries(flagsByCommand).flatMap(([command, flags]) =>
      flags.map((flag) => line(`__fish_seen_subcommand_from ${command}`, flag)),
    ),
    "",
  ].join("\n");
}

/** The first sentence of a description, as plain text. */
export function firstSentence(markdown: string): string {
  const text = markdown.replaceAll("`", "").replaceAll(/\s+/g, " ");
  return /^.*?[.:](?= |$)/.exec(text)?.[0].replace(/[.:]$/, "") ?? text;
}
