// Marks the elements of a page in its picture: which of them the picture shows, where, and what is drawn over it.

import { type Area, intersect, toDevicePixels } from "../../geometry/area.ts";
import type { LocatedElement, PageElement } from "../elements/page-elements.ts";
import type { ImageArea } from "../screenshot/image-settings.ts";
import { placeInResized, type Resizing, resizedSize } from "../screenshot/resizing.ts";
import { digitHeight, drawMarks, labelSize, type Overlay } from "./draw-marks.ts";
import { placeLabels } from "./place-labels.ts";

/** A mark in the picture, and the element that it stands for. */
export interface ImageMark extends Pick<PageElement, "ref" | "role" | "name" | "frame" | "selector"> {
  /** The number in the picture: that of the `ref`. */
  readonly mark: number;
  /** In pixels of the image. */
  readonly box: Area;
}

export interface Annotation {
  readonly marks: readonly ImageMark[];
  readonly overlays: readonly Overlay[];
  /** Elements that the picture shows, but for whose number it has no place. */
  readonly left: number;
}

/** Smaller parts of elements are of no use in a picture. */
const MIN_SIDE_PX = 3;

/** Marks the elements that the picture shows. */
export function annotateImage(
  located: readonly LocatedElement[],
  { area, scale }: ImageArea,
  resizing: Resizing | undefined,
): Annotation {
  const source = toDevicePixels(area, scale);
  const image = resizing ? resizedSize(source, resizing) : source;
  const placement = resizing ? placeInResized(source, resizing) : { scaleX: 1, scaleY: 1, left: 0, top: 0 };
  const toImage = (part: Area): Area | undefined => {
    const left = placement.left + placement.scaleX * scale * (part.x - area.x);
    const top = placement.top + placement.scaleY * scale * (part.y - area.y);
    const right = left + placement.scaleX * scale * part.width;
    const bottom = top + placement.scaleY * scale * part.height;
    const [x, y] = [Math.round(left), Math.round(top)];
    const whole = { x, y, width: Math.round(right) - x, height: Math.round(bottom) - y };
    return intersect(whole, { x: 0, y: 0, ...image });
  };
  const shown = located.flatMap((each) => {
    const box = each.shown && !each.isCovered ? toImage(each.shown) : undefined;
    if (!box || Math.min(box.width, box.height) < MIN_SIDE_PX) return [];
    return { ...each, number: Number(each.element.ref.slice(1)), box, text: (each.text && toImage(each.text)) ?? null };
  });
  const digitPx = digitHeight(scale * Math.min(placement.scaleX, placement.scaleY));
  const labels = placeLabels(shown, image, (number) => labelSize(number, digitPx));
  const elements = new Map(shown.map(({ number, element }) => [number, element]));
  const marks = labels.flatMap(({ number, box }) => {
    const element = elements.get(number);
    if (!element) return [];
    const { ref, role, name, frame, selector } = element;
    return { mark: number, ref, role, name, frame, selector, box };
  });
  return { marks, overlays: drawMarks(labels, image, digitPx), left: shown.length - labels.length };
}
