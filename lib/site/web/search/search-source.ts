// What the search finds besides the documentation: a page registers it before the dialog opens.
import type { SearchDocument } from "./search-document.ts";

export interface SearchSource {
  /** Is read whenever the dialog opens. */
  readonly documents: () => Promise<readonly SearchDocument[]>;
  /** Finds what only the service knows, such as a capture by its id, which is shown first. */
  readonly lookUp: (query: string) => Promise<readonly SearchDocument[]>;
  /** Where else the query may lead to. */
  readonly offers: (query: string) => readonly SearchDocument[];
}
