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
  return query
    .split("|")
    .map((command) => command.trim())
    .reduce<Row[]>(runCommand, lines.map(flatten));
}

/** The names of fields that a query reads. */
export function fieldsOf(query: string): string[] {
  const quoted = /"[^"]*"/g;
  const words = query.replaceAll(quoted, "").match(/[@a-zA-Z_][\w.@]*/g) ?? [];
  const aliases = [...query.matchAll(/\bas (\w+)/g)].map(([, alias]) => alias);
  return [...new Set(words)].filter((word) => !KEYWORDS.has(word) && !aliases.includes(word));
}

const KEYWORDS = new Set("filter stats fields sort by as and or not asc desc count avg sum ispresent".split(" "));

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
      return rows.filter((row) => rest.split(/\s+or\s+/).some((part) => part.split(/\s+and\s+/).every(holds(row))));
    case "fields":
      return rows.map((row) => Object.fromEntries(list(rest).map((field) => [field, row[field]])));
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

const list = (text: string) => text.split(",").map((each) => each.trim());

/** True if a row meets a condition such as `status >= 500`. */
const holds = (row: Row) => (condition: string) => {
  const [, present] = /^ispresent\(([\w.]+)\)$/.exec(condition.trim()) ?? [];
  if (present !== undefined) return row[present] !== undefined;
  const [, field = "", operator = "", text = ""] = /^([\w.@]+)\s*(>=|<=|!=|=|>|<)\s*(.+)$/.exec(condition.trim()) ?? [];
  if (operator === "") throw new Error(`The condition is not understood: ${condition}`);
  const [value, expected] = [row[field], JSON.parse(text)];
  if (value === undefined) return false;
  const order = typeof expected === "number" ? Number(value) - expected : String(value).localeCompare(expected);
  return { ">=": order >= 0, "<=": order <= 0, "!=": order !== 0, "=": order === 0, ">": order > 0, "<": order < 0 }[
    operator
  ] as boolean;
};

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

function aggregate(text: string, rows: readonly Row[]): [string, number] {
  const [, call = "", name = "", field = "", alias = `${name}(${field})`] =
    /^((\w+)\(([\w.]*)\))(?:\s+as\s+(\w+))?$/.exec(text) ?? [];
  if (call === "") throw new Error(`The function is not understood: ${text}`);
  const values = rows.map((row) => row[field]).filter((value) => value !== undefined);
  const sum = values.reduce<number>((total, value) => total + Number(value), 0);
  const results: Record<string, number> = { count: rows.length, sum, avg: sum / values.length };
  const result = results[name];
  if (result === undefined) throw new Error(`The function is not understood: ${text}`);
  return [alias, result];
}
