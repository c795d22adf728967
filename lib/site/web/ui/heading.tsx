// The heading of a screen: names the document, and takes the focus when the screen was reached from another one, unless the visitor types.
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

const SITE = "Screen Capture API";

/** Where a page is loaded, the browser sets the focus. */
let isFirst = true;

export function Heading({ children }: { readonly children: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${children} – ${SITE}`;
  }, [children]);
  useLayoutEffect(() => {
    const isTyping = document.activeElement?.matches("input");
    if (!isFirst && !isTyping) heading.current?.focus({ preventScroll: true });
    isFirst = false;
  }, []);
  return (
    <h1 tabIndex={-1} ref={heading}>
      {children}
    </h1>
  );
}
