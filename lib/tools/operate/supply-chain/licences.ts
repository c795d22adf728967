// The accepted licences of deployed packages, with the reason for those with more conditions than a notice.
import type { DeployedPackage } from "./deployed-packages.ts";

interface Terms {
  /** Its conditions, and how they are met, for docs/third-party.md. */
  readonly reason: string;
  /**
   * The packages for which it is accepted.
   * @default - all
   */
  readonly only?: RegExp;
}

/** By SPDX identifier. Undefined for a licence whose only condition is a notice. */
export const licences: Readonly<Record<string, Terms | undefined>> = {
  MIT: undefined,
  "MIT-0": undefined,
  ISC: undefined,
  "0BSD": undefined,
  "BSD-2-Clause": undefined,
  "BSD-3-Clause": undefined,
  "Apache-2.0": undefined,
  Unlicense: undefined,
  "MPL-2.0": { reason: "Asks that changes to its own files are published. They are used unchanged." },
  "OFL-1.1": {
    reason: "Fonts, which may be embedded in documents that are made with them, and are not sold by themselves.",
    only: /^@(expo-google-fonts|fontsource(-variable)?|embedpdf\/fonts)/,
  },
  "LGPL-3.0-or-later": {
    reason: "A shared library next to the bundle, unchanged, which can be replaced by another build of it.",
    only: /^@img\/sharp-libvips-/,
  },
  "GPL-3.0-only": {
    reason:
      "Filter lists: an input of the build, made into a layer of data that the code reads. Who hands that layer on to " +
      "others does so under this licence.",
    only: /^@adguard\/dnr-rulesets$/,
  },
};

/** True when the SPDX expression of a package consists of accepted licences. */
export function isAccepted({ name, licence }: Pick<DeployedPackage, "name" | "licence">): boolean {
  const isFine = (id: string) => Object.hasOwn(licences, id) && (licences[id]?.only?.test(name) ?? true);
  // Only one pair of parentheses around the expression is supported; others are rejected.
  const expression = licence.replace(/^\((.*)\)$/, "$1");
  return expression.split(" OR ").some((choice) => choice.split(" AND ").every(isFine));
}
