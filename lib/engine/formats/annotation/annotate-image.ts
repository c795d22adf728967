// Marks the elements of a page in its picture: which of them the picture shows, where, and what is drawn over it.

import { type Area, intersect, toDevicePixels } from "../../geometry/area.ts";
import type { LocatedElement, LocatedElements, PageElement } from "../elements/page-elements.ts";
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
  /** Visible elements without room for a number. */
  readonly left: number;
}

/** Of an element that is cut off, less than so many CSS pixels are of no use. */
const MIN_SHOWN_PX = 8;

/** Marks the elements that the picture shows. */
export function annotateImage(
  { located, texts }: Pick<LocatedElements, "located" | "texts">,
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
    const box = isMarkable(each) ? toImage(each.shown) : undefined;
    if (!box) return [];
    return { ...each, number: Number(each.element.ref.slice(1)), box, text: (each.text && toImage(each.text)) ?? null };
  });
  const digitPx = digitHeight(scale * Math.min(placement.scaleX, placement.scaleY));
  const labels = placeLabels(shown, {
    image,
    texts: texts.flatMap((text) => toImage(text) ?? []),
    labelSize: (number) => labelSize(number, digitPx),
  });
  const elements = new Map(shown.map(({ number, element }) => [number, element]));
  const marks = labels.flatMap(({ number, box }) => {
    const element = elements.get(number);
    if (!element) return [];
    const { ref, role, name, frame, selector } = element;
    return { mark: number, ref, role, name, frame, selector, box };
  });
  return { marks, overlays: drawMarks(labels, image, digitPx), left: shown.length - labels.length };
}

/** True for an element that a reader can use and see, and that is large enough in the picture. */
function isMarkable(located: LocatedElement): located is LocatedElement & { readonly shown: Area } {
  const { element, shown, isCovered, isGroup } = located;
  if (!shown || isCovered || isGroup) return false;
  const { width, height } = element.box;
  return shown.width >= Math.min(width, MIN_SHOWN_PX) && shown.height >= Math.min(height, MIN_SHOWN_PX);
}
