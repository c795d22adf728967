// Places the numbers of marks in a picture: beside their elements, on no other number, and on no name where that can be avoided.
import { type Area, intersect } from "../../geometry/area.ts";
import type { Size } from "../screenshot/encoding.ts";

/** An element in the picture, in image pixels. */
export interface LabelledElement {
  readonly number: number;
  readonly box: Area;
  /** Where its text is. */
  readonly text: Area | null;
}

export interface PlacedLabel {
  readonly number: number;
  readonly box: Area;
  readonly label: Area;
  /** True for a label that isn't beside its element: a line leads to it. */
  readonly hasLeader: boolean;
  /** True where the label is on the text of an element. */
  readonly coversName: boolean;
}

/** Rings around an element in which a free place is searched, in heights of a label. */
const RINGS = [1, 2, 3, 4.5, 6, 8, 11];
const DIRECTIONS = 16;

export interface Labelling {
  readonly image: Size;
  /** Where texts of the page are, those of elements without a label included. */
  readonly texts: readonly Area[];
  /** The size of the label of a number. */
  readonly labelSize: (number: number) => Size;
}

/** Places a label for each element, in order. An element for whose label there is no place without another label is left out. */
export function placeLabels(
  elements: readonly LabelledElement[],
  { image, texts, labelSize }: Labelling,
): readonly PlacedLabel[] {
  const taken = { labels: new AreaIndex(), names: new AreaIndex(), texts: new AreaIndex(), boxes: new AreaIndex() };
  for (const text of texts) taken.texts.add(text);
  for (const { box, text } of elements) {
    taken.boxes.add(box);
    const name = text && intersect(text, box);
    if (name) taken.names.add(name);
  }
  return elements.flatMap(({ number, box }) => {
    const size = labelSize(number);
    const free = (place: Area) => isInside(place, image) && !taken.labels.overlaps(place);
    const beside = placesBeside(box, size)
      .map((place) => moveInside(place, image))
      .filter(free);
    const offNames = beside.filter((place) => !taken.names.overlaps(place));
    const offTexts = offNames.filter((place) => !taken.texts.overlaps(place));
    const adjacent = offTexts.find((place) => !taken.boxes.overlaps(place)) ?? offTexts[0] ?? offNames[0];
    const around = adjacent ? [] : placesAround(box, size).filter(free);
    const label = adjacent ?? around.find((place) => !taken.names.overlaps(place)) ?? beside[0] ?? around[0];
    if (!label) return [];
    taken.labels.add(label);
    return { number, box, label, hasLeader: !adjacent, coversName: taken.names.overlaps(label) };
  });
}

function isInside({ x, y, width, height }: Area, image: Size): boolean {
  return x >= 0 && y >= 0 && x + width <= image.width && y + height <= image.height;
}

/** Places that touch the box of an element: outside first, then in its corners. */
function placesBeside(box: Area, { width, height }: Size): Area[] {
  const { x, y } = box;
  const [right, bottom] = [x + box.width, y + box.height];
  const middle = y + (box.height - height) / 2;
  const places: readonly (readonly [number, number])[] = [
    [x, y - height],
    [x - width, y],
    [x - width, middle],
    [right - width, y - height],
    [x, bottom],
    [right, y],
    [right, middle],
    [right - width, bottom],
    [x - width, y - height],
    [right, y - height],
    [x - width, bottom],
    [right, bottom],
    [x, y],
    [right - width, y],
    [x, bottom - height],
    [right - width, bottom - height],
    [right - width, middle],
    [x + (box.width - width) / 2, y - height],
    [x + (box.width - width) / 2, bottom],
  ];
  return places.map(([left, top]) => ({ x: Math.round(left), y: Math.round(top), width, height }));
}

/** Places on rings around an element, the nearest first. */
function placesAround(box: Area, { width, height }: Size): Area[] {
  return RINGS.flatMap((ring) =>
    Array.from({ length: DIRECTIONS }, (_, step) => {
      const angle = (2 * Math.PI * step) / DIRECTIONS - Math.PI / 2;
      const [reachX, reachY] = [box.width / 2 + width / 2 + ring * height, box.height / 2 + height / 2 + ring * height];
      const x = box.x + box.width / 2 + reachX * Math.cos(angle) - width / 2;
      const y = box.y + box.height / 2 + reachY * Math.sin(angle) - height / 2;
      return { x: Math.round(x), y: Math.round(y), width, height };
    }),
  );
}

/** A place that an edge of the picture cuts, moved inside. */
function moveInside(place: Area, image: Size): Area {
  return {
    ...place,
    x: Math.max(0, Math.min(image.width - place.width, place.x)),
    y: Math.max(0, Math.min(image.height - place.height, place.y)),
  };
}

/** Areas by the cells of a grid that they touch. */
class AreaIndex {
  readonly #cells = new Map<string, Area[]>();

  add(area: Area): void {
    for (const cell of cells(area)) {
      const there = this.#cells.get(cell);
      if (there) there.push(area);
      else this.#cells.set(cell, [area]);
    }
  }

  overlaps(area: Area): boolean {
    return cells(area).some((cell) => this.#cells.get(cell)?.some((other) => intersect(other, area) !== undefined));
  }
}

const CELL_PX = 128;

function cells({ x, y, width, height }: Area): string[] {
  const found: string[] = [];
  const [left, right] = [Math.floor(x / CELL_PX), Math.floor((x + width) / CELL_PX)];
  const [top, bottom] = [Math.floor(y / CELL_PX), Math.floor((y + height) / CELL_PX)];
  for (let row = top; row <= bottom; row++)
    for (let column = left; column <= right; column++) found.push(`${column},${row}`);
  return found;
}
