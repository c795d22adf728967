// The pages of the documentation in the order of the navigation.

export interface DocPage {
  /** Below the base URL. */
  readonly path: string;
  /** Relative to the project; undefined for a page without a file of its own. */
  readonly file?: string;
  /** In the navigation. */
  readonly label: string;
}

export interface DocSection {
  readonly title: string;
  readonly pages: readonly DocPage[];
}

const page = (name: string, label: string): DocPage => ({ path: `/docs/${name}`, file: `docs/${name}.md`, label });

export const docSections: readonly DocSection[] = [
  {
    title: "Start",
    pages: [
      { path: "/docs", file: "docs/start.md", label: "Quick start" },
      { path: "/docs/compare", file: "docs/compare.md", label: "Compare" },
      { path: "/docs/changelog", file: "CHANGELOG.md", label: "Changelog" },
    ],
  },
  {
    title: "Guides",
    pages: [
      page("guide/images", "Images"),
      page("guide/full-page", "Full pages"),
      page("guide/pdf", "PDF"),
      page("guide/video", "Video"),
      page("guide/text-and-metadata", "Text and metadata"),
      page("guide/clean-pages", "Clean pages"),
      page("guide/waiting", "Waiting"),
      page("guide/problems", "Is this picture right?"),
      page("guide/visual-tests", "Visual tests"),
      page("guide/visitors", "Devices and visitors"),
      page("guide/async", "Asynchronous captures"),
      page("guide/cache", "Cache and idempotency"),
      page("guide/signed-links", "Signed links"),
      page("guide/storage", "Your own storage"),
      page("guide/keys-and-usage", "Keys and usage"),
      page("guide/dashboard", "Dashboard"),
      page("guide/errors", "Errors"),
      page("guide/recipes", "Recipes"),
    ],
  },
  {
    title: "Tools",
    pages: [
      page("guide/typescript", "TypeScript client"),
      page("guide/python", "Python client"),
      page("guide/command-line", "Command line"),
      page("guide/mcp", "MCP server for agents"),
      page("guide/clients", "Generated clients"),
    ],
  },
  {
    title: "Reference",
    pages: [
      page("reference/options", "Options"),
      { path: "/docs/reference/api", label: "API" },
      page("reference/routes", "Routes"),
      { path: "/docs/errors", file: "docs/reference/errors.md", label: "Error codes" },
      page("reference/headers", "Headers"),
      page("reference/limits", "Limits"),
      page("reference/plans", "Plans"),
    ],
  },
  {
    title: "Project",
    pages: [
      page("architecture", "Architecture"),
      page("operations", "Operations"),
      page("security", "Security"),
      page("benchmarks", "Benchmarks"),
      page("third-party", "Third-party packages"),
      { path: "/docs/contributing", file: "CONTRIBUTING.md", label: "Contributing" },
      { path: "/docs/vulnerabilities", file: "SECURITY.md", label: "Report a vulnerability" },
    ],
  },
];

export const docPages: readonly DocPage[] = docSections.flatMap(({ pages }) => pages);

/** Where the Markdown of a page is. */
export const markdownPath = ({ path }: Pick<DocPage, "path">): string =>
  path === "/docs" ? "/docs/index.md" : `${path}.md`; // no route has the path /docs.md

/** The path of a file of the documentation on the website; undefined for a file that the website does not show. */
export function pathOfFile(file: string): string | undefined {
  if (file === "README.md") return "/";
  if (file === "docs/README.md") return "/docs";
  if (file === "docs/openapi.json") return "/openapi.json";
  return docPages.find((each) => each.file === file)?.path;
}
