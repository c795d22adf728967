// Which fonts a page is really drawn with: what Chromium chose for the texts, not what the style sheets wish for.
import type { CDPSession } from "puppeteer-core";
import { callIsolatedForObject } from "../../page/isolated-world.ts";

export interface UsedFont {
  /** Name of the family as the font file itself has it. */
  readonly family: string;
  /** True for a font the page brought along, false for one that is installed. */
  readonly web_font: boolean;
}

/**
 * The fonts of a page's texts, the one with the most text first. Chromium can only be asked about one element at a
 * time, which costs the more the more siblings it has, so one is asked for each way in which text is set. The list is
 * not complete when even that would cost too much. The session must be one for this alone, and ends with it: what it
 * learns of the document goes with it.
 */
export async function usedFonts(cdp: CDPSession): Promise<{ fonts: UsedFont[]; isComplete: boolean }> {
  try {
    await Promise.all([cdp.send("Page.enable"), cdp.send("DOM.enable"), cdp.send("CSS.enable")]);
    await cdp.send("DOM.getDocument", { depth: 0 });
    const objectId = await callIsolatedForObject(cdp, "fontSamples", LIMITS);
    const { result } = await cdp.send("Runtime.getProperties", { objectId, ownProperties: true });
    const fonts = new Map<string, UsedFont>();
    const isSample = ({ name }: { name: string }) => /^\d+$/.test(name);
    let isComplete = true;
    for (const { value } of result.filter(isSample)) {
      isComplete &&= value?.objectId !== undefined;
      if (!value?.objectId) continue;
      const { nodeId } = await cdp.send("DOM.requestNode", { objectId: value.objectId });
      for (const font of (await cdp.send("CSS.getPlatformFontsForNode", { nodeId })).fonts) {
        const family = font.familyName.slice(0, MAX_NAME).toWellFormed();
        fonts.set(`${family} ${font.isCustomFont}`, { family, web_font: font.isCustomFont });
      }
    }
    return { fonts: [...fonts.values()], isComplete };
  } finally {
    void cdp.detach().catch(() => undefined);
  }
}

const LIMITS = {
  samples: 60, // pages set text in about ten ways
  texts: 100_000,
  sentNodes: 50_000, // about 300 bytes and 20 microseconds each
};
const MAX_NAME = 200; // the name comes from the font file, and that from the page
