// The handler of captures, with the renderer of its function.
import type { RouteCall } from "../http/define-route.ts";
import type { StreamedResponse } from "../http/response.ts";
import { allowedOrigins } from "../platform/allowed-origins.ts";
import { functionRenderer } from "../rendering/function-renderer.ts";
import { type CaptureBody, type CaptureServiceResources, serveCaptures } from "./serve.ts";

const createRenderer = await functionRenderer();
const allowed = allowedOrigins();

type CaptureCall = RouteCall<"handler", unknown, keyof CaptureServiceResources["env"]>;

export const serveScreenshot = ({ request, env }: CaptureCall): Promise<StreamedResponse<CaptureBody>> =>
  serveCaptures(request, { createRenderer, env, allowed });
