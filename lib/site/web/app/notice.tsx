// A problem, in the place where it arose, with its description and another try.
import type { RequestError } from "./api.ts";

export function Notice({ problem, retry }: { readonly problem: RequestError; readonly retry?: () => void }) {
  return (
    <div class="notice" role="alert">
      <p>
        {problem.message} {problem.docs !== undefined && <a href={problem.docs}>What to do about {problem.code}</a>}
      </p>
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}
