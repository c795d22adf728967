// A host, an address, an e-mail address, or a name in capitals that breaks between its parts, and in the middle of a part only where it
// must.

import { Fragment } from "preact";
import { breakableParts } from "./breakable-parts.ts";

export function BreakableText({ text }: { readonly text: string }) {
  const [first, ...others] = breakableParts(text);
  return (
    <>
      {first}
      {others.map((part, index) => (
        <Fragment key={index}>
          <wbr />
          {part}
        </Fragment>
      ))}
    </>
  );
}
