// Warns of boards: a capture shows only the columns in the window.
import type { Board } from "../injected/dom/board.ts";
import type { CapturedPage } from "./captured-page.ts";

export function warnOfBoard({ warnings }: Pick<CapturedPage, "warnings">, { element, shownWidth, width }: Board): void {
  warnings.push(
    `The page scrolls '${element}' sideways: the capture shows ${shownWidth} of its ${width} pixels. ` +
      "A larger viewport_width shows more.",
  );
}
