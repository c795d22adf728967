// What the service says of the session of this browser.

export interface SessionAccount {
  readonly id: number;
  readonly label: string;
  readonly plan: string;
  readonly created_at: string;
}

export interface SessionState {
  readonly account: SessionAccount;
  readonly session: {
    readonly id: string;
    readonly created_at: string;
    readonly expires_at: string;
    readonly signed_in_with: "link" | "api_key" | "email";
  };
}
