// Reads TrueType and OpenType files with HarfBuzz.
import { readFileSync } from "node:fs";
import { Blob, Face } from "harfbuzzjs";

/** Opens the font file at a path. */
export function openFace(path: string): Face {
  return new Face(new Blob(readFileSync(path)));
}
