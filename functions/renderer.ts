// Renders captures for the other functions. Its role can write its log and nothing else, so that a page that breaks out of Chromium
// finds no table, bucket, or queue.
import "../lib/service/captures/start-unpacking.ts";
import type { RenderCall } from "../lib/service/rendering/serve-render.ts";

// Imported while other threads unpack Chromium.
const [{ functionRenderer }, { serveRender }, { exitTaintedSandbox }] = await Promise.all([
  import("../lib/service/rendering/function-renderer.ts"),
  import("../lib/service/rendering/serve-render.ts"),
  import("../lib/engine/browser/tainted-sandbox.ts"),
]);
const createRenderer = await functionRenderer();

export const handler = awslambda.streamifyResponse(async (call: RenderCall, response) => {
  try {
    await serveRender(call, response, createRenderer);
  } finally {
    exitTaintedSandbox();
  }
});
