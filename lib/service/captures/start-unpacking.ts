// Starts unpacking Chromium as an import side effect: capture functions import it first, because loading the rest of
// the engine takes a while. Does nothing where another function renders.
import { unpackedChromium } from "../../engine/browser/unpacked-chromium.ts";
import { packedFiles } from "../platform/engine-settings.ts";
import { optionalVariable } from "../platform/environment.ts";

const isRemote = optionalVariable("RENDERER_FUNCTION") !== undefined;
const unpacking = isRemote ? Promise.resolve() : unpackedChromium(packedFiles());

// Lambda freezes a sandbox with provisioned concurrency after its initialization, for hours and in the middle of the
// unpacking, so the initialization waits for it. On demand, the first event follows at once.
// https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
if (optionalVariable("AWS_LAMBDA_INITIALIZATION_TYPE") === "provisioned-concurrency") {
  await unpacking.catch(() => undefined); // logged, and retried by the first capture
}
