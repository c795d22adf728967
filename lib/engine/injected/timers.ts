/// <reference lib="dom" />
// Timers for the isolated world of a page whose scripts are disabled.

/**
 * Replaces `setTimeout` and `clearTimeout` in the isolated world. In a document whose scripts are disabled, scripts of
 * isolated worlds run but no timer fires; an empty animation still finishes on time.
 */
export function installTimers(): void {
  const running = new Map<number, Animation>();
  let last = 0;
  const set = (callback: (...args: unknown[]) => void, milliseconds = 0, ...args: unknown[]): number => {
    const timer = new Animation(
      new KeyframeEffect(null, null, Math.max(0, Number(milliseconds) || 0)),
      document.timeline,
    );
    const id = ++last;
    const forget = () => running.delete(id);
    running.set(id, timer);
    timer.finished.then(() => {
      forget();
      callback(...args);
    }, forget);
    timer.play();
    return id;
  };
  Object.assign(globalThis, { setTimeout: set, clearTimeout: (id: number) => running.get(id)?.cancel() });
}
