// A host, an address, or an e-mail address that breaks between its parts, and in the middle of a part only where it must.

import { Fragment } from "preact";

/** After a separator, unless another follows, as in `https://`. */
const BREAKS = /(?<=[./@?&=_-])(?![./@?&=_-])/;

export function BreakableText({ text }: { readonly text: string }) {
  const [first, ...others] = text.split(BREAKS);
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
