// A text of the reference whose code is between backticks, as Markdown writes it.

export function CodeSpans({ text }: { readonly text: string }) {
  return <>{text.split("`").map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>;
}
