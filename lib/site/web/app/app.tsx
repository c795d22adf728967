// The root of the dashboard: a page that needs no session, or the navigation and the screen of the address.
import { useEffect, useMemo, useState } from "preact/hooks";
import { addSearchSource } from "../search/search-button.ts";
import { forgetSession, rememberSession } from "../session-hint.ts";
import { RequestError, type Send, send } from "../ui/api.ts";
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
import { PaymentNotice } from "./payment-notice.tsx";
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
import { SuspensionNotice } from "./suspension-notice.tsx";

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

/** What is left to the owner of a suspended account: the service answers nothing else. */
const screensWhileSuspended = screens.filter(({ path }) => path === "billing" || path === "account");

const screensOf = ({ suspension }: Pick<SignedInAccount, "suspension">): readonly Screen[] =>
  suspension === null ? screens : screensWhileSuspended;

addSearchSource(dashboardSearch(screensOf));

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
  const [refusals, setRefusals] = useState(0);
  const frame = useMemo(() => {
    const countRefusal = () => setRefusals((count) => count + 1);
    return { send: sendAndNotice(countRefusal), endSession: () => setEnded(true), pauseUntil: setPausedUntil };
  }, []);
  return (
    <FrameContext.Provider value={frame}>
      <Dashboard {...props} hasEnded={hasEnded} pausedUntil={pausedUntil} refusals={refusals} />
    </FrameContext.Provider>
  );
}

/** Calls `onSuspended` when a request is refused because the account has been suspended since the session was read. */
function sendAndNotice(onSuspended: () => void): Send {
  return async <Answer,>(...request: Parameters<Send>) => {
    try {
      return await send<Answer>(...request);
    } catch (error) {
      if (error instanceof RequestError && error.code === "ACCOUNT_SUSPENDED") onSuspended();
      throw error;
    }
  };
}

interface DashboardProps extends FrameProps {
  readonly hasEnded: boolean;
  /** Milliseconds since 1970. */
  readonly pausedUntil: number;
  /** Requests that were refused because the account is suspended. */
  readonly refusals: number;
}

function Dashboard({ path, fullPath, hasEnded, pausedUntil, refusals }: DashboardProps) {
  const answer = useResource<SessionState | SignedOut>("/session");
  useEffect(() => {
    if (refusals > 0) answer.reload();
  }, [refusals]);
  const session = answer.data?.account ? (answer.data as SessionState) : undefined;
  const isSignedOut = !session && (answer.data !== undefined || hasEnded);
  useEffect(() => {
    if (isSignedOut) navigateTo(signInPath(fullPath), { replace: true });
    else if (session) rememberSession();
  }, [isSignedOut, session, fullPath]);
  const shown = session ? screensOf(session.account) : screens;
  const screen = CAPTURE_PATH.test(path) ? capturePage : screens.find((each) => each.path === path);
  const isWithheld = session?.account.suspension && !(screen && shown.includes(screen));
  useEffect(() => {
    if (isWithheld) navigateTo(shown[0]?.path ?? "", { replace: true });
  }, [isWithheld]);
  if (isSignedOut || isWithheld || (!session && !answer.error && pausedUntil === 0)) return null;
  return (
    <div class="app-grid">
      <Navigation label="Dashboard" screens={shown} current={screen?.path ?? path} signOut={signOut}>
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
        {session?.account.suspension && <SuspensionNotice suspension={session.account.suspension} />}
        {session?.account && <PaymentNotice session={session} />}
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
