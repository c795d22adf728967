// A fetch whose first calls fail: before they reach the service, or after it has answered.

export interface FailingFetch {
  (...request: Parameters<typeof fetch>): Promise<Response>;
  /** Number of calls so far. */
  calls: number;
}

/** Fails `failures` times, as a connection does that breaks `before` the request or `after` the response. */
export function failingFetch(when: "before" | "after", failures: number): FailingFetch {
  const send: FailingFetch = async (...request) => {
    send.calls++;
    const fails = send.calls <= failures;
    if (fails && when === "before") throw new TypeError("fetch failed");
    const response = await fetch(...request);
    await response.clone().arrayBuffer();
    if (fails) throw new TypeError("terminated");
    return response;
  };
  send.calls = 0;
  return send;
}
