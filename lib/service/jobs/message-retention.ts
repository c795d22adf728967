// How long the queues keep the messages of asynchronous captures, in days. 14 are the maximum of SQS.

/** Until a capture is rendered, or failed as dead, counted from when it was queued, also in the queue of dead messages. */
export const QUEUED_RENDER_DAYS = 14;

/** In the queue of failed captures, until the operator captures them again. */
export const FAILED_RENDER_DAYS = 14;
