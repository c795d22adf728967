// The secret of a link of an e-mail or of the operator: it is behind the #, which no server sees.

/** Returns the secret in the address, and removes it from there at once; undefined without one. */
export function takeLinkToken(): string | undefined {
  const [, token] = /^#token=([\w-]+)$/.exec(location.hash) ?? [];
  if (token !== undefined) history.replaceState(null, "", location.pathname);
  return token;
}
