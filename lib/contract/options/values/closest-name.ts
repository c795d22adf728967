// Suggests the known name closest to a misspelled one.

/** The candidate closest to `name`, or undefined if none is within an edit distance of a third of its length. */
export function closestName(name: string, candidates: readonly string[]): string | undefined {
  const wanted = name.toLowerCase().slice(0, 64);
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: editDistance(wanted, candidate) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance);
  return ranked[0]?.candidate;
}

/** Levenshtein distance, computed row by row. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const substitution = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min((previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, substitution));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
