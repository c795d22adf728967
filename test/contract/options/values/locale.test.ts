// Which languages and time zones a capture can take on.
import { expect, test } from "vitest";
import { canonicalLocale, canonicalTimeZone, isTimeZone } from "../../../../lib/contract/options/values/locale.ts";

test.each([
  ["en-US", "en-US"],
  ["DE-de", "de-DE"],
  ["de_AT", "de-AT"],
  ["fr", "fr"],
  ["zh-hant-tw", "zh-Hant-TW"],
  ["ar-EG-u-nu-latn", "ar-EG"],
  ["", undefined],
  ["*", undefined],
  ["und", undefined],
  ["C", undefined],
  ["de-DE,de;q=0.9", undefined],
  ["de-DE\r\nX-Evil: 1", undefined],
  [`de-${"x-abc-".repeat(1_000_000)}`, undefined],
])("locale %#: %.20j is %j", (tag, locale) => {
  expect(canonicalLocale(tag)).toBe(locale);
});

test.each([
  ["UTC", "UTC"],
  ["europe/berlin", "Europe/Berlin"],
  ["America/Argentina/Buenos_Aires", "America/Buenos_Aires"],
  ["Etc/GMT+5", "Etc/GMT+5"],
  ["+05:30", "GMT+05:30"],
  ["-0300", "GMT-03:00"],
  ["", undefined],
  ["Mars/Olympus_Mons", undefined],
  ["GMT+5", undefined],
  ["localtime", undefined],
  ["Europe/Berlin\0", undefined],
  ["A/".repeat(1_000_000), undefined],
])("time zone %#: %.20j is %j", (name, zone) => {
  expect(canonicalTimeZone(name)).toBe(zone);
  expect(isTimeZone(name)).toBe(zone !== undefined);
});
