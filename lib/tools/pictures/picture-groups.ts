// The pictures of the website and of the documentation in groups: what each is made from, and what makes it. `npm run pictures` makes
// those whose sources have changed; a test names them until then.
import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { iconSvg } from "../../site/brand.ts";
import { effects } from "../../site/effect-pictures.ts";
import { type LandingPicture, landingFile, landingVideos, landingWidths } from "../../site/landing/landing-pictures.ts";
import { socialPage } from "../../site/social-picture.ts";
import { mailPictureFile, mailPictures } from "../mails/mail-pictures.ts";
import { picturesFolder } from "./pictures-folder.ts";

const project = resolve(import.meta.dirname, "../../..");

export interface PictureGroup {
  /** An argument of `npm run pictures`. */
  readonly name: string;
  /** A hash of what each file is made from, by the name of the file. */
  readonly sources: () => Readonly<Record<string, string>>;
  /** Makes at least these files of the group. */
  readonly make: (files: ReadonlySet<string>) => Promise<void>;
}

const files = (prefix: string, names: readonly string[]): string[] => names.map((name) => `${prefix}${name}.webp`);

/** A group whose pictures are made together, from all files that match. */
const groupOf = (
  name: string,
  { pictures, madeFrom }: { readonly pictures: readonly string[]; readonly madeFrom: readonly string[] },
  make: PictureGroup["make"],
): PictureGroup => ({
  name,
  sources: () => {
    const hash = hashOf(...filesOf(madeFrom).flatMap((file) => [file, readFileSync(join(project, file))]));
    return Object.fromEntries(pictures.map((file) => [file, hash]));
  },
  make,
});

const landingImages = (Object.keys(landingWidths) as LandingPicture[]).flatMap((name) =>
  landingWidths[name].map((width) => landingFile(name, width)),
);

/** The styles, the frame, and the parts that all screens share. */
const SCREENS = ["lib/site/web/ui/**/*", "lib/site/web/styles/{base,frame,display-font}.css", "lib/site/layout.ts"];

/** In the order in which they are made: the landing page shows pictures of others. */
export const pictureGroups: readonly PictureGroup[] = [
  {
    name: "options",
    sources: () => {
      const page = readFileSync(join(picturesFolder, "sample-page.html"));
      return Object.fromEntries(
        Object.entries(effects).map(([name, effect]) => [`option-${name}.webp`, hashOf(JSON.stringify(effect), page)]),
      );
    },
    make: async (wanted) => (await import("./option-pictures.ts")).makeOptionPictures(wanted),
  },
  groupOf(
    "agents",
    { pictures: files("annotated-", ["light", "dark"]), madeFrom: ["lib/tools/pictures/agent-pictures.ts"] },
    async () => (await import("./agent-pictures.ts")).makeAgentPictures(),
  ),
  groupOf(
    "problems",
    {
      pictures: files("", ["problem-before", "problem-repaired", "report"]),
      madeFrom: ["lib/tools/pictures/problem-pictures.ts", "lib/service/captures/report-page*"],
    },
    async () => (await import("./problem-pictures.ts")).makeProblemPictures(),
  ),
  groupOf(
    "dashboard",
    {
      pictures: [
        ...files("dashboard-", [
          "account",
          "billing",
          "capture",
          "captures",
          "dark",
          "keys",
          "overview",
          "sign-in",
          "usage",
        ]),
      ],
      madeFrom: ["lib/tools/pictures/dashboard-pictures.ts", "lib/site/web/{app,pictures/pages}/**/*", ...SCREENS],
    },
    async () => (await import("./dashboard-pictures.ts")).makeDashboardPictures(),
  ),
  groupOf(
    "operator",
    {
      pictures: files("operator-", [
        ...["account", "accounts", "audit", "dark", "failed", "narrow", "request", "sign-in", "suspend", "today"],
      ]),
      madeFrom: ["lib/tools/pictures/operator-pictures.ts", "lib/site/web/operator/**/*", ...SCREENS],
    },
    async () => (await import("./operator-pictures.ts")).makeOperatorPictures(),
  ),
  {
    name: "mails",
    sources: () => {
      const sources = mailPictures().map(({ name, ...made }) => [mailPictureFile(name), hashOf(JSON.stringify(made))]);
      return Object.fromEntries(sources);
    },
    make: async (wanted) => (await import("./make-mail-pictures.ts")).makeMailPictures(wanted),
  },
  groupOf(
    "landing",
    {
      pictures: ["sample.webp", "sample-dark.webp", "landing.json", ...landingVideos, ...landingImages],
      madeFrom: [
        "lib/site/web/pictures/{sample-page.html,dashboard-captures.webp}",
        "lib/site/web/pictures/pages/**/*",
        "lib/tools/pictures/{landing-pictures,agent-pictures}.ts",
      ],
    },
    async () => (await import("./landing-pictures.ts")).makeLandingPictures(),
  ),
  {
    name: "social",
    sources: () => {
      const sample = readFileSync(join(picturesFolder, "sample.webp"));
      return { "social.png": hashOf(socialPage(sample, Buffer.alloc(0))), "favicon.ico": hashOf(iconSvg) };
    },
    make: async () => (await import("./social-pictures.ts")).makeSocialPictures(),
  },
];

/** Each file of the folder that a command makes, and a hash of what it was made from. */
const SOURCES_FILE = join(picturesFolder, "sources.json");

export function recordedSources(): Record<string, string> {
  return JSON.parse(readFileSync(SOURCES_FILE, "utf8"));
}

export { SOURCES_FILE as sourcesFile };

/** Names of the files of a group that are older than what they show, or missing. */
export function staleFiles({ sources }: PictureGroup, recorded: Readonly<Record<string, string>>): string[] {
  return Object.entries(sources())
    .filter(([file, hash]) => recorded[file] !== hash)
    .map(([file]) => file);
}

function filesOf(patterns: readonly string[]): string[] {
  return globSync([...patterns], { cwd: project, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(project.length + 1))
    .toSorted();
}

function hashOf(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part).update("\0");
  return hash.digest("hex").slice(0, 16);
}
