// Sign-in of an operator: with the one-time link of a command, or with a code by e-mail.
import { send } from "../../ui/api.ts";
import { EmailCodeForm } from "../../ui/email-code-form.tsx";
import { Heading } from "../../ui/heading.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useAction } from "../../ui/use-action.ts";
import { useResource } from "../../ui/use-resource.ts";
import type { SignInMethods } from "../answers.ts";
import { API } from "../requests.ts";

interface SignInProps {
  /** That of a link. */
  readonly token: string | undefined;
  readonly onSignedIn: () => void;
}

export function SignInScreen({ token, onSignedIn }: SignInProps) {
  const methods = useResource<SignInMethods>(`${API}/sign-in`);
  const link = useAction();
  const follow = () => link.run(() => send("POST", `${API}/sign-in/link`, { token }), onSignedIn);
  const isVoid = link.problem?.status === 401;
  const hasLink = token !== undefined && !isVoid;
  return (
    <div class="sign-in">
      <Heading>Operator sign-in</Heading>
      {hasLink && (
        <section>
          <h2>With your link</h2>
          <p>The link works once, within 15 minutes.</p>
          <button type="button" class="button-primary" disabled={link.isRunning} onClick={() => void follow()}>
            Continue
          </button>
          {link.problem && <Notice problem={link.problem} />}
        </section>
      )}
      {isVoid && (
        <div class="notice" role="alert">
          <p>This link was used or has expired.</p>
        </div>
      )}
      {methods.error && <Notice problem={methods.error} retry={methods.reload} />}
      {methods.data?.email && (
        <EmailCodeForm
          id="operator"
          heading="With your e-mail address"
          label="E-mail address"
          path={`${API}/sign-in/code`}
          confirmLabel="Sign in"
          isPrimary={!hasLink}
          isKept
          onVerified={onSignedIn}
        >
          <p class="note">Only an address of the service’s operators gets a code.</p>
        </EmailCodeForm>
      )}
      <section>
        <h2>{methods.data?.email ? "Without mail" : "With a link"}</h2>
        <p class="note">
          <code>npm run operator -- sign-in</code> prints a link that signs you in. On one machine, the start prints
          one, too.
        </p>
      </section>
    </div>
  );
}
