// What a message of a queue may be: text of the characters that SQS takes.

/**
 * A value as JSON that every queue takes. SQS refuses U+FFFE and U+FFFF, which JSON may have as they are; what else it
 * refuses, JSON escapes anyway.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html
 */
export function queueText(value: unknown): string {
  return JSON.stringify(value).replace(/[\ufffe\uffff]/g, (character) =>
    character === "\ufffe" ? "\\ufffe" : "\\uffff",
  );
}
