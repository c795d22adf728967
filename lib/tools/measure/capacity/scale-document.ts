// Reads and replaces the tables of docs/scale.md. Each is framed by two comments with its name.

const frame = (name: string) => ({ begin: `<!-- capacity: ${name} -->\n`, end: `\n<!-- capacity: end -->` });

/** The text of a table in the page. Throws for one that it lacks. */
export function readTable(page: string, name: string): string {
  const { begin, end } = frame(name);
  const start = page.indexOf(begin);
  const stop = page.indexOf(end, start);
  if (start < 0 || stop < 0) throw new Error(`docs/scale.md has no table ${name}.`);
  return page.slice(start + begin.length, stop);
}

/** The page with other tables. */
export function replaceTables(page: string, tables: Readonly<Record<string, string>>): string {
  return Object.entries(tables).reduce((text, [name, table]) => {
    const { begin } = frame(name);
    return text.replace(`${begin}${readTable(text, name)}`, () => `${begin}${table}`);
  }, page);
}
