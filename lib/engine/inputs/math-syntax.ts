// Math in Markdown, as on GitHub: `$…$`, `` $`…`$ ``, and `$$…$$` in a paragraph, and blocks between lines of `$$`.

import type { Nodes, Root } from "mdast";
import { mathFromMarkdown } from "mdast-util-math";
import { math } from "micromark-extension-math";
import { markdownLineEnding, markdownLineEndingOrSpace } from "micromark-util-character";
import type { Code, Construct, Extension, State, Token, TokenizeContext } from "micromark-util-types";
import type { Processor } from "unified";
import { walk } from "./syntax-tree.ts";

/** Extends the Markdown parser for `source`, which is to be parsed. Formulas become `code` elements with the class `language-math`. */
export function mathSyntax(this: Processor, source: string): (tree: Root) => void {
  const data = this.data() as { micromarkExtensions?: unknown[]; fromMarkdownExtensions?: unknown[] };
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), syntax(source)];
  data.fromMarkdownExtensions = [...(data.fromMarkdownExtensions ?? []), mathFromMarkdown()];
  return (tree) => completeFormulas(tree, source);
}

/** Marks formulas between two dollars as displayed ones. In a table, a backslash keeps a pipe in its cell, and is no part of it. */
function completeFormulas(tree: Root, source: string): void {
  for (const node of walk<Nodes>(tree)) {
    if (node.type === "inlineMath" && source.startsWith("$$", node.position?.start.offset)) {
      node.data = { ...node.data, hProperties: { className: ["language-math", "math-display"] } };
    }
    if (node.type !== "table") continue;
    for (const cell of walk<Nodes>(node)) {
      if (cell.type !== "inlineMath") continue;
      cell.data = { ...cell.data, hChildren: [{ type: "text", value: cell.value.replaceAll("\\|", "|") }] };
    }
  }
}

const DOLLAR = 36;
const BACKSLASH = 92;
const BACKTICK = 96;

function syntax(source: string): Extension {
  return { flow: { [DOLLAR]: mathFlow(source) }, text: { [DOLLAR]: mathText } };
}

/** A line that begins or ends a block, also in a list or a quote. */
const FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(\$\$)[ \t]*$/gm;

/** A block ends with a line of `$$`: without one, the package would take the rest of the document for a formula. */
function mathFlow(source: string): Construct {
  const fences = [...source.matchAll(FENCE)].map((line) => line.index + line[0].lastIndexOf("$$"));
  const last = fences.pop();
  const openers = new Set(fences);
  const flow = math().flow?.[DOLLAR] as Construct;
  return {
    ...flow,
    tokenize(effects, ok, nok) {
      const start = flow.tokenize.call(this, effects, ok, nok);
      const { offset } = this.now();
      return last !== undefined && openers.has(offset) ? start : nok;
    },
  };
}

/**
 * A formula in a paragraph. So that prices stay text, a single dollar begins one only where no letter or digit is in front of it
 * and no space follows, and ends one only where it is the other way round. A backslash escapes a dollar in a formula.
 */
const mathText: Construct = {
  name: "mathText",
  previous: (code) => code !== DOLLAR && !isWord(code),
  tokenize(this: TokenizeContext, effects, ok, nok) {
    let dollars = 0;
    let endDollars = 0;
    let isQuoted = false;
    let endMarker = DOLLAR;
    let before: Code = null; // the last character of the formula
    let sequence: Token;
    return begin;

    function begin(code: Code): State | undefined {
      effects.enter("mathText");
      effects.enter("mathTextSequence");
      return opening(code);
    }

    function opening(code: Code): State | undefined {
      if (code === DOLLAR && dollars < 2) {
        dollars++;
        effects.consume(code);
        return opening;
      }
      if (code === DOLLAR || (dollars === 1 && isSpace(code))) return nok(code);
      isQuoted = dollars === 1 && code === BACKTICK;
      if (!isQuoted) {
        effects.exit("mathTextSequence");
        return between(code);
      }
      endMarker = BACKTICK;
      effects.consume(code);
      effects.exit("mathTextSequence");
      return between;
    }

    function between(code: Code): State | undefined {
      if (code === null) return nok(code);
      if (markdownLineEnding(code)) {
        before = code;
        effects.enter("lineEnding");
        effects.consume(code);
        effects.exit("lineEnding");
        return between;
      }
      if (code === endMarker) {
        endDollars = 0;
        sequence = effects.enter("mathTextSequence");
        if (!isQuoted) return closing(code);
        effects.consume(code);
        return closingDollar;
      }
      effects.enter("mathTextData");
      return data(code);
    }

    function closing(code: Code): State | undefined {
      if (code === DOLLAR) {
        endDollars++;
        effects.consume(code);
        return closing;
      }
      return endDollars === dollars ? end(code) : continueAfter(DOLLAR, code);
    }

    function closingDollar(code: Code): State | undefined {
      if (code !== DOLLAR) return continueAfter(BACKTICK, code);
      effects.consume(code);
      return end;
    }

    /** What looked like the end is a part of the formula. */
    function continueAfter(last: Code, code: Code): State | undefined {
      sequence.type = "mathTextData";
      before = last;
      return data(code);
    }

    function data(code: Code): State | undefined {
      if (code === null || code === endMarker || markdownLineEnding(code)) {
        effects.exit("mathTextData");
        return between(code);
      }
      return dataCharacter(code);
    }

    function dataCharacter(code: Code): State | undefined {
      before = code;
      effects.consume(code);
      return code === BACKSLASH && !isQuoted ? escaped : data;
    }

    function escaped(code: Code): State | undefined {
      return code === DOLLAR || code === BACKSLASH ? escapedCharacter(code) : data(code);
    }

    function escapedCharacter(code: Code): State | undefined {
      before = code;
      effects.consume(code);
      return data;
    }

    function end(code: Code): State | undefined {
      const isPrice = dollars === 1 && !isQuoted && (isSpace(before) || isWord(code));
      if (isPrice || before === null) return nok(code);
      effects.exit("mathTextSequence");
      effects.exit("mathText");
      return ok(code);
    }
  },
};

function isSpace(code: Code): boolean {
  return code === null || markdownLineEndingOrSpace(code);
}

function isWord(code: Code): boolean {
  return code !== null && code > 0 && /[\p{L}\p{N}_]/u.test(String.fromCharCode(code));
}
