// The root of the dashboard: a page that needs no session, or the navigation and the screen of the address.
import { useEffect, useMemo, useState } from "preact/hooks";
import { addSearchSource } from "../search/search-button.ts";
import { forgetSession, rememberSession } from "../session-hint.ts";
import { send } from "../ui/api.ts";
import { BreakableText } from "../ui/breakable-text.tsx";
import { planName } from "../ui/format.ts";
import { FrameContext } from "../ui/frame.ts";
import { EndedNotice, PauseNotice } from "../ui/frame-notice.tsx";
import { Heading } from "../ui/heading.tsx";
import { Navigation } from "../ui/navigation.tsx";
import { Notice } from "../ui/notice.tsx";
import { addressOf, navigateTo, useAddress } from "../ui/router.ts";
import { useResource } from "../ui/use-resource.ts";
import { dashboardSearch } from "./dashboard-search.ts";
import { movedPath } from "./moved-path.ts";
import { signInPath } from "./return-path.ts";
import type { Screen } from "./screen.ts";
import { AccountScreen } from "./screens/account.tsx";
import { BillingScreen } from "./screens/billing.tsx";
import { CAPTURE_PATH, CaptureScreen } from "./screens/capture.tsx";
import { CapturesScreen } from "./screens/captures.tsx";
import { DeletedScreen } from "./screens/deleted.tsx";
import { KeysScreen } from "./screens/keys.tsx";
import { NotMeScreen } from "./screens/not-me.tsx";
import { OverviewScreen } from "./screens/overview.tsx";
import { SignInScreen } from "./screens/sign-in.tsx";
import { UndoAddressScreen } from "./screens/undo-address.tsx";
import { UsageScreen } from "./screens/usage.tsx";
import { WebhooksScreen } from "./screens/webhooks.tsx";
import type { SessionState, SignedInAccount, SignedOut } from "./session.ts";

const screens: readonly Screen[] = [
  { path: "", title: "Overview", component: OverviewScreen },
  { path: "keys", title: "API keys", component: KeysScreen },
  { path: "captures", title: "Captures", component: CapturesScreen },
  { path: "webhooks", title: "Webhooks", component: WebhooksScreen },
  { path: "usage", title: "Usage", component: UsageScreen },
  { path: "billing", title: "Plan and invoices", component: BillingScreen },
  { path: "account", title: "Account", component: AccountScreen },
];

/** The page of a capture, which belongs to the list in the navigation. */
const capturePage: Screen = { path: "captures", title: "Capture", component: CaptureScreen, hasOwnHeading: true };

addSearchSource(dashboardSearch(screens));

export function App() {
  const { path, query } = useAddress();
  const moved = movedPath(path, query);
  useEffect(() => {
    if (moved !== undefined) navigateTo(moved, { replace: true });
  }, [moved]);
  if (moved !== undefined) return null;
  if (path === "sign-in") return <SignInScreen />;
  if (path === "undo-address") return <UndoAddressScreen />;
  if (path === "not-me") return <NotMeScreen />;
  if (path === "deleted") return <DeletedScreen />;
  return <Frame path={path} fullPath={query.size === 0 ? path : `${path}?${query}`} />;
}

interface FrameProps {
  readonly path: string;
  /** With the query. */
  readonly fullPath: string;
}

function Frame(props: FrameProps) {
  const [hasEnded, setEnded] = useState(false);
  const [pausedUntil, setPausedUntil] = useState(0);
  const frame = useMemo(() => ({ send, endSession: () => setEnded(true), pauseUntil: setPausedUntil }), []);
  return (
    <FrameContext.Provider value={frame}>
      <Dashboard {...props} hasEnded={hasEnded} pausedUntil={pausedUntil} />
    </FrameContext.Provider>
  );
}

interface DashboardProps extends FrameProps {
  readonly hasEnded: boolean;
  /** Milliseconds since 1970. */
  readonly pausedUntil: number;
}

function Dashboard({ path, fullPath, hasEnded, pausedUntil }: DashboardProps) {
  const answer = useResource<SessionState | SignedOut>("/session");
  const session = answer.data?.account ? (answer.data as SessionState) : undefined;
  const isSignedOut = !session && (answer.data !== undefined || hasEnded);
  useEffect(() => {
    if (isSignedOut) navigateTo(signInPath(fullPath), { replace: true });
    else if (session) rememberSession();
  }, [isSignedOut, session, fullPath]);
  if (isSignedOut || (!session && !answer.error && pausedUntil === 0)) return null;
  const screen = CAPTURE_PATH.test(path) ? capturePage : screens.find((each) => each.path === path);
  return (
    <div class="app-grid">
      <Navigation label="Dashboard" screens={screens} current={screen?.path ?? path} signOut={signOut}>
        {session && <SignedInAs account={session.account} />}
      </Navigation>
      <div class="screen">
        {hasEnded && (
          <EndedNotice>
            <a class="button button-primary" href={addressOf(signInPath(fullPath))}>
              Sign in again
            </a>
          </EndedNotice>
        )}
        {pausedUntil > 0 && !hasEnded && <PauseNotice until={pausedUntil} />}
        {!screen?.hasOwnHeading && <Heading key={path}>{screen?.title ?? "No such page"}</Heading>}
        {answer.error && <Notice problem={answer.error} retry={answer.reload} />}
        {session && screen && <screen.component session={session} reloadSession={answer.reload} />}
        {session && !screen && <p>The dashboard has no page at this address. Choose one in the navigation.</p>}
      </div>
    </div>
  );
}

function SignedInAs({ account: { label, plan } }: { readonly account: SignedInAccount }) {
  return (
    <>
      <strong>
        <BreakableText text={label} />
      </strong>
      <span>{planName(plan)} plan</span>
    </>
  );
}

async function signOut(): Promise<void> {
  await send("DELETE", "/session");
  forgetSession();
  navigateTo("sign-in");
}
