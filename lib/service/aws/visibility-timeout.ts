// The longest SQS visibility timeout that a function can set on a message it has received.

/**
 * In seconds. SQS hides a message for at most 12 hours after its receipt; 15 minutes of them, the longest time that Lambda
 * gives a function, may have passed by then.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_ChangeMessageVisibility.html
 */
export const MAX_VISIBILITY_TIMEOUT_S = 12 * 60 * 60 - 15 * 60;
