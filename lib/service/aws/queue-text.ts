// Serializes SQS messages without the characters that SQS rejects.

/**
 * A value as JSON, with U+FFFE and U+FFFF escaped, which SQS rejects. JSON escapes all other characters that SQS rejects.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html
 */
export function queueText(value: unknown): string {
  return JSON.stringify(value).replace(/[\ufffe\uffff]/g, (character) =>
    character === "\ufffe" ? "\\ufffe" : "\\uffff",
  );
}
