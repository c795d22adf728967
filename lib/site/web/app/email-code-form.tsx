// Proves that an e-mail address is the visitor's, by a code that is sent to it: to sign in, and to change an account's address.
import { useState } from "preact/hooks";
import { send } from "./api.ts";
import { Notice } from "./notice.tsx";
import { useAction } from "./use-action.ts";

interface EmailCodeFormProps {
  /** Begins the ids of its fields. */
  readonly id: string;
  readonly heading?: string;
  readonly label: string;
  /** The address that the service knows already, which is shown instead of a field. */
  readonly knownAddress?: string;
  /** Route that sends a code. The one below it, `/verify`, checks the code. */
  readonly path: string;
  /** Text of the button that checks the code. */
  readonly confirmLabel: string;
  /** True where it is what the visitor has come for. */
  readonly isPrimary?: boolean;
  readonly onVerified: () => void;
}

export function EmailCodeForm({
  id,
  heading,
  label,
  knownAddress,
  path,
  confirmLabel,
  isPrimary = false,
  onVerified,
}: EmailCodeFormProps) {
  const [email, setEmail] = useState("");
  const [code, setCode] = useState("");
  const [isSent, setSent] = useState(false);
  const action = useAction();
  const address = knownAddress === undefined ? { email } : {};
  const sendCode = async () => setSent(await action.run(() => send<void>("POST", path, address)));
  const verify = async () => {
    if (!(await action.run(() => send<void>("POST", `${path}/verify`, { ...address, code })))) return;
    setEmail("");
    setCode("");
    setSent(false);
    onVerified();
  };
  return (
    <form
      class="inline-form"
      onSubmit={(event) => {
        event.preventDefault();
        void (isSent ? verify() : sendCode());
      }}
    >
      {heading !== undefined && <h2>{heading}</h2>}
      {knownAddress !== undefined ? (
        <p>{label}</p>
      ) : (
        <div class="field">
          <label for={`${id}-email`}>{label}</label>
          <input
            id={`${id}-email`}
            type="email"
            autocomplete="email"
            required
            readOnly={isSent}
            value={email}
            onInput={(event) => setEmail(event.currentTarget.value.trim())}
          />
        </div>
      )}
      {isSent && (
        <div class="field">
          <label for={`${id}-code`}>The code of six digits in the mail</label>
          <input
            id={`${id}-code`}
            inputMode="numeric"
            autocomplete="one-time-code"
            pattern="[0-9]{6}"
            maxLength={6}
            required
            value={code}
            onInput={(event) => setCode(event.currentTarget.value.trim())}
          />
        </div>
      )}
      <div class="form-actions">
        <button type="submit" class={isPrimary ? "button-primary" : ""} disabled={action.isRunning}>
          {isSent ? confirmLabel : knownAddress === undefined ? "Send a code" : `Send a code to ${knownAddress}`}
        </button>
        {isSent && (
          <button type="button" class="quiet" onClick={() => setSent(false)}>
            {knownAddress === undefined ? "Another address" : "Another code"}
          </button>
        )}
      </div>
      {isSent && (
        <p class="note" role="status">
          The code is valid for 10 minutes, in this browser only. No mail? Look at the address, and in the spam folder.
        </p>
      )}
      {action.problem && <Notice problem={action.problem} />}
    </form>
  );
}
