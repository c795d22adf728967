// The navigation of a signed-in page: who is signed in, the screens, and the way out.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { addressOf } from "./router.ts";
import { useCutEdges } from "./use-cut-edges.ts";

interface NavigationProps {
  /** Names the navigation for screen readers. */
  readonly label: string;
  readonly screens: readonly NavigationLink[];
  /** The path of the current screen. */
  readonly current: string;
  readonly signOut: () => Promise<void>;
  /** Who is signed in. */
  readonly children: ComponentChildren;
}

export interface NavigationLink {
  readonly path: string;
  readonly title: string;
}

export function Navigation({ label, screens, current, signOut, children }: NavigationProps) {
  const links = useRef<HTMLElement>(null);
  // On a narrow screen the links scroll sideways.
  useEffect(() => {
    const link = links.current?.querySelector(`[href="${CSS.escape(addressOf(current))}"]`);
    link?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [current]);
  useCutEdges(links);
  return (
    <aside class="app-navigation">
      <p class="app-account">{children}</p>
      <nav aria-label={label} ref={links} data-cut="end">
        {screens.map(({ path, title }) => (
          <a key={path} href={addressOf(path)} {...(path === current && { "aria-current": "page" as const })}>
            {title}
          </a>
        ))}
      </nav>
      <button type="button" class="quiet" onClick={() => void signOut()}>
        Sign out
      </button>
    </aside>
  );
}
