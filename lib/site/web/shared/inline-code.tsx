// A text of the API, in which code stands between backticks.

export function InlineCode({ text }: { readonly text: string }) {
  const parts = text.split(/`([^`]+)`/);
  return <>{parts.map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>;
}
