// The list of captures that was shown last, to which the page of a capture leads back.

let lastList: { readonly accountId: number; readonly path: string } | undefined;

/** Called when an account is shown the list at a path of the dashboard, such as `captures?status=failed`. */
export function rememberList(accountId: number, path: string): void {
  lastList = { accountId, path };
}

/** The path of the list that an account was shown last. */
export function listPath(accountId: number): string {
  return lastList?.accountId === accountId ? lastList.path : "captures";
}
