// GET|HEAD|POST /api/v1/screenshot: captures a page, synchronously or asynchronously.
import "../lib/captures/start-unpacking.ts";

// Imported while other threads unpack Chromium.
export const { handler } = await import("../lib/api/screenshot/screenshot-handler.ts");
