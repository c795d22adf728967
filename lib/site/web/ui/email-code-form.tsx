// Proves that an e-mail address is the visitor's, by a code that is sent to it: to sign in, and to change an account's address.
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { send } from "./api.ts";
import { BreakableText } from "./breakable-text.tsx";
import { handleSubmit, TextField } from "./form.tsx";
import { formatWait } from "./format.ts";
import { Notice } from "./notice.tsx";
import { type SentCode, useSentCode } from "./sent-code.ts";
import { useAction } from "./use-action.ts";
import { useCountdown } from "./use-countdown.ts";

/** A mail takes some seconds; the service sends five in an hour to an address. */
const RESEND_AFTER_MS = 30_000;
const DIGITS = 6;

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
  /** True if the step after the mail outlives loading the page again, which phones do while one reads the mail. */
  readonly isKept?: boolean;
  /** Below the form. */
  readonly children?: ComponentChildren;
  readonly onVerified: () => void;
}

export function EmailCodeForm({ isKept = false, onVerified, ...props }: EmailCodeFormProps) {
  const { id, knownAddress, path } = props;
  const [sent, setSent] = useSentCode(isKept ? id : undefined);
  const [email, setEmail] = useState(() => sent?.email ?? typedBefore(`${id}-email`));
  const action = useAction();
  const address = knownAddress === undefined ? { email } : {};
  const sendCode = async () => {
    if (await action.run(() => send<void>("POST", path, address))) setSent({ email, sentAt: Date.now() });
  };
  const verify = async (code: string) => {
    if (!(await action.run(() => send<void>("POST", `${path}/verify`, { ...address, code })))) return;
    setEmail("");
    setSent(undefined);
    onVerified();
  };
  if (!sent) return <AddressStep {...props} email={email} onInput={setEmail} action={action} sendCode={sendCode} />;
  const restart = () => {
    action.clear();
    setSent(undefined);
  };
  return <CodeStep {...props} sent={sent} action={action} verify={verify} sendCode={sendCode} restart={restart} />;
}

/** What the visitor has typed into a field of the document before this script has taken it over. */
function typedBefore(id: string): string {
  return globalThis.document?.querySelector<HTMLInputElement>(`#${id}`)?.value.trim() ?? ""; // the build has no document
}

type StepProps = Omit<EmailCodeFormProps, "isKept" | "onVerified"> & {
  readonly action: ReturnType<typeof useAction>;
  readonly sendCode: () => Promise<void>;
};

interface AddressStepProps extends StepProps {
  readonly email: string;
  readonly onInput: (email: string) => void;
}

function AddressStep({ email, onInput, action, sendCode, ...props }: AddressStepProps) {
  const { id, heading, label, knownAddress, isPrimary = false, children } = props;
  return (
    <form class="inline-form" onSubmit={handleSubmit(sendCode)}>
      {heading !== undefined && <h2>{heading}</h2>}
      {knownAddress !== undefined ? (
        <p>{label}</p>
      ) : (
        <TextField
          id={`${id}-email`}
          label={label}
          type="email"
          autocomplete="email"
          required
          value={email}
          onText={(text) => onInput(text.trim())}
        />
      )}
      <div class="form-actions">
        <button type="submit" class={isPrimary ? "button-primary" : ""} disabled={action.isRunning}>
          {knownAddress === undefined ? "Send a code" : `Send a code to ${knownAddress}`}
        </button>
      </div>
      {action.problem && <Notice problem={action.problem} />}
      {children}
    </form>
  );
}

interface CodeStepProps extends StepProps {
  readonly sent: SentCode;
  readonly verify: (code: string) => Promise<void>;
  readonly restart: () => void;
}

function CodeStep({ sent, action, verify, sendCode, restart, ...props }: CodeStepProps) {
  const { id, knownAddress, confirmLabel, isPrimary = false, children } = props;
  const [code, setCode] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const { problem } = action;
  const resendIn = useCountdown(Math.max(sent.sentAt + RESEND_AFTER_MS, problem?.retryAt ?? 0));
  useLayoutEffect(() => field.current?.focus(), [sent.sentAt]);
  useEffect(() => {
    if (problem?.triesLeft === undefined) return; // what was typed can be sent again
    setCode("");
    field.current?.focus();
  }, [problem]);
  return (
    <form class="inline-form code-form" onSubmit={handleSubmit(() => verify(code))}>
      {props.heading !== undefined && <h2>Look into your mail</h2>}
      <p>
        <span role="status">
          A code is on its way to{" "}
          <strong>
            <BreakableText text={knownAddress ?? sent.email} />
          </strong>
          .
        </span>{" "}
        {knownAddress === undefined && (
          <button type="button" class="link" onClick={restart}>
            Use another address
          </button>
        )}
      </p>
      <div class="field">
        <label for={`${id}-code`}>The code of six digits in the mail</label>
        <input
          id={`${id}-code`}
          class="code-field"
          inputMode="numeric"
          autocomplete="one-time-code"
          pattern="[0-9]{6}"
          required
          value={code}
          ref={field}
          aria-describedby={`${id}-code-note${problem ? ` ${id}-code-problem` : ""}`}
          {...(problem?.triesLeft !== undefined && { "aria-invalid": "true" as const })}
          onInput={({ currentTarget }) => {
            const digits = readCode(currentTarget.value);
            currentTarget.value = digits; // also if it is what the state has already
            setCode(digits);
            if (digits.length === DIGITS) void verify(digits);
          }}
        />
      </div>
      {problem && <Notice id={`${id}-code-problem`} problem={problem} />}
      <div class="form-actions">
        <button type="submit" class={isPrimary ? "button-primary" : ""} disabled={action.isRunning}>
          {confirmLabel}
        </button>
        <button type="button" class="quiet" disabled={action.isRunning || resendIn > 0} onClick={() => void sendCode()}>
          {resendIn > 0 ? `Resend the code in ${formatWait(resendIn)}` : "Resend the code"}
        </button>
      </div>
      <p class="note" id={`${id}-code-note`}>
        It is valid for 10 minutes, in this browser only, and only the newest one works. No mail? Look at the address,
        and in the spam folder.
      </p>
      {children}
    </form>
  );
}

/** The digits of what was typed or pasted: `123 456`, `123-456`, and a sentence with the code. */
function readCode(text: string): string {
  const plain = text.normalize("NFKC"); // also full-width digits
  const [, first = "", second = ""] = /(?<!\d)(\d{3})[ -]?(\d{3})(?!\d)/.exec(plain) ?? [];
  return first === "" ? plain.replaceAll(/\D/g, "").slice(0, DIGITS) : first + second;
}
