/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Divides large tables before they are printed. For each page of a table, Chromium keeps the layout data of all of its cells, so
// that the memory of a print grows with the square of the number of rows. Here the layout of a table is divided by styles alone: a
// body becomes a block, in which CSS wraps adjacent rows in an anonymous table, and one row in a few hundred a table of its own.
// The elements stay where they are: selectors match as before, and the head and the foot repeat on each page.

import { Journal } from "./changes/journal.ts";
import { isNear } from "./changes/measured-change.ts";
import { colourAlpha } from "./dom/appearance.ts";
import { queryAllRoots, type Root } from "./dom/shadow-roots.ts";

/** Rows after which a table is divided, where the rows there allow it. */
const PART_ROWS = 500;

const MARK = "data-divided-table";

/** Leaves the widths of the columns to the pinned cells. `:not` is for specificity. */
const UNPINNED_CELLS = `[${MARK}]:not(#_#_#_)>*>*{width:auto!important;min-width:0!important;max-width:0!important;transition:none!important}`;

interface LargeTable {
  readonly table: HTMLTableElement;
  readonly bodies: readonly Body[];
  /** A row with a cell in each column of the head, the foot, and each part, which fixes the widths of the columns there. */
  readonly pinnedRows: readonly HTMLTableRowElement[];
}

interface Body {
  readonly body: HTMLTableSectionElement;
  /** The rows that are not hidden. */
  readonly rows: readonly HTMLTableRowElement[];
  /** Indexes of the rows that become tables: each divides those before it from those after it. */
  readonly dividers: readonly number[];
}

let divided: Journal[] = [];

/**
 * Divides each table of at least `minCells` cells that can be divided without a visible change. Returns how many are divided.
 * Undoes earlier divisions first, since the page may have another width now.
 */
export function divideTables(minCells: number): number {
  for (const journal of divided) journal.revert();
  const tables = queryAllRoots<HTMLTableElement>("table").filter(
    (table) => table.rows.length > PART_ROWS && table.rows.length * countColumns(table) >= minCells,
  );
  divided = tables.flatMap((table) => divide(table) ?? []);
  return divided.length;
}

/** Divides a table. Undefined, and without a change, where one of its cells would not stay in its place. */
function divide(table: HTMLTableElement): Journal | undefined {
  const large = examine(table);
  if (!large) return undefined;
  const journal = new Journal();
  const before = measure(large);
  const places = edgePlaces(large);
  pinWidths(large, journal);
  divideBodies(large, journal);
  moveBack(large, { before: places, after: edgePlaces(large) }, journal);
  if (isSame(before, measure(large))) {
    skipOnScreen(large, journal);
    return journal;
  }
  journal.revert();
  return undefined;
}

/** Finds where a table can be divided. Undefined for one whose boxes are not those of a table, or that can't be divided. */
function examine(table: HTMLTableElement): LargeTable | undefined {
  const { display, writingMode } = getComputedStyle(table);
  if (display !== "table" || writingMode !== "horizontal-tb") return undefined;
  const columns = countColumns(table);
  const bodies = [...table.tBodies].map((body): Body => {
    const rows = [...body.rows].filter((row) => row.getBoundingClientRect().height > 0);
    return { body, rows, dividers: findDividers(rows, columns) };
  });
  const isDivisible =
    bodies.some(({ dividers }) => dividers.length > 0) &&
    bodies.every(({ body }) => getComputedStyle(body).display === "table-row-group" && !isPaintedBetweenCells(body));
  return isDivisible ? { table, bodies, pinnedRows: findPinnedRows(table, bodies, columns) } : undefined;
}

function findPinnedRows(
  table: HTMLTableElement,
  bodies: readonly Body[],
  columns: number,
): readonly HTMLTableRowElement[] {
  const sections = [table.tHead, table.tFoot].flatMap((section) => (section ? [[...section.rows]] : []));
  const parts = bodies.flatMap(({ rows, dividers }) => {
    const ends = [...dividers.flatMap((index) => [index, index + 1]), rows.length];
    return ends.map((end, at) => rows.slice(ends[at - 1] ?? 0, end));
  });
  return [...sections, ...parts].flatMap((rows) => rows.find((row) => isFull(row, columns)) ?? []);
}

function countColumns(table: HTMLTableElement): number {
  const widths = [...table.rows]
    .slice(0, PART_ROWS)
    .map(({ cells }) => [...cells].reduce((sum, { colSpan }) => sum + colSpan, 0));
  return Math.max(...widths);
}

