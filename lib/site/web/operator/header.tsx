// The content of the page's header: the stage, and the field that finds accounts from every screen.
import { type ComponentChild, render } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { TextFilter } from "../ui/filters.tsx";
import { navigateTo, useAddress } from "../ui/router.ts";
import { type ScreenWithKey, Shortcuts } from "./shortcuts.tsx";

interface HeaderProps {
  readonly stage: string;
  readonly screens: readonly ScreenWithKey[];
}

export function Header({ stage, screens }: HeaderProps) {
  useHeaderContent(
    <>
      <span class={`badge stage-${stage}`}>{stage}</span>
      <FindField />
      <Shortcuts screens={screens} />
    </>,
  );
  return null;
}

/** The header is a part of the document, above the content. */
function useHeaderContent(content: ComponentChild): void {
  const container = document.getElementById("operator-header");
  useLayoutEffect(() => {
    if (container) render(content, container);
  });
  useLayoutEffect(() => () => container && render(null, container), []);
}

function FindField() {
  const { path, query } = useAddress();
  const isList = path === "accounts";
  const find = (text: string, isNewStep: boolean) => {
    const address = text === "" ? "accounts" : `accounts?${new URLSearchParams({ search: text })}`;
    navigateTo(address, { replace: isList && !isNewStep });
  };
  return (
    <search class="find">
      <TextFilter
        name="search"
        label="Find accounts"
        placeholder="E-mail, id, or key prefix"
        value={isList ? (query.get("search") ?? "") : ""}
        onChange={find}
      />
      <kbd>/</kbd>
    </search>
  );
}
