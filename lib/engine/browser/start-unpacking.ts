// Imported by a function that captures before all the rest of it, which takes the engine a while to read.
import { unpackedChromium } from "./unpacked-chromium.ts";

void unpackedChromium();
