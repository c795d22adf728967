// FONTS_MISSING: web fonts that failed, and that the page uses.
import { expect, test } from "vitest";
import { captureHtml, judgedCodesOf, problemOf, prose } from "../../../support/problems.ts";

const face = (family: string) => `@font-face{font-family:${family};src:url(https://missing.invalid/${family}.woff2)}`;

test("a font that failed is named", async () => {
  const { message, severity, evidence } = await problemOf(
    "FONTS_MISSING",
    `<style>${face("Plume")}h1{font-family:Plume}</style><h1>A lighthouse</h1>${prose}`,
  );
  expect(severity).toBe("warning");
  expect(message).toContain("'Plume' failed to load");
  expect(evidence.urls).toEqual(["https://missing.invalid/Plume.woff2"]);
});

test("a lost font of icons weighs more than one of text", async () => {
  const quality = async (family: string) =>
    (
      await captureHtml(
        `<style>${face(family)}i{font-family:${family}}</style><h1>A lighthouse</h1><i>home</i>${prose}`,
      )
    ).quality;
  expect(await quality("Plume")).toBeGreaterThan(await quality("AcmeIcons"));
});

test("a font that nothing uses is not missed", async () => {
  expect(await judgedCodesOf(`<style>${face("Plume")}</style><h1>A lighthouse</h1>${prose}`)).toEqual([]);
});
