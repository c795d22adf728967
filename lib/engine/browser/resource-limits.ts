// Limits of the browser process that the kernel enforces: resources (`ulimit`), and what a preloaded library takes from it.

/** Address space that an empty browser reserves and does not use: mostly thread stacks. */
const RESERVED_MEGABYTES = 512;

/** Megabytes at which the kernel refuses further allocations to a browser that may use `megabytes`. */
export function allocationLimit(megabytes: number): number {
  return megabytes + RESERVED_MEGABYTES;
}

/**
 * Returns the command line that starts `command` in its own HOME, with bounded memory, without core dumps and without
 * inherited file descriptors: Node passes on those the function was given, on Lambda also the pipe to its log.
 *
 * A process cannot raise these limits again (setrlimit(2)). Node has no call for it; the shell has, and then becomes
 * the browser by `exec`. A refused allocation is an error in the page's script, or the end of the browser. V8 knows the
 * limit and gives typed arrays half of it.
 *
 * `preload` is the name of a library in LD_LIBRARY_PATH, which takes effect in `command`.
 *
 * Lambda has bash: https://docs.aws.amazon.com/lambda/latest/dg/runtimes-modify.html starts functions by bash scripts.
 */
export function withResourceLimits(
  command: readonly string[],
  { memoryMegabytes, preload }: { readonly memoryMegabytes: number; readonly preload?: string },
) {
  const script = [
    `ulimit -c 0 -d ${allocationLimit(memoryMegabytes) * 1024}`,
    // File descriptors 3 and 4 are the DevTools pipe.
    "cd /proc/self/fd; for fd in *; do if ((fd > 4)); then exec {fd}>&-; fi; done",
    ...(preload === undefined ? [] : [`export LD_PRELOAD=${preload}`]), // not for the shell
    'cd "$HOME" && exec "$0" "$@"', // it would start in the folder of the function's code
  ];
  return { executable: "/bin/bash", arguments: ["-c", script.join("; "), ...command] };
}
