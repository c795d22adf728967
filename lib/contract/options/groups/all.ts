// All capture options, one entry each: validation, types, OpenAPI, and the reference are derived from it.
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

/** The options by group, in the order of the reference. */
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
