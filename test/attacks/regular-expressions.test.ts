// Every regular expression of what is deployed, proven to take linear time for any text (CWE-1333).
//
// Those that were proven before are in linear-expressions.json, since the proof of all of them takes a minute. A new one is
// proven here; `npm run fuzz` proves all of them again and writes the list.
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { checkSync } from "recheck";
import recheck from "recheck/package.json" with { type: "json" };
import { parseAst } from "rolldown/parseAst";
import { afterAll, describe, expect, test } from "vitest";
import { runInterruptible } from "../../lib/engine/inputs/run-interruptible.ts";
import { isLongRun } from "../support/fuzzing.ts";
import { slowTest } from "../support/slow-run.ts";

const PROJECT = resolve(import.meta.dirname, "../..");
const LIST = join(import.meta.dirname, "linear-expressions.json");
/** Programs of developers, which read nothing but their own pages and processes, and what runs in a visitor's browser. */
const PROGRAMS = ["lib/tools/{measure,stress}/**", "lib/site/web/**"];

interface Expression {
  readonly file: string;
  readonly source: string;
  readonly flags: string;
}

/** Expressions that are not linear, or cannot be shown to be, and why no text makes them slow. */
const bounded: readonly (readonly [file: string, beginning: string, why: string])[] = [
  ["lib/service/usage/loggable-options.ts", "(\\b[a-z][a-z0-9+.-]", "the text is cut to 4,000 characters before"],
  ["lib/service/customer-storage/destination.ts", "\\/+$", "an endpoint has at most 500 characters"],
  ["lib/engine/emulation/identity.ts", "Android [\\d.]+;", "a user agent has at most 1,000 characters"],
  [
    "lib/engine/bot-detection/bot-challenge-signatures.ts",
    "",
    "a page that says more than 1,500 characters is not looked at",
  ],
  [
    "lib/engine/injected/procedural-selectors.ts",
    "^\\s*([\\w-]+)",
    "it reads the filter lists, which are part of the service",
  ],
  ["lib/engine/injected/stealth.ts", " \\(.*Chromium\\)$", "it reads a line of Chromium's own, inside the page"],
  ["lib/tools/operate/supply-chain/lockfile.ts", "(^|\\/)node_modules", "it reads the lockfile of the service itself"],
  [
    "lib/tools/local/api-gateway/api-definition.ts",
    "",
    "it reads the template of the service itself, on the developer's machine",
  ],
  [
    "lib/service/openapi/clients/python-client.ts",
    "The client for asyncio",
    "it reads the client of the service itself, when its modules are written",
  ],
  ["lib/site/samples/http/go.ts", '"(?:[^', "it reads a sample, in the browser of the visitor who typed its options"],
  [
    "lib/tools/local/assembly/intrinsics.ts",
    "",
    "it reads the template of the service itself, on the developer's machine",
  ],
];

const vocabulary = "the vocabulary of overlays; it runs inside the page, which is ended at its deadline";

/** Expressions that are made while the service runs, and what they are made of. */
const made: Readonly<Record<string, string>> = {
  "lib/service/openapi/reference-tables.ts": "the names of tables in the documentation",
  "lib/tools/local/api-gateway/api-definition.ts": "a pattern of the template",
  "lib/tools/local/assembly/service-definition.ts": "names in the template of the service itself",
  "lib/engine/pipeline/steps/run-scripts.ts": "a constant",
  "lib/site/client-packages/python-wheel.ts": "the names of fields of the project's own file",
  "lib/site/client-packages/ruby-gem.ts": "the names of fields of the project's own file",
  "lib/tools/operate/supply-chain/chromium-release.ts": "a constant",
  "lib/engine/browser/temporary-folders.ts": "a constant",
  "lib/engine/adblock/wildcard-expression.ts":
    "the filter lists, which are part of the service; its parts have no quantifiers",
  "lib/engine/injected/content/content-reader.ts": "a constant",
  "lib/engine/injected/metadata.ts": "the names of scripts of Unicode",
  "lib/engine/injected/missing-glyphs.ts": "the characters that the fonts of the layer lack",
  "lib/engine/injected/overlays/controls.ts": vocabulary,
  "lib/engine/injected/overlays/find-overlays.ts": vocabulary,
  "lib/engine/injected/overlays/overlay-kinds.ts": vocabulary,
  "lib/engine/injected/overlays/patterns.ts": vocabulary,
  "lib/engine/injected/overlays/restore-scroll.ts": vocabulary,
  "lib/engine/injected/procedural-selectors.ts":
    "the filter lists; it runs inside the page, which is ended at its deadline",
  "lib/engine/overlays/autoconsent-rules.ts": "the rules of autoconsent, which are part of the service",
};

const { literals, makers } = readAll();
const isBounded = ({ file, source }: Expression) =>
  bounded.some(([name, beginning]) => name === file && source.startsWith(beginning));
const known: { recheck: string; expressions: string[] } = JSON.parse(readFileSync(LIST, "utf8"));
const proven = new Set(isLongRun || known.recheck !== recheck.version ? [] : known.expressions);

/** The search ends by the steps it makes: with a time, its outcome would depend on how fast the machine is. */
const UNTIMED = { timeout: null, randomSeed: 1 };

test("ReDoS: regular expressions are found in the source", () => {
  expect(literals.length).toBeGreaterThan(200);
  expect(literals.map(({ file }) => file)).toContain("lib/contract/options/coercion.ts");
});

