// Building blocks of the pages of the fixture site.
import type { ServerResponse } from "node:http";
import { BAND_HEIGHT, BOX, bandColour } from "../site-pages.ts";

/** Answers by itself, or returns the HTML of an answer with status 200. The request is `answer.req`. */
export type Page = (query: URLSearchParams, answer: ServerResponse) => string | undefined;

/** Pages by their paths. */
export type Pages = Readonly<Record<string, Page>>;

/** A page without margins on a white ground. */
export function document(body: string): string {
  return `<!doctype html><title>Fixture</title><style>body{margin:0}</style>${body}`;
}

/** The box of `/box`, red. */
export const box = `<div id="box" style="position:absolute;left:${BOX.x}px;top:${BOX.y}px;width:${BOX.width}px;height:${BOX.height}px;background:red"></div>`;

/** Statement that paints the box green. */
export const paintGreen = `document.getElementById("box").style.background = "green";`;

/** `count` bands of 100 px from the number `first` on, with the ids band-0, band-1, … */
export function bands(count: number, first = 0): string {
  return list(count, (index) => {
    const band = first + index;
    return `<div id="band-${band}" style="height:${BAND_HEIGHT}px;background:${css(bandColour(band))}"></div>`;
  }).join("");
}

export const script = (text: string) => `<script>${text}</script>`;

/** A colour as style sheets write it. */
export const css = (colour: readonly number[]) => `rgb(${colour})`;

/** The number a query has under a name. */
export function numberIn(query: URLSearchParams, name: string, otherwise: number): number {
  return Number(query.get(name) ?? otherwise);
}

export function list<T>(length: number, item: (index: number) => T): T[] {
  return Array.from({ length }, (_, index) => item(index));
}

/** Address of an image of one colour that comes after `after` ms; each `name` is a resource of its own. */
export function solidImage(colour: readonly number[], after: number, name: string | number): string {
  return `/solid-image?colour=${colour}&after=${after}&name=${name}`;
}
