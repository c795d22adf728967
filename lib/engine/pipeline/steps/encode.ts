// Steps that make the result: the encoded image and its slices, the pdf, the document, and what is told beside it.
import type { ImageFormat } from "../../../options/formats.ts";
import { documentHtml, documentMarkdown, documentMhtml, documentText } from "../../outputs/document/documents.ts";
import { readMetadata } from "../../outputs/metadata/metadata.ts";
import { isolateElement, printPdf } from "../../outputs/pdf/pdf.ts";
import { toDevicePixels } from "../../outputs/screenshot/area.ts";
import { canExpress } from "../../outputs/screenshot/encoding.ts";
import { dominantColors } from "../../outputs/screenshot/palette.ts";
import { composeImage, imageSize } from "../../outputs/screenshot/raster.ts";
import { sliceImage } from "../../outputs/screenshot/slices.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { remaining, softAllowance } from "../budget.ts";
import type { CaptureState } from "../capture-context.ts";
import type { Picture, StepOf } from "../step.ts";
import type { Actions } from "./actions.ts";
import { isThere } from "./find.ts";
import { transparent } from "./frame.ts";
import { expressible } from "./screenshot.ts";

const PALETTE_COLOURS = 6;

export const resultActions = {
  compose: async (capturing, { picture }) => {
    if (capturing.output) return; // Chromium has written it
    const format = expressible(capturing, picture);
    const timeoutMs = softAllowance(capturing.budget, capturing.now(), Number.POSITIVE_INFINITY);
    const encoding = encodingOf(picture, format);
    const { body } = await composeImage(capturing.strips, { encoding, resizing: picture.resizing, timeoutMs });
    capturing.output = { body, format };
  },

  slice: async (capturing, { height, overlap, picture }) => {
    const { area, scale } = capturing;
    const [rows, repeated] = [Math.round(height * scale), Math.round(overlap * scale)];
    const timeLeft = () => remaining(capturing.budget, capturing.now());
    const isExpressible = canExpress(picture.format, { ...toDevicePixels(area, scale), height: rows });
    const encoding = encodingOf(picture, isExpressible ? picture.format : "png");
    const slicing = { height: rows, overlap: repeated, encoding, timeLeft, limits: capturing.session.limits };
    capturing.slices = await sliceImage(capturing.strips, slicing);
  },

  "study-image": async (capturing, { size, palette: isPaletteWanted }) => {
    const { body } = resultOf(capturing);
    if (size) capturing.metadata.image_size = await imageSize(body);
    if (isPaletteWanted) capturing.metadata.palette = await dominantColors(body, PALETTE_COLOURS);
  },

  "read-metadata": async (capturing, { wanted }) => {
    Object.assign(capturing.metadata, await readMetadata(capturing, wanted, capturing.record));
  },

  "write-document": async (capturing, step) => {
    capturing.output = { body: await documentBody(capturing, step), format: step.format };
  },

  isolate: async (capturing, { selector, optional }) => {
    if (!(await isThere(capturing, { option: "selector", selector, optional }))) return;
    if (await evaluateInIsolatedWorld(capturing, "areTransparent", selector, false))
      capturing.warnings.push(transparent(selector));
    await isolateElement(capturing, selector);
  },

  print: async (capturing, { settings }) => {
    capturing.output = { body: await printPdf(capturing, settings), format: "pdf" };
  },
} satisfies Actions;

function encodingOf({ quality, fast }: Picture, format: ImageFormat) {
  return { format, quality, fast };
}

async function documentBody(capturing: CaptureState, step: StepOf<"write-document">): Promise<Buffer> {
  const { format, shadowDom, tellsBlocked } = step;
  const { metadata, blocked } = capturing;
  if (format === "mhtml") return documentMhtml(capturing);
  if (format === "json") return Buffer.from(JSON.stringify({ ...metadata, ...(tellsBlocked && { blocked }) }));
  const write = { html: documentHtml, markdown: documentMarkdown, text: documentText }[format];
  return Buffer.from(await write(capturing, { shadowDom }));
}

/** The result of the plan, whose last steps have been carried out. */
export function resultOf({ output }: CaptureState): NonNullable<CaptureState["output"]> {
  if (!output) throw new Error("The plan ended without a result.");
  return output;
}