/** The rows that no cell spans into or out of, about as far from each other as the rows of a part. */
function findDividers(rows: readonly HTMLTableRowElement[], columns: number): number[] {
  const dividers: number[] = [];
  let [last, spannedUntil] = [0, 0];
  for (const [index, row] of rows.entries()) {
    const isFree = index >= spannedUntil && index < rows.length - 1;
    for (const { rowSpan } of row.cells) {
      spannedUntil = Math.max(spannedUntil, rowSpan === 0 ? rows.length : index + rowSpan);
    }
    if (index - last < PART_ROWS || !isFree || spannedUntil > index + 1) continue;
    if (!isFull(row, columns) || isPaintedBetweenCells(row)) continue;
    dividers.push(index);
    last = index;
  }
  return dividers;
}

/** True for a row with a cell in each column. */
function isFull({ cells }: HTMLTableRowElement, columns: number): boolean {
  return cells.length === columns && [...cells].every(({ colSpan }) => colSpan === 1);
}

/** True for a background that a table, unlike a row or a body, also paints in the spaces between cells. */
function isPaintedBetweenCells(element: Element): boolean {
  const { borderCollapse, borderSpacing, backgroundColor, backgroundImage } = getComputedStyle(element);
  if (borderCollapse === "collapse" || !/[1-9]/.test(borderSpacing)) return false;
  return backgroundImage !== "none" || colourAlpha(backgroundColor) > 0;
}

/** Gives the columns of all parts the widths that they have, by the cells of one row in each part. */
function pinWidths({ table, pinnedRows }: LargeTable, journal: Journal): void {
  const widths = pinnedRows.flatMap(({ cells }) =>
    [...cells].map((cell) => [cell, cell.getBoundingClientRect().width] as const),
  );
  const { width } = table.getBoundingClientRect();
  for (const [cell, cellWidth] of widths) pinWidth(cell, cellWidth, journal);
  pinWidth(table, width, journal);
  journal.adoptSheet(table.getRootNode() as Root, UNPINNED_CELLS);
}

function pinWidth(element: Element, pixels: number, journal: Journal): void {
  const width = `${pixels}px`;
  journal.setStyle(element, {
    "box-sizing": "border-box",
    transition: "none",
    width,
    "min-width": width,
    "max-width": width,
  });
}

const BARE = { margin: "0", padding: "0", transition: "none" };

function divideBodies({ table, bodies }: LargeTable, journal: Journal): void {
  const isCollapsed = getComputedStyle(table).borderCollapse === "collapse";
  const bare = isCollapsed ? BARE : { ...BARE, border: "0" };
  const { width } = table.getBoundingClientRect();
  for (const { body, rows, dividers } of bodies) {
    for (const index of dividers) {
      const [above, divider, below] = rows.slice(index - 1, index + 2);
      if (!above || !divider || !below) continue;
      if (isCollapsed) {
        joinBorders(above, divider, journal);
        joinBorders(divider, below, journal);
      }
      journal.setStyle(divider, {
        ...bare,
        display: "table",
        "table-layout": "auto",
        "box-sizing": "border-box",
        width: "auto",
      });
    }
    journal.setAttribute(body, MARK, "");
    // The cell that CSS wraps the bodies in is in the first column, which must not become wider by it.
    journal.setStyle(body, { ...bare, display: "block", width: `${width}px`, "margin-inline-end": `${-width}px` });
  }
}

/** Where borders are collapsed, two rows have the one between them in common, which only one of them may have a style for. */
function joinBorders(above: HTMLTableRowElement, below: HTMLTableRowElement, journal: Journal): void {
  const ofRow = getComputedStyle(above);
  const borders = [...below.cells].map((cell, column) => {
    const ofCell = getComputedStyle(above.cells[column] ?? above);
    const { borderBottom, borderBottomWidth } = pixels(ofCell.borderBottomWidth) > 0 ? ofCell : ofRow;
    return {
      cell,
      border: borderBottom,
      isWider: pixels(borderBottomWidth) > pixels(getComputedStyle(cell).borderTopWidth),
    };
  });
  for (const { cell, border, isWider } of borders) if (isWider) journal.setStyle(cell, { "border-top": border });
}

