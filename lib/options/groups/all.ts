// Every option of a capture, one entry each: validation, types, OpenAPI and the written reference come from here.
import { areaOptions } from "./area.ts";
import { blockingOptions } from "./blocking.ts";
import { deliveryOptions } from "./delivery.ts";
import { environmentOptions } from "./environment.ts";
import { inputOptions } from "./input.ts";
import { manipulationOptions } from "./manipulation.ts";
import { metadataOptions } from "./metadata.ts";
import { outputOptions } from "./output.ts";
import { pdfOptions } from "./pdf.ts";
import { storageOptions } from "./storage.ts";
import { videoOptions } from "./video.ts";
import { viewportOptions } from "./viewport.ts";
import { waitingOptions } from "./waiting.ts";

/** The options in groups, as a reader finds them. */
export const optionGroups = {
  Input: inputOptions,
  Output: outputOptions,
  "Window and device": viewportOptions,
  "Part of the page": areaOptions,
  "Waiting and failing": waitingOptions,
  "The visitor": environmentOptions,
  "Changing the page": manipulationOptions,
  Blocking: blockingOptions,
  Video: videoOptions,
  PDF: pdfOptions,
  Metadata: metadataOptions,
  "Delivery and cache": deliveryOptions,
  "Your own storage": storageOptions,
} as const;

export const captureOptionEntries = {
  ...inputOptions,
  ...outputOptions,
  ...viewportOptions,
  ...areaOptions,
  ...waitingOptions,
  ...environmentOptions,
  ...manipulationOptions,
  ...blockingOptions,
  ...videoOptions,
  ...pdfOptions,
  ...metadataOptions,
  ...deliveryOptions,
  ...storageOptions,
};

export type CaptureOptionName = keyof typeof captureOptionEntries;
export const captureOptionNames = Object.keys(captureOptionEntries) as CaptureOptionName[];
