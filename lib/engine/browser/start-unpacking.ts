// Starts unpacking Chromium as an import side effect: capture functions import it first, because loading the rest of
// the engine takes a while.
import { unpackedChromium } from "./unpacked-chromium.ts";

void unpackedChromium();
