// The queries of the operating documentation, in code blocks and in sentences.
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Each query once, without line breaks. */
export function runbookQueries(): string[] {
  const page = readFileSync(join(import.meta.dirname, "../../docs/operations.md"), "utf8");
  const blocks = [...page.matchAll(/```\n(filter [\s\S]+?)```/g)].map(([, query = ""]) => query);
  const inline = [...page.replaceAll(/```[\s\S]*?```/g, "").matchAll(/`((?:filter|stats) [^`]+)`/g)];
  const queries = [...blocks, ...inline.map(([, query = ""]) => query)];
  return [...new Set(queries.map((query) => query.replaceAll(/\s+/g, " ").trim()))];
}

/** Queries of API Gateway's access log. */
export const isOfAccessLog = (query: string) => query.startsWith("stats ") || query.includes("integrationError");

/** Queries of what only a fault of the service logs. */
export const isOfFaults = (query: string) =>
  /"request failed"|blame = "us"|status >= 500|TaintedSandboxes/.test(query) && !isOfAccessLog(query);
