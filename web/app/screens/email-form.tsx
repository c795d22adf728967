// Signs in by a code that is sent to an e-mail address.
import { useState } from "preact/hooks";
import { send } from "../api.ts";
import { Notice } from "../notice.tsx";
import { useAction } from "../use-action.ts";

interface EmailFormProps {
  /** Whether an unknown address gets an account. */
  readonly signsUp: boolean;
  readonly onSignedIn: () => void;
}

export function EmailForm({ signsUp, onSignedIn }: EmailFormProps) {
  const [email, setEmail] = useState("");
  const [code, setCode] = useState("");
  const [isSent, setSent] = useState(false);
  const action = useAction();
  const sendCode = async () => setSent(await action.run(() => send("POST", "/sign-in/code", { email })));
  const verify = async () => {
    if (await action.run(() => send("POST", "/sign-in/code/verify", { email, code }))) onSignedIn();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void (isSent ? verify() : sendCode());
      }}
    >
      <h2>{signsUp ? "With your e-mail address, also for a new account" : "With your e-mail address"}</h2>
      <label for="sign-in-email">E-mail address</label>
      <input
        id="sign-in-email"
        type="email"
        autocomplete="email"
        required
        readOnly={isSent}
        value={email}
        onInput={(event) => setEmail(event.currentTarget.value.trim())}
      />
      {isSent && (
        <>
          <label for="sign-in-code">The code of six digits in the mail</label>
          <input
            id="sign-in-code"
            inputMode="numeric"
            autocomplete="one-time-code"
            pattern="[0-9]{6}"
            maxLength={6}
            required
            value={code}
            onInput={(event) => setCode(event.currentTarget.value.trim())}
          />
          <p class="note" role="status">
            The code is valid for 10 minutes, in this browser only. No mail? Look at the address, and in the spam
            folder.
          </p>
        </>
      )}
      <div class="form-actions">
        <button type="submit" class="button-primary" disabled={action.isRunning}>
          {isSent ? "Sign in" : "Send a code"}
        </button>
        {isSent && (
          <button type="button" class="quiet" onClick={() => setSent(false)}>
            Another address
          </button>
        )}
      </div>
      {action.problem && <Notice problem={action.problem} />}
    </form>
  );
}
