// The handler of captures without an API key, with the browser of its function.
import { createBrowserLauncher } from "../../engine/browser-launcher.ts";
import type { StreamedResponse } from "../http/response.ts";
import { engineSettings } from "../platform/engine-settings.ts";
import { type KeylessCall, serveKeyless } from "./serve-keyless.ts";

const startBrowser = createBrowserLauncher(engineSettings());

export const tryCapture = (call: KeylessCall): Promise<StreamedResponse<never>> => serveKeyless(call, startBrowser);
