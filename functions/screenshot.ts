// GET|HEAD|POST /api/v1/screenshot: captures a page and answers with the image or with where it is stored, at once or later.
import "../lib/engine/browser/start-unpacking.ts";

// Read by the engine while other threads unpack Chromium.
export const { handler } = await import("../lib/api/screenshot/screenshot-handler.ts");
