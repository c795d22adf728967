// The root of the operator's page: the sign-in, or the navigation and the screen of the address.
import type { ComponentType } from "preact";
import { useMemo, useState } from "preact/hooks";
import { BreakableText } from "../ui/breakable-text.tsx";
import { FrameContext } from "../ui/frame.ts";
import { EndedNotice, PauseNotice } from "../ui/frame-notice.tsx";
import { Heading } from "../ui/heading.tsx";
import { Navigation } from "../ui/navigation.tsx";
import { Notice } from "../ui/notice.tsx";
import { useAddress } from "../ui/router.ts";
import { ListSkeleton } from "../ui/skeleton.tsx";
import { useResource } from "../ui/use-resource.ts";
import type { OperatorSession } from "./answers.ts";
import { Header } from "./header.tsx";
import { API, sendWithToken } from "./requests.ts";
import type { ScreenProps } from "./screen.ts";
import { ACCOUNT_PATH, AccountScreen } from "./screens/account.tsx";
import { AccountsScreen } from "./screens/accounts.tsx";
import { AuditScreen } from "./screens/audit.tsx";
import { EventsScreen } from "./screens/events.tsx";
import { FailedScreen } from "./screens/failed.tsx";
import { RequestScreen } from "./screens/request.tsx";
import { SignInScreen } from "./screens/sign-in.tsx";
import { TodayScreen } from "./screens/today.tsx";
import type { ScreenWithKey } from "./shortcuts.tsx";
import { Age } from "./time.tsx";

interface Screen extends ScreenWithKey {
  readonly component: ComponentType<ScreenProps>;
  /** True for a screen whose heading is known once it has loaded. */
  readonly hasOwnHeading?: boolean;
  /** Further paths of the screen. */
  readonly below?: RegExp;
}

const screens: readonly Screen[] = [
  { path: "", title: "Today", letter: "t", component: TodayScreen },
  { path: "accounts", title: "Accounts", letter: "a", component: AccountsScreen },
  { path: "requests", title: "Requests", letter: "r", component: RequestScreen, below: /^requests\/\d{1,16}$/ },
  { path: "failed", title: "Failed", letter: "f", component: FailedScreen },
  { path: "events", title: "Events", letter: "e", component: EventsScreen },
  { path: "audit", title: "Audit log", letter: "l", component: AuditScreen },
];

/** The page of an account, which belongs to the list in the navigation. */
const accountPage: Omit<Screen, "letter"> = {
  path: "accounts",
  title: "Account",
  component: AccountScreen,
  hasOwnHeading: true,
};

function findScreen(path: string): Omit<Screen, "letter"> | undefined {
  if (ACCOUNT_PATH.test(path)) return accountPage;
  return screens.find((each) => each.path === path || each.below?.test(path));
}

/** `token` is that of a link to sign in with. */
export function App({ token }: { readonly token: string | undefined }) {
  const session = useResource<OperatorSession>(`${API}/session`);
  const [usedToken, setUsedToken] = useState<string>();
  const openToken = token === usedToken ? undefined : token;
  const isSignedOut = session.error?.status === 404;
  if (isSignedOut || (openToken !== undefined && (session.data || session.error))) {
    const signedIn = () => {
      setUsedToken(token);
      session.reload();
    };
    return <SignInScreen token={openToken} onSignedIn={signedIn} />;
  }
  if (session.data) return <Frame session={session.data} reloadSession={session.reload} />;
  return (
    <div class="app-grid">
      <div class="app-navigation" />
      <div class="screen">
        <Heading>Operator</Heading>
        {session.error ? (
          <Notice problem={session.error} retry={session.reload} />
        ) : (
          <ListSkeleton rows={8} label="The session is being read." />
        )}
      </div>
    </div>
  );
}

interface FrameProps {
  readonly session: OperatorSession;
  readonly reloadSession: () => void;
}

function Frame({ session, reloadSession }: FrameProps) {
  const { path } = useAddress();
  const [hasEnded, setEnded] = useState(false);
  const [pausedUntil, setPausedUntil] = useState(0);
  const { csrf_token } = session;
  const frame = useMemo(
    () => ({ send: sendWithToken(csrf_token), endSession: () => setEnded(true), pauseUntil: setPausedUntil }),
    [csrf_token],
  );
  const screen = findScreen(path);
  const key = ACCOUNT_PATH.exec(path)?.[1] ?? path; // the parts of an account's page are one screen
  const signOut = async () => {
    await frame.send("DELETE", `${API}/session`);
    reloadSession();
  };
  return (
    <FrameContext.Provider value={frame}>
      <Header stage={session.stage} screens={screens} />
      <div class="app-grid">
        <Navigation label="Operator" screens={screens} current={screen?.path ?? path} signOut={signOut}>
          <strong>Operator</strong>
          <span class="app-operator">
            <BreakableText text={session.operator.email ?? "signed in by link"} />
          </span>
          <span>
            session ends <Age at={session.expires_at} />
          </span>
        </Navigation>
        <div class="screen">
          {hasEnded && (
            <EndedNotice>
              <button type="button" class="button-primary" onClick={reloadSession}>
                Sign in again
              </button>
            </EndedNotice>
          )}
          {pausedUntil > 0 && !hasEnded && <PauseNotice until={pausedUntil} />}
          {!screen?.hasOwnHeading && <Heading key={path}>{screen?.title ?? "No such page"}</Heading>}
          {screen ? <screen.component key={key} session={session} /> : <p>Choose a screen in the navigation.</p>}
        </div>
      </div>
    </FrameContext.Provider>
  );
}
