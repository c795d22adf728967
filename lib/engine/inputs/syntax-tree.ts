// Walks syntax trees without recursion: those of hostile documents are the ones that would overflow the stack.

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

/** Every node in document order; children are read when the node has been handed out. */
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
