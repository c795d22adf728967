// The navigation of the dashboard, with the account and the way out.
import { useEffect, useRef } from "preact/hooks";
import { Breakable } from "./breakable.tsx";
import { planName } from "./format.ts";
import { addressOf } from "./router.ts";
import type { Screen } from "./screen.ts";
import type { SignedInAccount } from "./session.ts";

interface NavigationProps {
  readonly screens: readonly Screen[];
  readonly current: string;
  /** Undefined until it is known. */
  readonly account: SignedInAccount | undefined;
  readonly signOut: () => Promise<void>;
}

export function Navigation({ screens, current, account, signOut }: NavigationProps) {
  const links = useRef<HTMLElement>(null);
  // On a narrow screen the links scroll sideways.
  useEffect(() => {
    const link = links.current?.querySelector(`[href="${CSS.escape(addressOf(current))}"]`);
    link?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [current]);
  return (
    <aside class="app-navigation">
      <p class="app-account">
        {account && (
          <>
            <strong>
              <Breakable text={account.label} />
            </strong>
            <span>{planName(account.plan)} plan</span>
          </>
        )}
      </p>
      <nav aria-label="Dashboard" ref={links}>
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
