// The handler of captures, with the renderer of its function.
import type { RouteCall } from "../http/define-route.ts";
import type { StreamedResponse } from "../http/response.ts";
import { type OutputsBody, serveOutputs } from "../outputs/serve-outputs.ts";
import { allowedOrigins } from "../platform/allowed-origins.ts";
import { functionRenderer } from "../rendering/function-renderer.ts";
import { type CaptureBody, type CaptureServiceResources, serveCapture } from "./serve-capture.ts";
import { requestsOutputs } from "./signed-request.ts";

const createRenderer = await functionRenderer();
const allowed = allowedOrigins();

type CaptureCall = RouteCall<"handler", unknown, keyof CaptureServiceResources["env"]>;

const resourcesFor = (env: CaptureCall["env"]) => ({ createRenderer, env, allowed });

export const serveScreenshot = ({ request, env }: CaptureCall): Promise<StreamedResponse<CaptureBody | OutputsBody>> =>
  requestsOutputs(request) ? serveOutputs(request, resourcesFor(env)) : serveCapture(request, resourcesFor(env));
