// The root of the dashboard: the sign-in page, or the navigation and the screen of the address.
import { useEffect } from "preact/hooks";
import { addSearchSource } from "../search/search-button.ts";
import { forgetSession, rememberSession } from "../session-hint.ts";
import { send } from "./api.ts";
import { dashboardSearch } from "./dashboard-search.ts";
import { Navigation } from "./navigation.tsx";
import { Notice } from "./notice.tsx";
import { navigateTo, useAddress } from "./router.ts";
import type { Screen } from "./screen.ts";
import { AccountScreen } from "./screens/account.tsx";
import { BillingScreen } from "./screens/billing.tsx";
import { CapturesScreen } from "./screens/captures.tsx";
import { JobsScreen } from "./screens/jobs.tsx";
import { KeysScreen } from "./screens/keys.tsx";
import { OverviewScreen } from "./screens/overview.tsx";
import { SignInScreen } from "./screens/sign-in.tsx";
import { UndoAddressScreen } from "./screens/undo-address.tsx";
import { UsageScreen } from "./screens/usage.tsx";
import type { SessionState } from "./session.ts";
import { useResource } from "./use-resource.ts";

const screens: readonly Screen[] = [
  { path: "", title: "Overview", component: OverviewScreen },
  { path: "keys", title: "API keys", component: KeysScreen },
  { path: "captures", title: "Captures", component: CapturesScreen },
  { path: "jobs", title: "Asynchronous captures", component: JobsScreen },
  { path: "usage", title: "Usage", component: UsageScreen },
  { path: "billing", title: "Plan and invoices", component: BillingScreen },
  { path: "account", title: "Account", component: AccountScreen },
];

addSearchSource(dashboardSearch(screens));

export function App() {
  const { path } = useAddress();
  const isSigningIn = path === "sign-in";
  const isUndoing = path === "undo-address";
  const session = useResource<SessionState>("/session", !isSigningIn && !isUndoing);

  useEffect(() => {
    if (isSigningIn) forgetSession();
    else if (session.data) rememberSession();
  }, [isSigningIn, session.data]);
  if (isSigningIn) return <SignInScreen />;
  if (isUndoing) return <UndoAddressScreen />;
  if (session.error) return <Notice problem={session.error} retry={session.reload} />;
  if (!session.data) return null;
  const screen = screens.find((each) => each.path === path);
  return (
    <div class="app-grid">
      <Navigation screens={screens} current={path} account={session.data.account} signOut={signOut} />
      <div class="screen">
        <h1>{screen?.title ?? "No such page"}</h1>
        {screen ? (
          <screen.component session={session.data} reloadSession={session.reload} />
        ) : (
          <p>The dashboard has no page at this address. Choose one on the left.</p>
        )}
      </div>
    </div>
  );
}

async function signOut(): Promise<void> {
  await send("DELETE", "/session");
  navigateTo("sign-in");
}
