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

/** The documentation is two books: one for the customers of a service, one for the people who run or change it. */
export interface Book {
  readonly name: "use" | "operate";
  /** In the navigation, as the link from the other book. */
  readonly label: string;
  readonly sections: readonly DocSection[];
}

const page = (name: string, label: string): DocPage => ({ path: `/docs/${name}`, file: `docs/${name}.md`, label });

/** A page with a layout of its own. */
export const CHANGELOG_PATH = "/docs/changelog";

const useBook: Book = {
  name: "use",
  label: "Use the API",
  sections: [
    {
      title: "Start",
      pages: [
        { path: "/docs", file: "docs/start.md", label: "Quick start" },
        page("guide/recipes", "Recipes"),
        page("guide/how-it-works", "How it works"),
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
        page("guide/several-results", "Several results of one page"),
        page("guide/agents", "Pages for agents"),
        page("guide/clean-pages", "Clean pages"),
        page("guide/waiting", "Waiting"),
        page("guide/visual-tests", "Visual tests"),
        page("guide/visitors", "Devices and visitors"),
        page("guide/async", "Asynchronous captures"),
        page("guide/webhooks", "Webhook receivers"),
        page("guide/cache", "Cache and idempotency"),
        page("guide/signed-links", "Signed links"),
        page("guide/storage", "Your own storage"),
      ],
    },
    {
      title: "When something is wrong",
      pages: [
        page("guide/troubleshooting", "Fix a wrong picture"),
        page("guide/problems", "Is this picture right?"),
        page("guide/errors", "Errors"),
        page("guide/invalid-key", "My API key doesn't work"),
        page("guide/limits-first", "Which limit comes first"),
        page("guide/status", "Status"),
        page("guide/support", "Support"),
      ],
    },
    {
      title: "Account",
      pages: [
        page("guide/keys-and-usage", "Keys and usage"),
        page("guide/dashboard", "Dashboard"),
        page("guide/costs", "What a capture costs"),
        page("guide/subscription", "Change or cancel"),
      ],
    },
    {
      title: "Tools",
      pages: [
        page("guide/typescript", "TypeScript client"),
        page("guide/python", "Python client"),
        page("guide/go", "Go client"),
        page("guide/java", "Java client"),
        page("guide/csharp", "C# with HttpClient"),
        page("guide/php", "PHP client"),
        page("guide/ruby", "Ruby client"),
        page("guide/command-line", "Command line"),
        page("guide/use-from-an-agent", "Use it from an agent"),
        page("guide/mcp", "MCP server for agents"),
        page("guide/clients", "All clients"),
      ],
    },
    {
      title: "Integrations",
      pages: [
        page("guide/laravel", "Laravel"),
        page("guide/nextjs", "Next.js"),
        page("guide/wordpress", "WordPress"),
        page("guide/n8n", "n8n"),
        page("guide/zapier", "Zapier"),
        page("guide/make", "Make"),
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
        { path: CHANGELOG_PATH, file: "CHANGELOG.md", label: "Changelog" },
      ],
    },
  ],
};

const operateBook: Book = {
  name: "operate",
  label: "Run it yourself",
  sections: [
    {
      title: "Run it",
      pages: [
        page("operate", "Start and deploy"),
        page("one-server", "On one server"),
        page("operations", "Operations"),
        page("operator", "The operator's page"),
        page("payments", "Payments"),
        page("mails", "Mails"),
        page("scale", "Scale"),
        page("security", "Security"),
        page("compare", "Compare"),
        page("benchmarks", "Benchmarks"),
      ],
    },
    {
      title: "Change it",
      pages: [
        page("architecture", "Architecture"),
        { path: "/docs/contributing", file: "CONTRIBUTING.md", label: "Contributing" },
        page("third-party", "Third-party packages"),
        { path: "/docs/vulnerabilities", file: "SECURITY.md", label: "Report a vulnerability" },
      ],
    },
  ],
};

export const books: readonly Book[] = [useBook, operateBook];

const bookPages = ({ sections }: Book): readonly DocPage[] => sections.flatMap(({ pages }) => pages);

export const docPages: readonly DocPage[] = books.flatMap(bookPages);

/** The book that has a page, with its pages in the order of reading. */
export function bookOf(page: DocPage): Book & { readonly pages: readonly DocPage[] } {
  const book = books.find((each) => bookPages(each).includes(page)) ?? useBook;
  return { ...book, pages: bookPages(book) };
}

/** The path of a file of the documentation on the website; undefined for a file that the website does not show. */
export function pathOfFile(file: string): string | undefined {
  if (file === "README.md") return "/";
  if (file === "docs/README.md") return "/docs";
  if (file === "docs/openapi.json") return "/openapi.json";
  return docPages.find((each) => each.file === file)?.path;
}

/** The title of the section that has a page. */
export function sectionTitle(page: DocPage): string {
  return bookOf(page).sections.find(({ pages }) => pages.includes(page))?.title ?? "";
}
