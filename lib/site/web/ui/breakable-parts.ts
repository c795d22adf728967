// Where a host, an address, an e-mail address, or a name in capitals may break at the end of a line.

/** After a separator, unless another follows, as in `https://`, and not within an IP address or a number. */
const BREAKS = /(?<=[./@?&=_:-])(?<!\d\.)(?![./@?&=_:-])|(?<=\d\.)(?=\D)/;

/** An e-mail address is read in its two parts. */
const EMAIL = /^[^\s@/:]+@[^\s@/:]+$/;

/** The parts of a text, between which a line may break. */
export function breakableParts(text: string): string[] {
  return text.split(EMAIL.test(text) ? /(?<=@)/ : BREAKS);
}
