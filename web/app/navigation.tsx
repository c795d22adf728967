// The navigation of the dashboard, with the account and the way out.
import type { Screen } from "./app.tsx";
import { addressOf } from "./router.ts";
import type { SessionAccount } from "./session.ts";

interface NavigationProps {
  readonly screens: readonly Screen[];
  readonly current: string;
  readonly account: SessionAccount;
  readonly signOut: () => Promise<void>;
}

export function Navigation({ screens, current, account, signOut }: NavigationProps) {
  return (
    <aside class="app-navigation">
      <p class="app-account">
        <strong>{account.label}</strong>
        <span>{account.plan} plan</span>
      </p>
      <nav aria-label="Dashboard">
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
