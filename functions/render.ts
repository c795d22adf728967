// Takes the captures that are to be taken in the background, one message of the queue at a time.
import "../lib/engine/browser/start-unpacking.ts";

// Read by the engine while other threads unpack Chromium.
export const { handler } = await import("../lib/workers/render-handler.ts");
