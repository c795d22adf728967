// Places the numbers of marks in a picture: next to their elements, on no other number, and on no name where that can be avoided.
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
  /** True for a label that isn't next to its element: a line leads to it. */
  readonly hasLeader: boolean;
  /** True where the label is on the text of an element. */
  readonly coversName: boolean;
}

/** Rings around an element in which a free place is searched, in heights of a label; a line to one of the nearer rings is short. */
const NEAR_RINGS = [0.5, 1];
const FAR_RINGS = [2, 3, 4.5, 6, 8, 11];
const DIRECTIONS = 16;

/** A label may stand inside of an element that is so many times as wide: there is enough left to see. */
const MIN_ROOM = 3;

export interface Labelling {
  readonly image: Size;
  /** Where texts of the page are, line by line, those of elements without a label included. */
  readonly texts: readonly Area[];
  /** The size of the label of a number. */
  readonly labelSize: (number: number) => Size;
}

/** Places a label for each element, in order. An element is left out when there is no place for its label without another label. */
export function placeLabels(elements: readonly LabelledElement[], labelling: Labelling): readonly PlacedLabel[] {
  const taken = takenPlaces(elements, labelling.texts);
  return elements.flatMap((element) => {
    const placed = placeLabel(element, labelling, taken);
    if (!placed) return [];
    taken.labels.add(placed.label);
    return placed;
  });
}

/** What labels should not be on. */
interface TakenPlaces {
  readonly labels: AreaIndex;
  /** Texts of the elements that get labels. */
  readonly names: AreaIndex;
  readonly texts: AreaIndex;
  readonly boxes: AreaIndex;
}

function takenPlaces(elements: readonly LabelledElement[], texts: readonly Area[]): TakenPlaces {
  const taken = { labels: new AreaIndex(), names: new AreaIndex(), texts: new AreaIndex(), boxes: new AreaIndex() };
  const named = new AreaIndex();
  for (const { box, text } of elements) {
    taken.boxes.add(box);
    const name = text && intersect(text, box);
    if (name) named.add(name);
  }
  for (const text of texts) {
    taken.texts.add(text);
    if (named.overlaps(text)) taken.names.add(text);
  }
  return taken;
}

function placeLabel(
  { number, box }: LabelledElement,
  { image, labelSize }: Labelling,
  taken: TakenPlaces,
): PlacedLabel | undefined {
  const size = labelSize(number);
  // A place that an edge of the picture cuts is moved inside, which puts it on the element: the others come first.
  const free = (places: readonly Area[]) => {
    const [whole, cut] = [
      places.filter((place) => isInside(place, image)),
      places.filter((place) => !isInside(place, image)),
    ];
    return [...whole, ...cut.map((place) => moveInside(place, image))].filter(
      (place) => isInside(place, image) && !taken.labels.overlaps(place),
    );
  };
  const isOffTexts = (place: Area) => !taken.texts.overlaps(place);
  const isOffNames = (place: Area) => !taken.names.overlaps(place);
  // Next to another element, a label seems to be that of the other one, unless that one is around this one.
  const isOwn = (place: Area) =>
    isOffTexts(place) && taken.boxes.overlapping(place).every((other) => isWithin(box, other));
  const placed = (label: Area | undefined, hasLeader: boolean): PlacedLabel | undefined =>
    label && { number, box, label, hasLeader, coversName: !isOffNames(label) };

  const adjacent = free([...placesAtEdges(box, size), ...placesInside(box, size), ...placesAtCorners(box, size)]);
  const own = placed(adjacent.find(isOwn), false);
  if (own) return own;
  const near = free(placesAround(box, size, NEAR_RINGS));
  const close = placed(near.find(isOwn), true) ?? placed(adjacent.find(isOffTexts) ?? adjacent.find(isOffNames), false);
  if (close) return close;
  const around = [...near, ...free(placesAround(box, size, FAR_RINGS))];
  return placed(around.find(isOffTexts) ?? around.find(isOffNames) ?? adjacent[0] ?? around[0], true);
}

function isInside({ x, y, width, height }: Area, image: Size): boolean {
  return x >= 0 && y >= 0 && x + width <= image.width && y + height <= image.height;
}

function isWithin(inner: Area, outer: Area): boolean {
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  );
}

/** Places outside that touch an edge of a box. */
function placesAtEdges(box: Area, size: Size): Area[] {
  const { x, y } = box;
  const [right, bottom] = [x + box.width, y + box.height];
  const [centre, middle] = [x + (box.width - size.width) / 2, y + (box.height - size.height) / 2];
  return placesAt(size, [
    [x, y - size.height],
    [x - size.width, y],
    [x - size.width, middle],
    [right - size.width, y - size.height],
    [x, bottom],
    [right, y],
    [right, middle],
    [right - size.width, bottom],
    [centre, y - size.height],
    [centre, bottom],
  ]);
}

/** Places inside of a box that has room for a label next to its content. */
function placesInside(box: Area, size: Size): Area[] {
  if (box.width < MIN_ROOM * size.width || box.height < size.height) return [];
  const [restX, restY] = [box.width - size.width, box.height - size.height];
  const columns = [1, 0.75, 0.5, 0.25, 0]; // icons are mostly at the start
  return [0.5, 0, 1].flatMap((row) =>
    placesAt(
      size,
      columns.map((column) => [box.x + column * restX, box.y + row * restY]),
    ),
  );
}

/** Places at the corners of a box: outside, then inside. */
function placesAtCorners({ x, y, ...box }: Area, size: Size): Area[] {
  const [right, bottom] = [x + box.width, y + box.height];
  return placesAt(size, [
    [x - size.width, y - size.height],
    [right, y - size.height],
    [x - size.width, bottom],
    [right, bottom],
    [x, y],
    [right - size.width, y],
    [x, bottom - size.height],
    [right - size.width, bottom - size.height],
  ]);
}

function placesAt(size: Size, corners: readonly (readonly [number, number])[]): Area[] {
  return corners.map(([x, y]) => ({ x: Math.round(x), y: Math.round(y), ...size }));
}

/** Places on rings around a box, the nearest first. */
function placesAround(box: Area, size: Size, rings: readonly number[]): Area[] {
  return rings.flatMap((ring) => {
    const reachX = (box.width + size.width) / 2 + ring * size.height;
    const reachY = (box.height + size.height) / 2 + ring * size.height;
    const left = box.x + (box.width - size.width) / 2;
    const top = box.y + (box.height - size.height) / 2;
    return placesAt(
      size,
      Array.from({ length: DIRECTIONS }, (_, step) => {
        const angle = (2 * Math.PI * step) / DIRECTIONS - Math.PI / 2;
        return [left + reachX * Math.cos(angle), top + reachY * Math.sin(angle)] as const;
      }),
    );
  });
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

  /** The areas that overlap with one; an area can be among them more than once. */
  overlapping(area: Area): readonly Area[] {
    return cells(area).flatMap((cell) => this.#cells.get(cell)?.filter((other) => intersect(other, area)) ?? []);
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
