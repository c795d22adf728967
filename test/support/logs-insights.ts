// Runs queries of CloudWatch Logs Insights on log lines, as far as the documentation uses the language.
// https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CWL_QuerySyntax.html

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export type LogLine = Readonly<Record<string, unknown>>;
type Row = Record<string, unknown>;

/** The lines of all functions of a service that runs or ran here. */
export function readLogLines(dataDir: string): LogLine[] {
  const folder = join(dataDir, "logs");
  const texts = readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), "utf8").split("\n"));
  return texts.flatMap((text) => {
    try {
      return [JSON.parse(text)];
    } catch {
      return []; // a line that is no JSON, or not complete yet
    }
  });
}

/** The rows that a query finds. Throws for a command or an expression that is not understood. */
export function runQuery(query: string, lines: readonly LogLine[]): Row[] {
  const commands = query.split("|").map((command) => command.trim());
  const fields = commands.findLast((command) => command.startsWith("fields "));
  const rows = commands
    .filter((command) => !command.startsWith("fields "))
    .reduce<Row[]>(runCommand, lines.map(flatten));
  if (fields === undefined) return rows;
  const names = list(fields.slice("fields ".length)); // they are what is shown: other commands know all fields
  return rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name]])));
}

/** The names of fields that a query reads. */
export function fieldsOf(query: string): string[] {
  const quoted = /"[^"]*"/g;
  const words = query.replaceAll(quoted, "").match(/[@a-zA-Z_][\w.@]*/g) ?? [];
  const aliases = [...query.matchAll(/\bas (\w+)/g)].map(([, alias]) => alias);
  return [...new Set(words)].filter((word) => !KEYWORDS.has(word) && !aliases.includes(word));
}

const KEYWORDS = new Set(
  "filter stats fields sort by as and or not in asc desc count avg sum pct ispresent".split(" "),
);

/** Nested fields by their paths, as Insights discovers them in JSON. */
function flatten(line: LogLine): Row {
  const flat: Row = {};
  const add = (value: unknown, path: string) => {
    if (typeof value === "object" && value !== null)
      for (const [name, inner] of Object.entries(value)) add(inner, path === "" ? name : `${path}.${name}`);
    else flat[path] = value;
  };
  add(line, "");
  return flat;
}

function runCommand(rows: Row[], command: string): Row[] {
  const [, name = "", rest = ""] = /^(\w+)\s+(.*)$/s.exec(command) ?? [];
  switch (name) {
    case "filter":
      return rows.filter(condition(rest));
    case "stats":
      return group(rows, rest);
    case "sort": {
      const [field = "", direction = "asc"] = rest.split(/\s+/);
      const sign = direction === "desc" ? -1 : 1;
      return rows.toSorted((one, other) => sign * (Number(one[field]) - Number(other[field])));
    }
    default:
      throw new Error(`The command is not understood: ${command}`);
  }
}

/** The parts between commas that are in no brackets. */
const list = (text: string) => text.split(/,(?![^()[\]]*[)\]])/).map((each) => each.trim());

type Condition = (row: Row) => boolean;

/** A condition with `and`, `or`, and parentheses, in which `and` binds more tightly. */
function condition(text: string): Condition {
  const tokens =
    text.match(/ispresent\([\w.]+\)|[()]|\b(?:and|or)\b|(?:"[^"]*"|\[[^\]]*\]|(?!\b(?:and|or)\b)[^()\s])+\s*/g) ?? [];
  const words = tokens.map((token) => token.trim());
  const anyOf = (): Condition => {
    const parts = [allOf()];
    while (words[0] === "or" && words.shift()) parts.push(allOf());
    return (row) => parts.some((part) => part(row));
  };
  const allOf = (): Condition => {
    const parts = [single()];
    while (words[0] === "and" && words.shift()) parts.push(single());
    return (row) => parts.every((part) => part(row));
  };
  const single = (): Condition => {
    if (words[0] === "(") {
      words.shift();
      const inner = anyOf();
      if (words.shift() !== ")") throw new Error(`A parenthesis is open: ${text}`);
      return inner;
    }
    const own: string[] = [];
    while (words.length > 0 && !["and", "or", "(", ")"].includes(words[0] ?? "")) own.push(words.shift() ?? "");
    return comparison(own.join(" "));
  };
  const whole = anyOf();
  if (words.length > 0) throw new Error(`The condition is not understood: ${text}`);
  return whole;
}

/** A condition such as `status >= 500` or `code in ["A", "B"]`. */
function comparison(text: string): Condition {
  const [, present] = /^ispresent\(([\w.]+)\)$/.exec(text) ?? [];
  if (present !== undefined) return (row) => row[present] !== undefined;
  const [, field = "", operator = "", value = ""] = /^([\w.@]+)\s*(>=|<=|!=|=|>|<|in)\s*(.+)$/.exec(text) ?? [];
  if (operator === "") throw new Error(`The condition is not understood: ${text}`);
  const expected = JSON.parse(value);
  if (operator === "in") return (row) => expected.some((each: unknown) => String(each) === String(row[field]));
  return (row) => {
    if (row[field] === undefined) return false;
    const order =
      typeof expected === "number" ? Number(row[field]) - expected : String(row[field]).localeCompare(expected);
    const results = {
      ">=": order >= 0,
      "<=": order <= 0,
      "!=": order !== 0,
      "=": order === 0,
      ">": order > 0,
      "<": order < 0,
    };
    return results[operator as keyof typeof results];
  };
}

/** `stats count(), avg(x) as y by a, b`. */
function group(rows: readonly Row[], text: string): Row[] {
  const [calls = "", by = ""] = text.split(/\s+by\s+/);
  const names = by === "" ? [] : list(by);
  const groups = Map.groupBy(rows, (row) => JSON.stringify(names.map((name) => row[name])));
  return [...groups.values()].map((members) => ({
    ...Object.fromEntries(names.map((name) => [name, members[0]?.[name]])),
    ...Object.fromEntries(list(calls).map((call) => aggregate(call, members))),
  }));
}

function aggregate(text: string, rows: readonly Row[]): [string, number | undefined] {
  const [, name = "", field = "", part = "", alias = `${name}(${field})`] =
    /^(\w+)\(([\w.]*)(?:,\s*(\d+))?\)(?:\s+as\s+(\w+))?$/.exec(text) ?? [];
  const values = rows.map((row) => row[field]).filter((value) => value !== undefined);
  const sum = values.reduce<number>((total, value) => total + Number(value), 0);
  const sorted = values.map(Number).toSorted((one, other) => one - other);
  const results: Record<string, number | undefined> = {
    count: rows.length,
    sum,
    avg: sum / values.length,
    pct: sorted[Math.ceil((Number(part) / 100) * sorted.length) - 1],
  };
  if (!(name in results)) throw new Error(`The function is not understood: ${text}`);
  return [alias, results[name]];
}
