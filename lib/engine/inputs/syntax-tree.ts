// Walks syntax trees without recursion, because hostile documents are deep enough to overflow the stack.
import type { Nodes as HtmlNodes } from "hast";

type Tree = { children?: readonly Tree[] } | object;

/** True when a tree has more than `limit` levels below its root. */
export function depthExceeds(limit: number, tree: Tree): boolean {
  let level: Tree[] = [tree];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    level = level.flatMap((node) => ("children" in node ? (node.children ?? []) : []));
  }
  return false;
}

/** Yields every node in document order; children are read after their parent was yielded. */
export function* walk<Node extends object>(tree: Node): Generator<Node> {
  const pending = [tree];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    yield node;
    if ("children" in node) {
      const children = node.children as Node[];
      for (let index = children.length - 1; index >= 0; index--) pending.push(children[index] as Node);
    }
  }
}

/** The text of an element or a document, without its markup. */
export function textContent(tree: HtmlNodes): string {
  let text = "";
  for (const node of walk<HtmlNodes>(tree)) {
    if (node.type === "text") text += node.value;
  }
  return text;
}
