// The names that GitHub gives emoji. A module of its own, so that a bundle has this list of the package alone.
import { nameToEmoji } from "gemoji";

export const emoji: Readonly<Record<string, string>> = nameToEmoji;
