// What looks wrong in a result, with the options that may cure it as buttons, and how it differs from the request.
import type { Problem } from "../../../../clients/typescript/src/generated/types.ts";
import { apiBaseUrl } from "../service-address.ts";
import { InlineCode } from "../shared/inline-code.tsx";
import { problemFixes } from "./error-fixes.ts";
import { type ApplyFix, FixButtons } from "./fix-buttons.tsx";

interface ProblemsProps {
  readonly problems: readonly Problem[];
  /** Undefined if the service doesn't say it. */
  readonly quality: number | undefined;
  readonly onFix: ApplyFix;
}

export function Problems({ problems, quality, onFix }: ProblemsProps) {
  return (
    <section class="problems" aria-label="Problems of the result">
      <p>
        <strong>
          {problems.some(({ severity }) => severity === "error")
            ? "The result looks wrong"
            : "The result may have flaws"}
        </strong>
        {quality !== undefined && `, quality ${quality} of 100`}.{" "}
        <a href={`${apiBaseUrl}/docs/guide/problems`} target="_blank" rel="noreferrer">
          About problems
        </a>
      </p>
      <ul>
        {problems.map((problem) => (
          <li key={problem.code}>
            <p>
              <code>{problem.code}</code> <InlineCode text={problem.message} />
            </p>
            <FixButtons fixes={problemFixes([problem])} onFix={onFix} />
          </li>
        ))}
      </ul>
    </section>
  );
}

export function Warning({ text }: { readonly text: string }) {
  return (
    <p class="warning">
      <InlineCode text={text} />
    </p>
  );
}
