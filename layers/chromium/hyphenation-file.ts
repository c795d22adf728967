// Writes hyphenation patterns in the binary format that Chromium reads (.hyb).
// https://android.googlesource.com/platform/frameworks/minikin/+/refs/heads/main/doc/hyb_file_format.md

/** Patterns of one language: numbers between letters, as in TeX; odd ones allow a hyphen, and the highest one counts. */
export interface HyphenationPatterns {
  /** For the letters of a pattern, in which `.` is the edge of a word, the numbers before each letter and after the last one. */
  readonly patterns: ReadonlyMap<string, readonly number[]>;
  /** For words that patterns hyphenate wrongly, the positions of their hyphens. */
  readonly exceptions: ReadonlyMap<string, readonly number[]>;
}

const MAGIC = 0x62ad7968;

/** Numbers above those of patterns, so that they override them: no hyphen, and a hyphen. */
const [NO_HYPHEN, HYPHEN] = [10, 11];

/** Most characters between the first and the last for which the alphabet is a table. */
const MAX_TABLE = 1_024;

/** The content of a .hyb file. */
export function hyphenationFile({ patterns, exceptions }: HyphenationPatterns): Buffer {
  const root = new TrieNode();
  for (const [letters, numbers] of patterns) root.add(letters, numbers);
  for (const [word, hyphens] of exceptions) root.add(`.${word}.`, exceptionNumbers(word, hyphens));
  const codes = letterCodes([...patterns.keys(), ...exceptions.keys()].join(""));
  const nodes = root.nodes();
  const { content: patternTable, indexes } = writePatterns(nodes);
  const parts = [writeAlphabet(codes), writeTrie(nodes, codes, indexes), patternTable];
  const [alphabetAt, trieAt, patternsAt, size] = offsets(6 * 4, parts);
  return Buffer.concat([words(MAGIC, 0, alphabetAt, trieAt, patternsAt, size), ...parts]);
}

function exceptionNumbers(word: string, hyphens: readonly number[]): number[] {
  const between = [...word].slice(1).map((_, index) => (hyphens.includes(index + 1) ? HYPHEN : NO_HYPHEN));
  return [0, 0, ...between, 0, 0];
}

class TrieNode {
  readonly next = new Map<string, TrieNode>();
  /** The numbers of the pattern that ends here, without those zeros that it begins with. */
  numbers: readonly number[] = [];
  /** The same as text. */
  key = "";
  /** The first one of equal nodes, which is written for all of them. */
  equal: TrieNode = this;
  /** Number among those that are written. */
  id = 0;

  add(letters: string, numbers: readonly number[]): void {
    let node: TrieNode = this;
    for (const letter of letters) {
      const next = node.next.get(letter) ?? new TrieNode();
      node.next.set(letter, next);
      node = next;
    }
    node.numbers = numbers.slice(numbers.findIndex((number) => number > 0));
    node.key = node.numbers.join(" ");
  }

  /** This node, which is the last one, and all below it; those that are below others come first. */
  nodes(): TrieNode[] {
    const nodes: TrieNode[] = [this];
    for (const node of nodes) nodes.push(...node.next.values());
    return nodes.reverse();
  }
}

/** A number for each letter, the same for its upper case. */
function letterCodes(letters: string): ReadonlyMap<string, number> {
  const codes = new Map<string, number>();
  const lower = [...new Set(letters)].filter((letter) => letter !== ".").toSorted();
  for (const [index, letter] of lower.entries()) {
    const upper = letter === "ß" ? "ẞ" : letter.toUpperCase();
    codes.set(letter, index + 1);
    if ([...upper].length === 1 && !codes.has(upper)) codes.set(upper, index + 1);
  }
  return codes;
}

function writeAlphabet(codes: ReadonlyMap<string, number>): Buffer {
  const entries = [...codes].map(([letter, code]) => [letter.codePointAt(0) ?? 0, code] as const);
  const points = entries.map(([point]) => point);
  const [first, end] = [Math.min(...points), Math.max(...points) + 1];
  if (end - first < MAX_TABLE && codes.size < 256) {
    const table = Buffer.alloc(Math.ceil((end - first) / 4) * 4);
    for (const [point, code] of entries) table[point - first] = code;
    return Buffer.concat([words(0, first, end), table]);
  }
  const sorted = entries.toSorted(([one], [other]) => one - other);
  return words(1, sorted.length, ...sorted.map(([point, code]) => (point << 11) | code));
}

