// NO_SINGLE_LOOK: the windows of a full page agree in no row where they are joined.
import type { Area } from "../geometry/area.ts";
import type { Finding } from "../problems/problem-rule.ts";
import type { Seam } from "./join.ts";

/** Rows that a message names. */
const MAX_NAMED = 5;

interface StitchedPage {
  readonly seams: readonly Seam[];
  /** The first rows of texts and pictures that windows showed and the picture lacks. */
  readonly missingRows: readonly number[];
  /** The picture, in CSS pixels of the page, and image pixels for each of these. */
  readonly area: Area;
  readonly scale: number;
}

/** The finding for a picture whose windows do not agree at some of its seams, or that lacks what they show; undefined for others. */
export function findNoSingleLook({ seams, missingRows, area, scale }: StitchedPage): Finding | undefined {
  const different = seams.filter(({ agrees }) => !agrees);
  const rows = different.map(({ row }) => row);
  const [first] = [...rows, ...missingRows];
  if (first === undefined) return undefined;
  const twice = different.some((seam) => seam.twice.length > 0);
  const lost = different.some((seam) => seam.lost.length > 0);
  const named = (all: readonly number[]) => nameRows(all.map((row) => Math.round(row / scale)));
  const sentences = [
    "The page changes while it is scrolled.",
    rows.length > 0 && `The image shows it before and after a change above and below row ${named(rows)}.`,
    twice && "Something that moves is there twice.",
    lost && "Something that moves is missing there.",
    missingRows.length > 0 && `What was in view at row ${named(missingRows)} is missing.`,
  ];
  return {
    message: sentences.filter((each) => each !== false).join(" "),
    evidence: {
      count: rows.length + missingRows.length,
      rectangle: { x: 0, y: Math.round(first / scale), width: area.width, height: 0 },
    },
    isWarned: true,
  };
}

function nameRows(rows: readonly number[]): string {
  const distinct = [...new Set(rows)].sort((one, other) => one - other);
  const others = distinct.length - MAX_NAMED;
  return `${distinct.slice(0, MAX_NAMED).join(", ")}${others > 0 ? `, and ${others} more` : ""}`;
}
