// A function that returns a page script.
import { injectedScript } from "../../../lib/engine/page/injected-scripts.ts";

export function handler(): Promise<string> {
  return injectedScript("core");
}
