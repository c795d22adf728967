// The handler of captures without an API key, with the browser of its function. The private origins that the operator allows aren't for
// visitors, so this code doesn't import what reads them from the environment.
import { createBrowserLauncher } from "../../engine/browser-launcher.ts";
import { NO_ORIGINS } from "../../engine/egress/egress-policy.ts";
import type { StreamedResponse } from "../http/response.ts";
import { engineSettings } from "../platform/engine-settings.ts";
import { type KeylessCall, serveKeyless } from "./serve-keyless.ts";

const startBrowser = createBrowserLauncher(engineSettings(NO_ORIGINS));

export const tryCapture = (call: KeylessCall): Promise<StreamedResponse<never>> => serveKeyless(call, startBrowser);
