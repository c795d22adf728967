// The documents of the dashboard as the build makes them: the frame with the outlines of a screen, or the form to sign in, which a visitor
// sees before a script has run. The script renders the same first, so that nothing moves when it takes over.
import { renderToString } from "preact-render-to-string";
import { FrameView } from "./frame-view.tsx";
import { NotFound, notFoundTitle } from "./not-found.tsx";
import { type EntryName, entryNames, type Screen } from "./screen.ts";
import { capturePage, screens } from "./screens.ts";
import { SignInForm, type SignInMethods } from "./sign-in-form.tsx";

interface ScreenDocument {
  /** Below the path of the dashboard. */
  readonly path: string;
  readonly title: string;
  readonly entry: EntryName;
  readonly html: string;
}

const doNothing = async () => undefined;

export function screenDocuments(): ScreenDocument[] {
  const shown = screens.map((screen) => screenDocument(screen, screen.path));
  const [overview] = entryNames;
  return [
    ...shown,
    screenDocument(capturePage, "captures/id"),
    { path: "not-found", title: notFoundTitle, entry: overview, html: frame("not-found", notFoundTitle, <NotFound />) },
  ];
}

function screenDocument({ path: current, title, entry, hasOwnHeading, skeleton: Outlines }: Screen, path: string) {
  return { path, title, entry, html: frame(current, hasOwnHeading ? undefined : title, <Outlines />) };
}

function frame(current: string, heading: string | undefined, screen: preact.ComponentChild): string {
  return renderToString(
    <FrameView screens={screens} current={current} account={undefined} signOut={doNothing}>
      {heading !== undefined && <h1 tabIndex={-1}>{heading}</h1>}
      {screen}
    </FrameView>,
  );
}

/** The form to sign in, as it is without a link. */
export function signInDocument(open: SignInMethods): string {
  return renderToString(<SignInForm open={open} token={undefined} account={undefined} onSignedIn={doNothing} />);
}