/** Equal numbers are written once. `indexes` has the place of those that a node has. */
function writePatterns(nodes: readonly TrieNode[]): {
  readonly content: Buffer;
  readonly indexes: ReadonlyMap<string, number>;
} {
  const indexes = new Map([["", 0]]);
  const entries = [0];
  const offsetsByNumbers = new Map<string, number>();
  const bytes: number[] = [];
  for (const { numbers, key } of nodes) {
    if (key === "" || indexes.has(key)) continue;
    const written = numbers.slice(0, numbers.findLastIndex((number) => number > 0) + 1);
    const offset = offsetsByNumbers.get(written.join(" ")) ?? bytes.length;
    if (offset === bytes.length) bytes.push(...written);
    offsetsByNumbers.set(written.join(" "), offset);
    indexes.set(key, entries.length);
    entries.push(written.length * 2 ** 26 + (numbers.length - written.length) * 2 ** 20 + offset);
  }
  const table = words(0, entries.length, 16 + 4 * entries.length, bytes.length, ...entries);
  return { content: Buffer.concat([table, Buffer.from(bytes)]), indexes };
}

/** The trie in one array: a node is an offset, to which the code of a letter is added to find the next one. */
function writeTrie(
  nodes: readonly TrieNode[],
  codes: ReadonlyMap<string, number>,
  indexes: ReadonlyMap<string, number>,
): Buffer {
  const codeOf = (letter: string) => codes.get(letter) ?? 0;
  const nodeOffsets = placeNodes(uniteEqualNodes(nodes), nodes.at(-1) as TrieNode, codeOf);
  const highestCode = Math.max(...codes.values());
  const size = Math.max(...nodeOffsets.values()) + highestCode + 1;
  const linkShift = bitLength(highestCode);
  const patternShift = linkShift + bitLength(size - 1);
  const entries = new Uint32Array(size);
  const add = (at: number, value: number) => {
    entries[at] = (entries[at] ?? 0) + value;
  };
  for (const [node, place] of nodeOffsets) {
    add(place, (indexes.get(node.key) ?? 0) * 2 ** patternShift);
    for (const [letter, next] of node.next) {
      const link = nodeOffsets.get(next.equal) ?? 0;
      add(place + codeOf(letter), link * 2 ** linkShift + codeOf(letter));
    }
  }
  const linkMask = 2 ** patternShift - 2 ** linkShift;
  const head = words(0, 2 ** linkShift - 1, linkShift, linkMask, patternShift, size);
  return Buffer.concat([head, Buffer.from(entries.buffer)]); // little-endian, as all machines that Chromium is packed for
}

/** Finds equal nodes: those with the same numbers and equal nodes below. Returns one of each. */
function uniteEqualNodes(nodes: readonly TrieNode[]): TrieNode[] {
  const byContent = new Map<string, TrieNode>();
  for (const node of nodes) {
    const below: string[] = [];
    for (const [letter, next] of node.next) below.push(`${letter}${next.equal.id}`);
    const content = `${node.key}|${below.length > 1 ? below.sort().join("|") : (below[0] ?? "")}`;
    const equal = byContent.get(content);
    if (equal) {
      node.equal = equal;
    } else {
      node.id = byContent.size;
      byContent.set(content, node);
    }
  }
  return [...byContent.values()];
}

/** The offset of each node, such that no two have the same, and no two letters of all nodes lead to the same entry. */
function placeNodes(
  nodes: readonly TrieNode[],
  root: TrieNode,
  codeOf: (letter: string) => number,
): ReadonlyMap<TrieNode, number> {
  const nodeOffsets = new Map<TrieNode, number>();
  const usedByNodes: boolean[] = [];
  const usedByLetters: boolean[] = [];
  let [place, letterCount] = [0, 0];
  const others = nodes.filter((node) => node !== root);
  // The root is at 0; those with most letters come first, as they fit into the fewest gaps. Those with as many go on from there.
  for (const node of [root, ...others.toSorted((one, other) => other.next.size - one.next.size)]) {
    const letters = [...node.next.keys()].map(codeOf);
    if (letters.length !== letterCount) place = 0;
    letterCount = letters.length;
    while (usedByNodes[place] || letters.some((code) => usedByLetters[place + code])) place++;
    nodeOffsets.set(node, place);
    usedByNodes[place] = true;
    for (const code of letters) usedByLetters[place + code] = true;
  }
  return nodeOffsets;
}

function bitLength(number: number): number {
  return number.toString(2).length;
}

function offsets(start: number, parts: readonly Buffer[]): [number, number, number, number] {
  const [one = 0, two = 0, three = 0] = parts.map(({ length }) => length);
  return [start, start + one, start + one + two, start + one + two + three];
}

function words(...numbers: readonly number[]): Buffer {
  const buffer = Buffer.alloc(numbers.length * 4);
  for (const [index, number] of numbers.entries()) buffer.writeUInt32LE(number, index * 4);
  return buffer;
}