/** Moves the parts of a table to where they were, by margins: spaces and borders at their edges have moved them. */
function moveBack(
  { table, bodies }: LargeTable,
  { before, after }: { readonly before: EdgePlaces; readonly after: EdgePlaces },
  journal: Journal,
): void {
  const isRightToLeft = getComputedStyle(table).direction === "rtl";
  const distance = (row: HTMLTableRowElement | undefined) => {
    const was = (row && before.corners.get(row)) ?? { x: 0, y: 0 };
    const is = (row && after.corners.get(row)) ?? { x: 0, y: 0 };
    return { x: isRightToLeft ? is.x - was.x : was.x - is.x, y: was.y - is.y };
  };
  let moved = 0; // what is above has been moved by so many pixels
  for (const { body, rows, dividers } of bodies) {
    const { x, y } = distance(rows[0]);
    journal.setStyle(body, { "margin-inline-start": `${x}px`, "margin-top": `${y - moved}px` });
    moved = y;
    for (const index of dividers) {
      const [divider, below] = [distance(rows[index]), distance(rows[index + 1])];
      const margins = { "margin-top": `${divider.y - moved}px`, "margin-bottom": `${below.y - divider.y}px` };
      journal.setStyle(rows[index] as Element, { ...margins, "margin-inline-start": `${divider.x - x}px` });
      moved = below.y;
    }
  }
  const last = bodies.at(-1)?.body;
  if (last) journal.setStyle(last, { "margin-bottom": `${before.height - after.height - moved}px` });
}

interface Corner {
  readonly x: number;
  readonly y: number;
}

/** Where the edges of parts are. */
interface EdgePlaces {
  /** The height of the table. */
  readonly height: number;
  /** Where the first cell of each row at an edge is, from the corner of the table. */
  readonly corners: ReadonlyMap<HTMLTableRowElement, Corner>;
}

function edgePlaces({ table, bodies }: LargeTable): EdgePlaces {
  const around = table.getBoundingClientRect();
  const edges = bodies.flatMap(({ rows, dividers }) => [
    rows[0],
    ...dividers.flatMap((index) => rows.slice(index, index + 2)),
  ]);
  const corners = new Map<HTMLTableRowElement, Corner>();
  for (const row of edges) {
    const cell = row?.cells[0];
    if (!row || !cell) continue;
    const { left, top } = cell.getBoundingClientRect();
    corners.set(row, { x: left - around.left, y: top - around.top });
  }
  return { height: around.height, corners };
}

/**
 * The boxes of the table, of the first cell of each row, and of all cells of those rows that may differ: the ones that fix the widths of
 * columns, and those with cells that span several. In the rows between, each cell is in its column and as tall as its row.
 */
function measure({ table, pinnedRows }: LargeTable): readonly number[] {
  const around = table.getBoundingClientRect();
  const numbers = [around.left, around.top, around.width, around.height];
  const isPinned = new Set(pinnedRows);
  for (const row of table.rows) {
    const cells = [...row.cells];
    const isMeasuredWhole = isPinned.has(row) || cells.some(({ colSpan, rowSpan }) => colSpan > 1 || rowSpan !== 1);
    for (const cell of isMeasuredWhole ? cells : cells.slice(0, 1)) {
      const { left, top, width, height } = cell.getBoundingClientRect();
      numbers.push(left - around.left, top - around.top, width, height);
    }
  }
  return numbers;
}

function isSame(before: readonly number[], after: readonly number[]): boolean {
  return before.every((value, index) => isNear(value, after[index] ?? Number.NaN));
}

/** Spares the layouts on screen that Chromium makes before and after each print. What is printed is laid out all the same. */
function skipOnScreen({ bodies }: LargeTable, journal: Journal): void {
  const shown = bodies.filter(({ rows }) => !rows[0] || !isCounted(rows[0]));
  const heights = shown.map(({ body }) => body.getBoundingClientRect().height);
  for (const [index, { body }] of shown.entries()) {
    const size = { "contain-intrinsic-height": `${heights[index]}px`, "overflow-clip-margin": "9px" };
    journal.setStyle(body, { "content-visibility": "auto", ...size });
  }
}

/** True for a row that CSS counts: `content-visibility` would begin to count again. */
function isCounted(row: HTMLTableRowElement): boolean {
  const styles = [row, ...row.cells].flatMap((each) => [null, "::before"].map((part) => getComputedStyle(each, part)));
  return styles.some(({ counterIncrement, counterSet }) => counterIncrement !== "none" || counterSet !== "none");
}

function pixels(length: string): number {
  return Number.parseFloat(length) || 0;
}
