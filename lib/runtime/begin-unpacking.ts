// Imported first by a function that captures: other threads unpack Chromium while this one loads the rest of the function.
import { unpackedChromium } from "./unpacked-chromium.ts";

void unpackedChromium();
