// The purposes of filter lists. The lists of a purpose are loaded only if a capture needs them.

export const purposes = ["ads", "trackers", "cookies", "socials", "chats", "annoyances"] as const;
export type Purpose = (typeof purposes)[number];
