// GET|HEAD|POST /api/v1/screenshot: captures a page and answers with the image or with where it is stored, at once or later.
import "../lib/runtime/begin-unpacking.ts";

// Read by the engine while other threads unpack Chromium.
export const { handler } = await import("../lib/runtime/screenshot-handler.ts");
