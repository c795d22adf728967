// An error of the service: its code, its words, the fields that it is about, and a link to its fix.

import { InlineCode } from "../shared/inline-code.tsx";
import type { ServiceError } from "./send-capture.ts";

interface ErrorViewProps {
  readonly error: ServiceError;
  readonly onShowField: (name: string) => void;
}

export function ErrorView({
  error: { error, code, details = {}, docs, retryable, link },
  onShowField,
}: ErrorViewProps) {
  const fields = Object.entries(details).filter(([, messages]) => Array.isArray(messages));
  return (
    <div class="error" role="alert">
      {code && <p class="error-code">{code}</p>}
      <p class="error-text">
        <InlineCode text={error} />
      </p>
      {fields.length > 0 && (
        <ul>
          {fields.map(([name, messages]) => (
            <li key={name}>
              <button type="button" class="link" onClick={() => onShowField(name)}>
                {name}
              </button>{" "}
              <InlineCode text={(messages as string[]).join("; ")} />
            </li>
          ))}
        </ul>
      )}
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
