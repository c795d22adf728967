// What the teller reads when it is asked.
export const later = "read later";
