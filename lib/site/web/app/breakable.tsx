// A text such as an e-mail address or a host, which breaks after its signs rather than within a word.

export function Breakable({ text }: { readonly text: string }) {
  return (
    <>
      {text.split(/(?<=[@._-])/).map((part, index) => (
        <>
          {index > 0 && <wbr />}
          {part}
        </>
      ))}
    </>
  );
}
