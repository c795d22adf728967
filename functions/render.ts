// Renders asynchronous captures, one message of the render queue at a time.
import "../lib/service/captures/start-unpacking.ts";

// Imported while other threads unpack Chromium.
export const { handler } = await import("../lib/service/jobs/render-handler.ts");
