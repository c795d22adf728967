// An error of the service: its code, its words, the fields that it is about, its fixes as buttons, and a link to its page.

import { InlineCode } from "../shared/inline-code.tsx";
import { errorFixes } from "./error-fixes.ts";
import { type ApplyFix, FixButtons } from "./fix-buttons.tsx";
import type { RequestOptions } from "./request-options.ts";
import type { ServiceError } from "./send-capture.ts";

interface ErrorViewProps {
  readonly error: ServiceError;
  /** The options that failed. */
  readonly sent: RequestOptions;
  readonly onShowField: (name: string) => void;
  readonly onFix: ApplyFix;
}

export function ErrorView({ error: serviceError, sent, onShowField, onFix }: ErrorViewProps) {
  const { error, code, details = {}, docs, retryable, link } = serviceError;
  const lists = Object.entries(details).filter(([, messages]) => Array.isArray(messages));
  const isField = (name: string) =>
    code === "VALIDATION_ERROR" || sent[name] !== undefined || name.startsWith("outputs[");
  return (
    <div class="error" role="alert">
      {code && <p class="error-code">{code}</p>}
      <p class="error-text">
        <InlineCode text={error} />
      </p>
      {lists.length > 0 && (
        <ul>
          {lists.map(([name, messages]) => (
            <li key={name}>
              {isField(name) ? (
                <button type="button" class="link" onClick={() => onShowField(name)}>
                  {name}
                </button>
              ) : (
                name
              )}{" "}
              <InlineCode text={(messages as string[]).join("; ")} />
            </li>
          ))}
        </ul>
      )}
      <FixButtons fixes={errorFixes(serviceError, sent)} onFix={onFix} />
      <p class="error-more">
        {retryable && "The same request can succeed later. "}
        {docs?.startsWith("http") && (
          <a href={docs} target="_blank" rel="noreferrer">
            Cause and fix
          </a>
        )}
        {link !== undefined && (
          <a href={link} target="_blank" rel="noreferrer">
            Open the result
          </a>
        )}
      </p>
    </div>
  );
}
