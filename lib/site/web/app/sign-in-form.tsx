// The ways to sign in: by a code sent by e-mail, by the one-time link of the operator, and by an API key. The build renders the form into its
// document, so that it is there before the script.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { send } from "../ui/api.ts";
import { AskOperator } from "../ui/ask-operator.tsx";
import { EmailCodeForm } from "../ui/email-code-form.tsx";
import { handleSubmit } from "../ui/form.tsx";
import { Heading } from "../ui/heading.tsx";
import { Notice } from "../ui/notice.tsx";
import { useAction } from "../ui/use-action.ts";
import type { SessionState, SignedInAccount } from "./session.ts";

export type SignInMethods = SessionState["sign_in"];

interface SignInFormProps {
  readonly open: SignInMethods;
  readonly token: string | undefined;
  /** The account that the browser is signed in to already. */
  readonly account: SignedInAccount | undefined;
  readonly onSignedIn: () => void;
  /** Below the heading. */
  readonly children?: ComponentChildren;
}

export function SignInForm({ open, token, account, onSignedIn, children }: SignInFormProps) {
  const link = useAction();
  const follow = () => link.run(() => send("POST", "/session", { token }), onSignedIn);
  const isVoid = link.problem?.status === 401;
  return (
    <div class="sign-in">
      <Heading>Sign in</Heading>
      {children}
      {token !== undefined && !isVoid && (
        <section>
          <h2>With your link</h2>
          <p>
            The link works once.
            {account && ` You are signed in to ${account.label} now; the link signs in to the account that it is for.`}
          </p>
          <button type="button" class="button-primary" disabled={link.isRunning} onClick={() => void follow()}>
            Continue
          </button>
          {link.problem && <Notice problem={link.problem} />}
        </section>
      )}
      {isVoid && (
        <div class="notice" role="alert">
          <p>
            This link was used or has expired. It works once, within 15 minutes.{" "}
            {open.email ? "Sign in by e-mail, or " : "To get another one, "}
            <AskOperator />
            {open.email && " for another one"}.
          </p>
        </div>
      )}
      {open.email && (
        <EmailCodeForm
          id="sign-in"
          heading={open.sign_up ? "With your e-mail address, also for a new account" : "With your e-mail address"}
          label="E-mail address"
          path="/sign-in/code"
          confirmLabel="Sign in"
          isPrimary={token === undefined || isVoid}
          isKept
          onVerified={onSignedIn}
        >
          {!open.sign_up && (
            <p class="note">
              New accounts are opened by the operator of this service. An address without an account gets no mail.
            </p>
          )}
        </EmailCodeForm>
      )}
      {!open.email && token === undefined && (
        <p>This service sends no e-mail. Ask its operator for a link, or sign in with an API key.</p>
      )}
      <KeyForm isOpen={!open.email && token === undefined} onSignedIn={onSignedIn} />
    </div>
  );
}

function KeyForm({ isOpen, onSignedIn }: { readonly isOpen: boolean; readonly onSignedIn: () => void }) {
  const [key, setKey] = useState("");
  const action = useAction();
  const signIn = () => action.run(() => send("POST", "/session", { api_key: key }), onSignedIn);
  return (
    <details open={isOpen}>
      <summary>Sign in with an API key</summary>
      <form onSubmit={handleSubmit(signIn)}>
        <label for="sign-in-key">An API key of the account, with the scope “keys”</label>
        <input
          id="sign-in-key"
          type="password"
          placeholder="cap_…"
          autocomplete="off"
          spellcheck={false}
          required
          value={key}
          onInput={(event) => setKey(event.currentTarget.value.trim())}
        />
        <p class="note">The browser doesn’t keep it, and the session ends when the key is revoked.</p>
        <button type="submit" disabled={action.isRunning}>
          Sign in
        </button>
        {action.problem &&
          (action.problem.status === 401 ? (
            <div class="notice" role="alert">
              <p>This API key does not sign you in. Check that it is complete, and that it was not revoked.</p>
            </div>
          ) : (
            <Notice problem={action.problem} />
          ))}
      </form>
    </details>
  );
}