describe("ReDoS: takes linear time for any text:", () => {
  test("every listed expression still exists", () => {
    const all = new Set(literals.map((each) => String(asRegExp(each))));
    expect(known.expressions.filter((expression) => !all.has(expression))).toEqual([]);
  });

  const unproven = literals.filter((each) => !isBounded(each) && !proven.has(String(asRegExp(each))));

  test.each(unproven.map((each) => [String(asRegExp(each)), each.file, each] as const))(
    "%s of %s",
    (_, __, expression) => {
      const { source, flags } = expression;
      const proof = checkSync(source, flags, UNTIMED);
      expect([proof.status, proof.status === "vulnerable" && proof.complexity.summary]).toEqual(["safe", false]);
      if (proof.checker === "fuzz") expect([...attacksOn(asRegExp(expression))]).toEqual([]); // then it is no proof
      proven.add(String(asRegExp(expression)));
    },
    60_000,
  );

  afterAll(() => {
    const list = { recheck: recheck.version, expressions: [...proven].sort() };
    if (isLongRun) writeFileSync(LIST, `${JSON.stringify(list, null, 2)}\n`);
  });
});

test("ReDoS: an expression that is not linear is detected, also when only an attack shows it", () => {
  expect(checkSync("\\s+;", "", UNTIMED).status).toBe("vulnerable");
  const [attack] = attacksOn(/\burl\(\s*["']?(?!["']|\s*(?:data:|#))/i); // one is enough
  expect(attack).toBeDefined();
});

slowTest("ReDoS: no attack is found on an expression that is linear", () => {
  expect([...attacksOn(/\burl\(\s*["']?(?:data:|#)/i)]).toEqual([]);
});

test("ReDoS: every exception is needed", () => {
  expect(
    bounded.filter(
      ([file, beginning]) => !literals.some((each) => each.file === file && each.source.startsWith(beginning)),
    ),
  ).toEqual([]);
});

test("ReDoS: no expression is built from a customer's or a page's text", () => {
  expect([...new Set(makers)].sort()).toEqual(Object.keys(made).sort());
});

function asRegExp({ source, flags }: Expression): RegExp {
  return new RegExp(source, flags);
}

const CHARACTERS = 15_000;

/** Texts of words that an expression has in it, and of characters of any kind, for which it takes more than linear time. */
function* attacksOn(expression: RegExp): Generator<string> {
  const plain = expression.source.replace(/\\(\W)/g, "$1").replace(/\\\w/g, " ");
  const words = [...new Set(plain.match(/[a-z@<]+[:(]?/gi) ?? [])].slice(0, 12);
  const pumps = [..." a1<\"'/-.;\n", ...words];
  for (const before of ["", ...words]) {
    for (const pump of pumps) {
      for (const after of ["!", ...words]) {
        const textOf = (characters: number) => before + pump.repeat(characters / pump.length) + after;
        // A measurement can be interrupted, three in a row are not.
        if ([1, 2, 3].every(() => isMoreThanLinear(expression, textOf))) yield `${before} + ${pump} × n + ${after}`;
      }
    }
  }
}

/** So many short texts have as many characters as a long one, and take as long where time is linear. */
const PARTS = 30;
/** Where it is quadratic, the long one takes `PARTS` times as long. */
const MOST_TIMES_AS_LONG = 8;

/** No machine does the 110 million steps of a quadratic search in less; below it a measurement says nothing. */
const LEAST_CPU_MS = 10;
/** A linear search takes less than a thousandth of it. */
const GIVEN_UP_MS = 10_000;

/**
 * Compares one long text with many short ones by the processor time of this thread, which is the same share on a machine
 * that is slow or busy with other things.
 */
function isMoreThanLinear(expression: RegExp, textOf: (characters: number) => string): boolean {
  const [long, short] = [textOf(CHARACTERS), textOf(CHARACTERS / PARTS)];
  const search = (text: string) => {
    expression.lastIndex = 0;
    expression.test(text);
  };
  search(short); // compiles it
  try {
    const whole = runInterruptible(GIVEN_UP_MS, () => cpuMs(() => search(long)));
    if (whole < LEAST_CPU_MS) return false;
    const parts = cpuMs(() => {
      for (let part = 0; part < PARTS; part++) search(short);
    });
    return whole > MOST_TIMES_AS_LONG * parts;
  } catch {
    return true;
  }
}

function cpuMs(work: () => void): number {
  const start = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}

interface Node {
  readonly type: string;
  readonly regex?: { readonly pattern: string; readonly flags: string };
  readonly callee?: { readonly name?: string };
}

/** The expressions in the source as a parser sees it, and the files that make others. */
function readAll(): { literals: Expression[]; makers: string[] } {
  const found = { literals: [] as Expression[], makers: [] as string[] };
  for (const file of globSync("{lib,functions}/**/*.ts", { cwd: PROJECT, exclude: PROGRAMS })) {
    visitNodes(parseAst(readFileSync(join(PROJECT, file), "utf8"), { lang: "ts" }), ({ type, regex, callee }) => {
      if (type === "Literal" && regex) found.literals.push({ file, source: regex.pattern, flags: regex.flags });
      if (/^(New|Call)Expression$/.test(type) && callee?.name === "RegExp") found.makers.push(file);
    });
  }
  return found;
}

/** Calls `visit` with `value`, if it is a node, and with each node below it. There are half a million of them. */
function visitNodes(value: object, visit: (node: Node) => void): void {
  if (value instanceof RegExp) return;
  if ("type" in value) visit(value as Node);
  for (const key in value) {
    const part = value[key as keyof typeof value] as unknown;
    if (typeof part === "object" && part !== null) visitNodes(part, visit);
  }
}
