// The handler of captures, with the browser of its function.
import { createBrowserLauncher } from "../../engine/browser-launcher.ts";
import type { RouteCall } from "../http/define-route.ts";
import type { ApiResponse } from "../http/response.ts";
import { allowedOrigins } from "../platform/allowed-origins.ts";
import { engineSettings } from "../platform/engine-settings.ts";
import { type CaptureBody, type CaptureServiceResources, serveCapture } from "./serve-capture.ts";

const startBrowser = createBrowserLauncher(engineSettings());
const allowed = allowedOrigins();

type CaptureCall = RouteCall<"handler", unknown, keyof CaptureServiceResources["env"]>;

export const serveScreenshot = ({ request, env }: CaptureCall): Promise<ApiResponse<CaptureBody>> =>
  serveCapture(request, { startBrowser, env, allowed });
