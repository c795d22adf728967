// The row of a list whose details are shown: it is part of the address, so that the back button closes it and a link opens it.
import { navigateTo, useAddress } from "./router.ts";

export interface OpenRow {
  /** The id in the address; undefined when no row is open. */
  readonly openId: number | undefined;
  /** The properties of the `details` element of a row. */
  readonly row: (id: number) => { readonly open: boolean; readonly onToggle: (event: Event) => void };
}

export function useOpenRow(): OpenRow {
  const { path, query } = useAddress();
  const opened = query.get("open") ?? "";
  const openId = /^\d{1,16}$/.test(opened) ? Number(opened) : undefined;
  const show = (id: number | undefined) => {
    const next = new URLSearchParams(query);
    if (id === undefined) next.delete("open");
    else next.set("open", String(id));
    navigateTo(next.size === 0 ? path : `${path}?${next}`);
  };
  const row = (id: number) => ({
    open: id === openId,
    // It is called for changes of the address, too, which need no other change.
    onToggle: ({ currentTarget }: Event) => {
      const isOpen = (currentTarget as HTMLDetailsElement).open;
      if (isOpen !== (id === openId)) show(isOpen ? id : undefined);
    },
  });
  return { openId, row };
}
