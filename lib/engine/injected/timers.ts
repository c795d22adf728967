/// <reference lib="dom" />
// Runs in the world of our own scripts, sent there as text: timers for where those of a page do not run.

/**
 * In a document whose scripts are disabled our own ones still run, but no timer ever fires. An animation of nothing
 * ends on time there, too.
 */
export function keepTimers(): void {
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
