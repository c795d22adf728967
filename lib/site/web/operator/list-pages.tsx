// The way through a list that is read page by page: its position is part of the address, and the back button leads back.
import { addressOf } from "../ui/router.ts";

interface ListPagesProps {
  /** The path of the list. */
  readonly path: string;
  /** The other parameters of its address; empty ones are left out. */
  readonly filters?: Readonly<Record<string, string>>;
  /** The position in the address; empty for the first page. */
  readonly after: string;
  readonly next: string | null;
}

export function ListPages({ path, filters = {}, after, next }: ListPagesProps) {
  const address = (position: string) => {
    const set = Object.entries({ ...filters, after: position }).filter(([, value]) => value !== "");
    return addressOf(set.length === 0 ? path : `${path}?${new URLSearchParams(set)}`);
  };
  if (after === "" && next === null) return null;
  return (
    <nav class="list-pages" aria-label="Pages">
      {after !== "" && (
        <a class="button" href={address("")}>
          First page
        </a>
      )}
      {next !== null && (
        <a class="button" href={address(next)}>
          Next page
        </a>
      )}
    </nav>
  );
}
