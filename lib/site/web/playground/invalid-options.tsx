// What has to be fixed before a capture: each invalid option with its problem, and its fixes as buttons.
import { InlineCode } from "../shared/inline-code.tsx";
import { type ApplyFix, FixButtons } from "./fix-buttons.tsx";
import type { FieldErrors } from "./option-form.tsx";
import type { RequestOptions } from "./request-options.ts";
import { validationFixes } from "./validation-fixes.ts";

/** More would push the button to capture out of sight. */
const MAX_SHOWN = 2;

interface InvalidOptionsProps {
  readonly fieldErrors: FieldErrors;
  /** The options of the request that is edited. */
  readonly options: RequestOptions;
  readonly onShowField: (name: string) => void;
  readonly onFix: ApplyFix;
}

export function InvalidOptions({ fieldErrors, options, onShowField, onFix }: InvalidOptionsProps) {
  const invalid = Object.entries(fieldErrors);
  if (invalid.length === 0) return null;
  return (
    <div class="invalid-options">
      {invalid.slice(0, MAX_SHOWN).map(([name, messages]) => (
        <div key={name}>
          <p class="problem">
            <button type="button" class="link" onClick={() => onShowField(name)}>
              {name}
            </button>{" "}
            <InlineCode text={messages.join("; ")} />
          </p>
          <FixButtons fixes={validationFixes(name, messages, options)} onFix={onFix} />
        </div>
      ))}
      {invalid.length > MAX_SHOWN && (
        <p class="problem">
          {invalid.length - MAX_SHOWN} more to fix:{" "}
          {invalid.slice(MAX_SHOWN, 2 * MAX_SHOWN + 2).map(([name]) => (
            <button key={name} type="button" class="link" onClick={() => onShowField(name)}>
              {name}
            </button>
          ))}
        </p>
      )}
    </div>
  );
}
