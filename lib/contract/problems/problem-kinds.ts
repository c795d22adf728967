// The closed list of problems: what can be wrong with a capture that has a result.

/** `error`: the result shows something else than the page. `warning`: it shows the page with a flaw. `info`: nothing is wrong. */
export type ProblemSeverity = "error" | "warning" | "info";

export interface ProblemKind {
  readonly severity: ProblemSeverity;
  /** What it takes from a quality of 100; the lowest and highest where that depends on how much is affected. */
  readonly penalty: number | readonly [lowest: number, highest: number];
  /** Markdown for the reference. */
  readonly meaning: string;
}

export const problemKinds = {
  BLANK: {
    severity: "error",
    penalty: 100,
    meaning: "The page shows nothing.",
  },
  BOT_CHALLENGE: {
    severity: "error",
    penalty: 100,
    meaning:
      "The result shows a bot challenge. Captures fail with `TARGET_BLOCKED` unless `ignore_host_errors` is set.",
  },
  ERROR_PAGE: {
    severity: "error",
    penalty: 80,
    meaning:
      "The page says that something isn't there or has failed: not found, access denied, an unsupported browser, " +
      "maintenance, a parked domain, or a web server's default page. Any HTTP status can have one.",
  },
  LOGIN_WALL: {
    severity: "error",
    penalty: 80,
    meaning: "The page asks to sign in, to sign up, or to subscribe, in place of its content.",
  },
  PAGE_ERROR: {
    severity: "error",
    penalty: 80,
    meaning:
      "A script of the page failed, or a request for one or by one, and the element that it should fill is empty.",
  },
  STILL_LOADING: {
    severity: "error",
    penalty: 60,
    meaning:
      "The page shows spinners, skeletons, progress bars that move, or charts without marks, or the element that its " +
      "script fills is still empty.",
  },
  OVERLAY_LEFT: {
    severity: "warning",
    penalty: 40,
    meaning: "A dialog, banner, or chat covers a part of the window. Judged for images, videos, and PDFs.",
  },
  IMAGES_MISSING: {
    severity: "warning",
    penalty: [10, 60],
    meaning:
      "Images have failed or were still loading. An `error` if they are more than half of the area of all images. " +
      "Judged for images, videos, and PDFs.",
  },
  CUT_OFF: {
    severity: "warning",
    penalty: 30,
    meaning:
      "Content is cut off: in an element that scrolls, in a text that is shortened, or below the maximum height. Judged " +
      "for `full_page`, `selector`, and PDFs.",
  },
  HORIZONTAL_OVERFLOW: {
    severity: "warning",
    penalty: 10,
    meaning:
      "Content extends beyond the right edge of the window, or a table is cut off there; in a PDF, code or a table that scrolls " +
      "sideways in the page is cut off by the paper. Judged for `full_page` and PDFs.",
  },
  FONTS_MISSING: {
    severity: "warning",
    penalty: [10, 30],
    meaning:
      "A web font failed to load, and another font was used. An icon font counts more. Judged for images, videos, and PDFs.",
  },
  GLYPHS_MISSING: {
    severity: "warning",
    penalty: 10,
    meaning: "No font has a glyph for some of the characters. Judged for images, videos, and PDFs.",
  },
  NO_SINGLE_LOOK: {
    severity: "info",
    penalty: 0,
    meaning:
      "The page changes while it is scrolled, so that no single look at it shows what the image shows on both sides of some rows. " +
      "Judged for `full_page`.",
  },
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof problemKinds;

export const problemCodes = Object.keys(problemKinds) as readonly ProblemCode[];
