// Counts the frames that this world's scripts request all the time, to tell them from those of the page.

let count = 0;

export function countOwnFrameRequest(): void {
  count++;
}

export function ownFrameRequests(): number {
  return count;
}
