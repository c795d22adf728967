// How many outputs a request may have: a module of its own, because pages of the site need no more of the options than this.

export const MIN_OUTPUTS = 2;
export const MAX_OUTPUTS = 8;
