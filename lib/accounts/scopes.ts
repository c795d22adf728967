// What an API key may be used for.

export const scopes = ["capture", "usage", "keys"] as const;
export type Scope = (typeof scopes)[number];
