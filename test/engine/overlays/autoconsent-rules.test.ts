// Autoconsent's rules: which apply to a document, the names of platforms, and the files of the layer.
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildBlockingLayer } from "../../../layers/blocking/build.ts";
import { readConsentFiles } from "../../../lib/engine/adblock/autoconsent-files.ts";
import { bannerParts, concernsFrame, platformName, rulesFor } from "../../../lib/engine/overlays/autoconsent-rules.ts";

const files = readConsentFiles(join(buildBlockingLayer(), "blocking"));

describe("Rules for consent banners", () => {
  it("are in the layer, with the script that they are for", async () => {
    const { script, rules, snippets } = await files;
    expect(rules.length).toBeGreaterThan(500);
    expect(script).toContain("autoconsentReceiveMessage");
    expect(snippets["EVAL_COOKIEBOT_1"]).toContain("Cookiebot");
  });

  it("are told to be missing where they are", async () => {
    await expect(readConsentFiles("/nowhere")).rejects.toThrow(
      "The rules for consent banners at /nowhere cannot be used.",
    );
  });

  it("of one site are for that site only, and those of a platform for all", async () => {
    const { rules } = await files;
    const names = (url: string) => rulesFor(rules, { url, isTop: true }).map(({ name }) => name);
    const [site, other] = [names("https://www.coinbase.com/"), names("https://example.com/")];
    expect(site).toContain("coinbase");
    expect(other).not.toContain("coinbase");
    expect(site).toEqual(expect.arrayContaining(["didomi", "Piwik PRO"]));
    expect(other).toEqual(expect.arrayContaining(["didomi", "Piwik PRO"]));
  });

  it("concern frames of platforms, and not those of anybody else", async () => {
    const { rules } = await files;
    const concerns = (url: string) => concernsFrame(rules, url);
    expect(concerns("https://cdn.privacy-mgmt.com/index.html?message_id=1&consentUUID=2")).toBe(true);
    expect(concerns("https://consent-pref.trustarc.com/?type=x")).toBe(true);
    expect(concerns("https://buy.tinypass.com/checkout/template/show")).toBe(true);
    expect(concerns("https://ads.example/frame?slot=1")).toBe(false);
    expect(concerns("https://example.com/?next=https://consent-pref.trustarc.com/")).toBe(false);
    expect(concerns("about:blank")).toBe(false);
  });

  it("say what a banner consists of", async () => {
    const { rules } = await files;
    expect(bannerParts(rules, "shopify").banner).toEqual(["#shopify-pc__banner"]);
    expect(bannerParts(rules, "ketch").banner).toContain("#ketch-banner");
    expect(bannerParts(rules, "Onetrust").banner).toEqual(["#onetrust-banner-sdk, #onetrust-pc-sdk"]);
    expect(bannerParts(rules, "nobody")).toEqual({ banner: [], around: [] });
  });

  it("name the library that a banner is made with, not a product that brings it along", async () => {
    const { rules } = await files;
    const detects = (markup: string) => rules.filter(({ detectCmp }) => JSON.stringify(detectCmp).includes(markup));
    const namesOf = (markup: string) => new Set(detects(markup).map(({ name }) => platformName(name)));
    expect(namesOf("cookieconsent:desc")).toEqual(new Set(["Osano Cookie Consent"]));
    expect(namesOf(".cmplz-cookiebanner")).toEqual(new Set(["Complianz"]));
    expect(namesOf(".fs-cc-components")).toEqual(new Set(["Finsweet"]));
    expect(namesOf("#cc-main")).toEqual(new Set(["CookieConsent"]));
  });

  it("name platforms as these call themselves, and a site by its address", () => {
    expect(platformName("Onetrust")).toBe("OneTrust");
    expect(platformName("iubenda")).toBe("iubenda");
    expect(platformName("auto_GB_village-hotels.co.uk_hsa")).toBe("village-hotels.co.uk");
    expect(platformName("auto_DE_alfaromeo.de_gvg_+2")).toBe("alfaromeo.de");
  });
});
