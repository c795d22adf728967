// How many API keys an account can have: a change of its plan or limits rewrites what is stored for each of them in one transaction.

/**
 * Maximum number of items that a change of plan can rewrite for keys: DynamoDB limits a transaction to 100 items, of which the
 * account, the caller of its sessions, its row in the directory, and the entry of the audit log take four. An active key takes two, and each
 * of its previous texts that still works one.
 */
export const MAX_KEY_ITEMS = 96;
export const ITEMS_PER_KEY = 2;

/** Maximum number of active keys per account. */
export const MAX_KEYS = MAX_KEY_ITEMS / ITEMS_PER_KEY;
