// What filter lists are for. Each purpose has lists of its own, which are only loaded where it is asked for.

export const purposes = ["ads", "trackers", "cookies", "socials", "chats", "annoyances"] as const;
export type Purpose = (typeof purposes)[number];
