// The root of the dashboard: a page that needs no session, or the navigation and the screen of the address.
import { render } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { addSearch, addSearchSource } from "../search/search-button.ts";
import { forgetSession, markSession, rememberSession } from "../session-hint.ts";
import { RequestError, type Send, send } from "../ui/api.ts";
import { FrameContext } from "../ui/frame.ts";
import { EndedNotice, PauseNotice } from "../ui/frame-notice.tsx";
import { Heading } from "../ui/heading.tsx";
import { Notice } from "../ui/notice.tsx";
import { addressOf, navigateTo, useAddress } from "../ui/router.ts";
import { useResource } from "../ui/use-resource.ts";
import { dashboardSearch } from "./dashboard-search.ts";
import { FrameView } from "./frame-view.tsx";
import { addComponents, type Components, loadWhenIdle, useComponent } from "./loaded-screens.ts";
import { movedPath } from "./moved-path.ts";
import { NotFound, notFoundTitle } from "./not-found.tsx";
import { PaymentNotice } from "./payment-notice.tsx";
import { signInPath } from "./return-path.ts";
import type { Screen } from "./screen.ts";
import { capturePage, findScreen, screens, screensOf, visitorPaths } from "./screens.ts";
import type { SessionState, SignedOut } from "./session.ts";
import { SuspensionNotice } from "./suspension-notice.tsx";
import "./shared-modules.ts";

/** Shows the dashboard, the first time that it is called, with the components of its first screen. */
export function start(components: Components): void {
  addComponents(components);
  const root = document.getElementById("app");
  if (!root || root.dataset["started"] !== undefined) return;
  root.dataset["started"] = "";
  markSession();
  addSearchSource(dashboardSearch(screensOf));
  addSearch(document);
  render(<App />, root); // takes over the elements of the document
}

function App() {
  const { path, query } = useAddress();
  const moved = movedPath(path, query);
  useEffect(() => {
    if (moved !== undefined) navigateTo(moved, { replace: true });
  }, [moved]);
  if (visitorPaths.includes(path)) return <VisitorPage path={path} />;
  return (
    <Frame path={moved === undefined ? path : "captures"} fullPath={query.size === 0 ? path : `${path}?${query}`} />
  );
}

function VisitorPage({ path }: { readonly path: string }) {
  const { component, hasFailed } = useComponent(path, "visitor");
  const Page = component as (() => preact.ComponentChild) | undefined;
  if (Page) return <Page />;
  return hasFailed ? <NotLoaded /> : null;
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
  const isSignedIn = session !== undefined;
  useEffect(() => (isSignedIn ? loadWhenIdle() : undefined), [isSignedIn]);
  const shown = session ? screensOf(session.account) : screens;
  const screen = findScreen(path);
  const isWithheld = session?.account.suspension && !(screen && shown.includes(screen));
  useEffect(() => {
    if (isWithheld) navigateTo(shown[0]?.path ?? "", { replace: true });
  }, [isWithheld]);
  const shownSession = isWithheld ? undefined : session;
  return (
    <FrameView screens={shown} current={screen?.path ?? path} account={session?.account} signOut={signOut}>
      {hasEnded && (
        <EndedNotice>
          <a class="button button-primary" href={addressOf(signInPath(fullPath))}>
            Sign in again
          </a>
        </EndedNotice>
      )}
      {pausedUntil > 0 && !hasEnded && <PauseNotice until={pausedUntil} />}
      {!screen?.hasOwnHeading && <Heading key={path}>{screen?.title ?? notFoundTitle}</Heading>}
      {answer.error && <Notice problem={answer.error} retry={answer.reload} />}
      {session?.account.suspension && <SuspensionNotice suspension={session.account.suspension} />}
      {session?.account && <PaymentNotice session={session} />}
      {!screen && <NotFound />}
      {screen && !(answer.error && !session) && (
        <ScreenOf key={screen.title} screen={screen} session={shownSession} reloadSession={answer.reload} />
      )}
    </FrameView>
  );
}

interface ScreenOfProps {
  readonly screen: Screen;
  /** Undefined until it is known. */
  readonly session: SessionState | undefined;
  readonly reloadSession: () => void;
}

/** The screen, or its outlines while its script or the session is loading. */
function ScreenOf({ screen, session, reloadSession }: ScreenOfProps) {
  const { component: Component, hasFailed } = useComponent(
    screen === capturePage ? "captures/id" : screen.path,
    screen.entry,
  );
  if (hasFailed) return <NotLoaded />;
  if (!Component || !session) return <screen.skeleton />;
  return <Component session={session} reloadSession={reloadSession} />;
}

/** Its files can have gone with an update of the service: the page of now names those of now. */
function NotLoaded() {
  return (
    <div class="notice" role="alert">
      <p>This part of the page could not be loaded.</p>
      <button type="button" onClick={() => location.reload()}>
        Load the page again
      </button>
    </div>
  );
}

async function signOut(): Promise<void> {
  await send("DELETE", "/session");
  forgetSession();
  navigateTo("sign-in");
}
