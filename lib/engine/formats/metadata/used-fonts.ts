// Fonts a page is actually rendered with: Chromium's choice for its texts, not the `font-family` of the style sheets.

import type { CDPSession } from "puppeteer-core";
import type * as metadata from "../../injected/metadata.ts";
import { callIsolatedForObject } from "../../page/isolated-world.ts";
import { type PageFunction, pageFunction } from "../../page/page-function.ts";

export interface UsedFont {
  /** Family name in the font file. */
  readonly family: string;
  /** True for a web font, false for an installed font. */
  readonly web_font: boolean;
}

/**
 * Returns the fonts of the page's texts, most used first. Chromium reports the fonts of one element at a time, which is
 * slower the more siblings it has, so one element is sampled for each distinct style of text. The list is incomplete
 * when even that would take too long. Pass a session for this call only: it is detached at the end, which frees what it
 * learned of the document.
 */
export async function usedFonts(cdp: CDPSession): Promise<{ fonts: UsedFont[]; isComplete: boolean }> {
  try {
    await Promise.all([cdp.send("Page.enable"), cdp.send("DOM.enable"), cdp.send("CSS.enable")]);
    await cdp.send("DOM.getDocument", { depth: 0 });
    const objectId = await callIsolatedForObject(cdp, fontSamples, LIMITS);
    const { result } = await cdp.send("Runtime.getProperties", { objectId, ownProperties: true });
    const fonts = new Map<string, UsedFont>();
    const isSample = ({ name }: { name: string }) => /^\d+$/.test(name);
    let isComplete = true;
    for (const { value } of result.filter(isSample)) {
      isComplete &&= value?.objectId !== undefined;
      if (!value?.objectId) continue;
      const { nodeId } = await cdp.send("DOM.requestNode", { objectId: value.objectId });
      for (const font of (await cdp.send("CSS.getPlatformFontsForNode", { nodeId })).fonts) {
        const family = font.familyName.slice(0, MAX_NAME_LENGTH).toWellFormed();
        fonts.set(`${family} ${font.isCustomFont}`, { family, web_font: font.isCustomFont });
      }
    }
    return { fonts: [...fonts.values()], isComplete };
  } finally {
    void cdp.detach().catch(() => undefined);
  }
}

const LIMITS = {
  samples: 60, // pages use about ten styles of text
  texts: 100_000,
  sentNodes: 50_000, // about 300 bytes and 20 microseconds each
};
const MAX_NAME_LENGTH = 200; // the font file, and so its name, comes from the page

const fontSamples: PageFunction<typeof metadata.fontSamples> = pageFunction("documents", "fontSamples", {
  result: "elements",
});
