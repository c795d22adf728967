// The address of a screen: a path below that of the page, such as /app or /operator, and a query, which the back button returns to.
import { useEffect, useState } from "preact/hooks";
import { screensPath as ROOT } from "../service-address.ts";

const CHANGED = "screen-address";

export interface Address {
  /** Below that of the page, without slashes around it. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/** The address of a path of the page, such as `keys` or `captures?status=failed`. */
export function addressOf(path: string): string {
  return path === "" ? ROOT : `${ROOT}/${path}`;
}

function readAddress(): Address {
  const path = location.pathname.slice(ROOT.length).replaceAll(/^\/+|\/+$/g, "");
  return { path, query: new URLSearchParams(location.search) };
}

interface Navigation {
  readonly replace?: boolean;
  /** Kept with the entry of the history, also when the page is loaded again. */
  readonly state?: unknown;
}

export function navigateTo(path: string, { replace = false, state = null }: Navigation = {}): void {
  const address = addressOf(path);
  if (replace) history.replaceState(state, "", address);
  else history.pushState(state, "", address);
  dispatchEvent(new Event(CHANGED));
}

/** The current address. A click on a link to another screen changes it without loading the page again. */
export function useAddress(): Address {
  const [address, setAddress] = useState(readAddress);
  useEffect(() => {
    const update = () => setAddress(readAddress());
    const follow = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      if (!link || !isPlainClick(event) || link.target !== "" || link.hasAttribute("download")) return;
      const isOwn = link.origin === location.origin && (link.pathname === ROOT || link.pathname.startsWith(`${ROOT}/`));
      if (!isOwn || link.hash !== "") return;
      event.preventDefault();
      navigateTo(`${link.pathname.slice(ROOT.length + 1)}${link.search}`);
      scrollTo({ top: 0, behavior: "instant" }); // another screen isn't further up on this one
    };
    addEventListener("popstate", update);
    addEventListener(CHANGED, update);
    document.addEventListener("click", follow);
    return () => {
      removeEventListener("popstate", update);
      removeEventListener(CHANGED, update);
      document.removeEventListener("click", follow);
    };
  }, []);
  return address;
}

function isPlainClick({ button, metaKey, ctrlKey, shiftKey, altKey, defaultPrevented }: MouseEvent): boolean {
  return button === 0 && !(metaKey || ctrlKey || shiftKey || altKey || defaultPrevented);
}
