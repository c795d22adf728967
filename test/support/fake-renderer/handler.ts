// The function `renderer` with the fake renderer in place of Chromium: what comes in and goes out is the product's own wire format.
import { type RenderCall, serveRender } from "../../../lib/service/rendering/serve-render.ts";
import { createFakeRenderer } from "./fake-renderer.ts";

export const handler = awslambda.streamifyResponse((call: RenderCall, response) =>
  serveRender(call, response, createFakeRenderer),
);
