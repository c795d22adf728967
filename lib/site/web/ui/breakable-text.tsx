// A host, an address, an e-mail address, or a name in capitals that breaks between its parts, and in the middle of a part only where it
// must.

import { Fragment } from "preact";

/** After a separator, unless another follows, as in `https://`, and not within an IP address or a number. */
const BREAKS = /(?<=[./@?&=_:-])(?<!\d\.)(?![./@?&=_:-])|(?<=\d\.)(?=\D)/;

/** An e-mail address is read in its two parts. */
const EMAIL = /^[^\s@/:]+@[^\s@/:]+$/;

/** The parts of a text, between which a line may break. */
export function breakableParts(text: string): string[] {
  return text.split(EMAIL.test(text) ? /(?<=@)/ : BREAKS);
}

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
