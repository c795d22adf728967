// How long the queues keep the messages of asynchronous captures that could not be rendered, in days. 14 are the maximum of SQS.

/** In the queue of dead messages, counted from when the capture was queued, until its job is failed. */
export const DEAD_RENDER_DAYS = 14;

/** In the queue of failed captures, until the operator captures them again. */
export const FAILED_RENDER_DAYS = 14;
