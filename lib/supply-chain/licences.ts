// Under which licences packages may be deployed, and why under those that ask for more than their text.
import type { DeployedPackage } from "./deployed-packages.ts";

interface Terms {
  /** What it asks for, and how that is met; for the table of packages. */
  readonly reason: string;
  /**
   * The packages it is accepted for.
   * @default - all
   */
  readonly only?: RegExp;
}

/** By their SPDX identifiers. Undefined terms ask at most that their text goes along with copies. */
export const licences: Readonly<Record<string, Terms | undefined>> = {
  MIT: undefined,
  ISC: undefined,
  "0BSD": undefined,
  "BSD-2-Clause": undefined,
  "BSD-3-Clause": undefined,
  "Apache-2.0": undefined,
  Unlicense: undefined,
  "MPL-2.0": { reason: "Asks that changes to its own files are published. They are used unchanged." },
  "OFL-1.1": {
    reason: "Fonts, which may be embedded in whatever is made with them, and are not sold by themselves.",
    only: /^@(expo-google-fonts|fontsource(-variable)?|embedpdf\/fonts)/,
  },
  "LGPL-3.0-or-later": {
    reason: "A shared library beside the bundle, unchanged, which can be replaced by another build of it.",
    only: /^@img\/sharp-libvips-/,
  },
  "GPL-3.0-only": {
    reason:
      "Filter lists: an input of the build, made into a layer of data that the code reads. Who hands that layer on to " +
      "others does so under this licence.",
    only: /^@adguard\/dnr-rulesets$/,
  },
};

/** True where a package may be deployed under what it declares: an SPDX expression of accepted licences. */
export function isAccepted({ name, licence }: Pick<DeployedPackage, "name" | "licence">): boolean {
  const isFine = (id: string) => Object.hasOwn(licences, id) && (licences[id]?.only?.test(name) ?? true);
  // No package declares more than one level of parentheses around all of it; one that did would be refused.
  const expression = licence.replace(/^\((.*)\)$/, "$1");
  return expression.split(" OR ").some((choice) => choice.split(" AND ").every(isFine));
}
