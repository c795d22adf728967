// Changes the e-mail address of an account: proves the current one first, where there is one, then the new one.
import { useState } from "preact/hooks";
import { EmailCodeForm } from "../ui/email-code-form.tsx";

interface AddressFormProps {
  /** The address that the account has; null without one. */
  readonly current: string | null;
  readonly onChanged: () => void;
}

export function AddressForm({ current, onChanged }: AddressFormProps) {
  const [provenAddress, setProvenAddress] = useState<string>();
  const [isChanged, setChanged] = useState(false);
  const path = "/session/account/email";
  const verified = () => {
    setChanged(current !== null);
    setProvenAddress(undefined);
    onChanged();
  };
  return (
    <section>
      <h2>{current === null ? "Add an e-mail address" : "Change the e-mail address"}</h2>
      {current !== null && provenAddress !== current ? (
        <EmailCodeForm
          key="current"
          id="current-address"
          label="Step 1 of 2: confirm that you read the mail of the current address."
          knownAddress={current}
          path={`${path}/current`}
          confirmLabel="Confirm"
          onVerified={() => {
            setChanged(false);
            setProvenAddress(current);
          }}
        />
      ) : (
        <>
          {current !== null && (
            <p role="status">
              {current} is confirmed. When the address is changed, all other browsers are signed out, and {current} gets
              a link that undoes it for 72 hours.
            </p>
          )}
          <EmailCodeForm
            key="new"
            id="account"
            label={current === null ? "E-mail address to sign in with" : "Step 2 of 2: new e-mail address"}
            path={path}
            confirmLabel="Use this address"
            onVerified={verified}
          />
        </>
      )}
      {isChanged && (
        <p class="note" role="status">
          The address is changed, and all other browsers are signed out. The previous address got a link that undoes it.
        </p>
      )}
    </section>
  );
}
