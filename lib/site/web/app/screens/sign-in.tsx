// Signs in by a code sent by e-mail, by the one-time link of the operator, or by an API key, and leads back to where one was.
import { useEffect, useState } from "preact/hooks";
import { signInMethods } from "../../service-address.ts";
import { forgetSession, rememberSession } from "../../session-hint.ts";
import { takeLinkToken } from "../../ui/link-token.ts";
import { Notice } from "../../ui/notice.tsx";
import { navigateTo, useAddress } from "../../ui/router.ts";
import { useResource } from "../../ui/use-resource.ts";
import { rememberedReturn, rememberReturn, returnPath } from "../return-path.ts";
import type { SessionState, SignedOut } from "../session.ts";
import { SignInForm, type SignInMethods } from "../sign-in-form.tsx";

export function SignInScreen() {
  const [token] = useState(takeLinkToken);
  const back = useReturn(token !== undefined);
  const session = useResource<SessionState | SignedOut>("/session");
  const hasEnded = session.error?.status === 401;
  const methods = useResource<SignInMethods>("/sign-in", hasEnded);
  const account = session.data?.account;
  const isDone = account != null && token === undefined;
  useEffect(() => {
    if (account) rememberSession();
    else if (account === null || hasEnded) forgetSession();
    if (isDone) back();
  }, [account, hasEnded, isDone]);
  const enter = () => {
    rememberSession(); // the search and the header count on it before the next screen has read the session
    back();
  };
  const problem = hasEnded ? methods.error : session.error;
  return (
    <SignInForm
      open={session.data?.sign_in ?? methods.data ?? signInMethods}
      token={token}
      account={account ?? undefined}
      onSignedIn={enter}
    >
      {problem && <Notice problem={problem} retry={hasEnded ? methods.reload : session.reload} />}
      {hasEnded && <p role="status">Your session has ended. Sign in again, and you are back where you were.</p>}
    </SignInForm>
  );
}

/** Returns what leads back. A link is often opened in another tab, whose address does not say to where. */
function useReturn(hasToken: boolean): () => void {
  const { query } = useAddress();
  const [path] = useState(() => {
    const asked = returnPath(query.get("to") ?? "");
    return hasToken && asked === "" ? rememberedReturn(Date.now()) : asked;
  });
  useEffect(() => rememberReturn(path, Date.now()), [path]);
  return () => {
    rememberReturn("", Date.now());
    navigateTo(path, { replace: true });
  };
}
