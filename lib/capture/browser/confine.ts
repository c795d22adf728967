// What the kernel itself refuses a browser: the bounds that nobody has to look after in time.

/** Address space that an empty browser has taken and does not fill: mostly stacks of its threads. */
const UNFILLED_MEGABYTES = 512;

/** Megabytes of memory from which on the kernel refuses more to a browser that may hold `megabytes`. */
export function refusedFrom(megabytes: number): number {
  return megabytes + UNFILLED_MEGABYTES;
}

/**
 * The command line that starts `command` in its own HOME, with at most so much memory and without core dumps. A process
 * cannot get back what it gave up here (setrlimit(2)), and Node has no call for it; the shell has, and becomes the
 * browser. Memory that is refused is an error in the page's script, or the end of the browser.
 *
 * Lambda has the shell: https://docs.aws.amazon.com/lambda/latest/dg/runtimes-modify.html starts functions by scripts.
 */
export function confined(command: readonly string[], { memoryMegabytes }: { memoryMegabytes: number }) {
  // Without its own folder as the current one it would be in that of the function's code.
  const script = `ulimit -c 0; ulimit -d ${refusedFrom(memoryMegabytes) * 1024}; cd "$HOME" && exec "$0" "$@"`;
  return { executable: "/bin/sh", arguments: ["-c", script, ...command] };
}
