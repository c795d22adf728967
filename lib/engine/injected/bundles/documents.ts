/// <reference lib="dom" />
// Functions for captures that read the document or print it, called in the page's isolated world.
import * as documents from "../documents.ts";
import * as drawings from "../drawings.ts";
import * as metadata from "../metadata.ts";
import * as pageRules from "../page-rules.ts";
import * as pdf from "../pdf.ts";
import * as printCanvases from "../print-canvases.ts";

export const functions: typeof documents &
  typeof drawings &
  typeof metadata &
  typeof pageRules &
  typeof pdf &
  typeof printCanvases = {
  ...documents,
  ...drawings,
  ...metadata,
  ...pageRules,
  ...pdf,
  ...printCanvases,
};
