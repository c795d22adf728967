// Signs in by a code sent by e-mail, by an API key, or by the one-time link of the operator.
import { useState } from "preact/hooks";
import { send } from "../api.ts";
import { EmailCodeForm } from "../email-code-form.tsx";
import { takeLinkToken } from "../link-token.ts";
import { Notice } from "../notice.tsx";
import { navigateTo } from "../router.ts";
import { useAction } from "../use-action.ts";
import { useResource } from "../use-resource.ts";

/** Which ways to sign in are open to everyone. */
interface SignInMethods {
  readonly email: boolean;
  readonly sign_up: boolean;
}

export function SignInScreen() {
  const [token] = useState(takeLinkToken);
  const [key, setKey] = useState("");
  const doors = useResource<SignInMethods>("/sign-in");
  const action = useAction();
  const signIn = async (proof: Readonly<Record<string, string>>) => {
    const isSignedIn = await action.run(() => send("POST", "/session", proof));
    if (isSignedIn) navigateTo("", { replace: true });
  };
  return (
    <div class="sign-in">
      <h1>Sign in</h1>
      {token !== undefined && (
        <section>
          <h2>With your link</h2>
          <p>The link works once.</p>
          <button
            type="button"
            class="button-primary"
            disabled={action.isRunning}
            onClick={() => void signIn({ token })}
          >
            Continue
          </button>
        </section>
      )}
      {doors.data?.email && (
        <EmailCodeForm
          id="sign-in"
          heading={doors.data.sign_up ? "With your e-mail address, also for a new account" : "With your e-mail address"}
          label="E-mail address"
          path="/sign-in/code"
          confirmLabel="Sign in"
          isPrimary
          onVerified={() => navigateTo("", { replace: true })}
        />
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void signIn({ api_key: key });
        }}
      >
        <h2>With an API key</h2>
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
        <p class="note">
          The browser doesn’t keep it, and the session ends when the key is revoked. On your own machine,{" "}
          <code>npm start</code> prints a key and a sign-in link.
        </p>
        <button type="submit" class={token === undefined ? "button-primary" : ""} disabled={action.isRunning}>
          Sign in
        </button>
      </form>
      {action.problem && <Notice problem={action.problem} />}
    </div>
  );
}
