// The frame of the screens: the navigation with who is signed in, and the screen. The build renders it into the documents.
import type { ComponentChildren } from "preact";
import { Navigation, type NavigationLink } from "../ui/navigation.tsx";
import { Bar } from "../ui/skeleton.tsx";
import { planText } from "./plans/plan-text.ts";
import type { SignedInAccount } from "./session.ts";

interface FrameViewProps {
  readonly screens: readonly NavigationLink[];
  /** The path of the current screen. */
  readonly current: string;
  /** Undefined until the session is known. */
  readonly account: SignedInAccount | undefined;
  readonly signOut: () => Promise<void>;
  readonly children: ComponentChildren;
}

export function FrameView({ screens, current, account, signOut, children }: FrameViewProps) {
  return (
    <div class="app-grid">
      <Navigation label="Dashboard" screens={screens} current={current} signOut={signOut}>
        <SignedInAs account={account} />
      </Navigation>
      <div class="screen">{children}</div>
    </div>
  );
}

/** In two lines, also of a long name. */
function SignedInAs({ account }: Pick<FrameViewProps, "account">) {
  if (!account) {
    return (
      <>
        <span class="app-name">
          <Bar size="l" />
        </span>
        <span>
          <Bar />
        </span>
      </>
    );
  }
  return (
    <>
      <strong class="app-name" title={account.label}>
        {account.label}
      </strong>
      <span>{planText(account.plan)}</span>
    </>
  );
}
