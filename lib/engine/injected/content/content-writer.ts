/// <reference lib="dom" />
// What the reader of content needs from a format: plain text, or HTML for Markdown.
import type { Formula } from "./formulas.ts";

export interface TextStyle {
  /** The computed `white-space-collapse`. */
  readonly collapse: string;
  /** True within a `pre` element. */
  readonly isCode: boolean;
}

export interface ContentWriter {
  text(data: string, style: TextStyle): string;
  /** A line end within a block. */
  readonly lineEnd: string;
  /** The options of a select element, each written by `text`. */
  options(lines: readonly string[]): string;
  formula(formula: Formula): string;
  /** Content in a block that no element stands for. */
  block(content: string): string;
  /** The content of an element that is part of a line; with `isFlat`, without the marks of the block that its content is. */
  inline(element: Element, content: string, isFlat: boolean): string;
  /** The content of an element that has lines of its own. */
  element(element: Element, content: string, display: string): string;
  /** An element that is replaced by something else, such as an image; undefined for one that is read like any other. */
  replaced(element: Element, name: string): { readonly content: string; readonly isBlock: boolean } | undefined;
  /** True for a link whose address is written. */
  isLink(element: Element): boolean;
}
