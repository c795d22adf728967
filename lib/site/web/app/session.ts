// What the service says of the session of this browser.

export interface SignedInAccount {
  readonly id: number;
  readonly label: string;
  readonly email: string | null;
  readonly plan: string;
  /** The plan that the owner asks the operator for. */
  readonly requested_plan: string | null;
  /** Whether it gets an e-mail when 50, 80, and 100 % of a quota are used. */
  readonly quota_alerts: boolean;
  /** Whether it gets an e-mail when a new text of an API key is first used. */
  readonly key_alerts: boolean;
  readonly store_thumbnails: boolean;
  readonly created_at: string;
  /** Why the operator has suspended the account, and since when; null while it is active. */
  readonly suspension: Suspension | null;
  /** What its plan becomes at the end of the billing period; null if it stays. `plan` is null after a cancellation. */
  readonly scheduled_plan: ScheduledPlan | null;
  readonly unpaid_invoices: readonly UnpaidInvoice[];
}

export interface ScheduledPlan {
  readonly plan: string | null;
  readonly at: string;
}

/** An invoice that is closed and not paid. */
export interface UnpaidInvoice {
  readonly number: string;
  readonly total: string;
  readonly due_at: string;
  readonly payment_failed_at: string | null;
}

export interface Suspension {
  readonly reason: string;
  readonly at: string;
}

/** What a browser gets that is not signed in. */
export interface SignedOut {
  readonly account: null;
  readonly sign_in: SessionState["sign_in"];
}

export interface SessionState {
  readonly account: SignedInAccount;
  readonly session: {
    readonly id: string;
    readonly created_at: string;
    readonly expires_at: string;
    readonly ends_at: string;
    readonly signed_in_with: "link" | "api_key" | "email";
  };
  /** Whether plans are chosen and paid on a page of the operator. */
  readonly has_payment_page: boolean;
  /** What the service offers to everyone. */
  readonly sign_in: { readonly email: boolean; readonly sign_up: boolean };
}
