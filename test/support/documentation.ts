// The pages of the documentation: their blocks of code, the commands in them, their headings and their links.
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const project = resolve(import.meta.dirname, "../..");

/** Pages that are an example or a list, and explain nothing. */
const notExplaining = ["docs/sample.md", "docs/third-party.md"];

export interface Page {
  /** Relative to the project, such as `docs/guide/pdf.md`. */
  readonly path: string;
  readonly text: string;
}

/** Every page that explains the product, the README first. */
export function documentationPages(): Page[] {
  const paths = globSync(["*.md", "docs/**/*.md", ".github/*.md"], { cwd: project });
  const pages = paths.filter((path) => !notExplaining.includes(path)).toSorted();
  const ordered = ["README.md", ...pages.filter((path) => path !== "README.md")];
  return ordered.map((path) => ({ path, text: readFileSync(join(project, path), "utf8") }));
}

export interface Block {
  readonly page: string;
  readonly language: string;
  readonly code: string;
  /** Why its commands are not run: `<!-- not run: reason -->` stands before it. */
  readonly notRun: string | undefined;
}

/** The fenced blocks of code of a page, in order. */
export function codeBlocks({ path, text }: Page): Block[] {
  const fenced = /^(?:<!-- not run: ([^\n]+) -->\n)?( *)```(\w*)\n([\s\S]*?)\n\2```$/gm;
  return [...text.matchAll(fenced)].map(([, notRun, , language = "", code = ""]) => ({
    page: path,
    language,
    code,
    notRun,
  }));
}

/** The commands of a block, one for each line; a line that ends in a backslash goes on in the next. */
export function commandsOf({ code }: Block): string[] {
  return code.replaceAll(/\\\n\s*/g, "").split("\n");
}

/** The targets of the links and pictures of a page, code left out. */
export function linksOf({ text }: Page): string[] {
  const prose = text.replaceAll(/```[\s\S]*?```/g, "").replaceAll(/`[^`\n]*`/g, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
}

/** The anchors of a page, as GitHub makes them of its headings. */
export function anchorsOf({ text }: Page): string[] {
  const prose = text.replaceAll(/```[\s\S]*?```/g, "");
  return [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}
