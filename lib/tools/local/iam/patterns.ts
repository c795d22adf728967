// IAM's wildcards: `*` is any number of characters, and `?` is one. Patterns are prepared once, and tried with every call.
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_resource.html

export interface Pattern {
  /** As the policy has it. */
  readonly text: string;
  /** Whether the whole value matches. Takes at most the product of both lengths. */
  matches(value: string): boolean;
}

/** A pattern whose case matters. */
export function caseSensitivePattern(text: string): Pattern {
  return { text, matches: matcher(text) };
}

/** A pattern of actions, which have no case. */
export function actionPattern(text: string): Pattern {
  const matches = matcher(text.toLowerCase());
  return { text, matches: (action) => matches(action.toLowerCase()) };
}

/**
 * A pattern of ARNs, compared part by part: a wildcard matches no colon but in the last part. Undefined for a text that has fewer
 * parts than an ARN, and is not `*`.
 */
export function arnPattern(text: string): Pattern | undefined {
  if (text === "*") return { text, matches: () => true };
  const parts = splitArn(text);
  if (parts.length !== ARN_PARTS) return undefined;
  const name = matcher(parts.at(-1) ?? "");
  const start = text.slice(0, text.length - (parts.at(-1)?.length ?? 0));
  if (!hasWildcards(start)) {
    return { text, matches: (arn) => arn.startsWith(start) && name(arn.slice(start.length)) };
  }
  const matchers = parts.map(matcher);
  return { text, matches: (arn) => splitArn(arn).every((part, index) => matchers[index]?.(part)) };
}

type Matcher = (value: string) => boolean;

/** Most patterns are a whole name, or the beginning of one. */
function matcher(pattern: string): Matcher {
  if (!hasWildcards(pattern)) return (value) => value === pattern;
  const start = pattern.slice(0, -1);
  if (pattern.endsWith("*") && !hasWildcards(start)) return (value) => value.startsWith(start);
  return (value) => matchesWildcards(pattern, value);
}

function hasWildcards(text: string): boolean {
  return text.includes("*") || text.includes("?");
}

function matchesWildcards(pattern: string, value: string): boolean {
  let position = 0;
  let index = 0;
  /** The last `*`, and the part of the value that it may yet have to take one more character of. */
  let star = -1;
  let resumeAt = 0;
  while (index < value.length) {
    if (pattern[position] === "*") {
      star = position++;
      resumeAt = index;
    } else if (pattern[position] === "?" || (position < pattern.length && pattern[position] === value[index])) {
      position++;
      index++;
    } else if (star >= 0) {
      position = star + 1;
      index = ++resumeAt;
    } else return false;
  }
  while (pattern[position] === "*") position++;
  return position === pattern.length;
}

/** `arn`, partition, service, region, account, and the resource, which may itself have colons. */
function splitArn(arn: string): string[] {
  const parts = arn.split(":");
  return parts.length <= ARN_PARTS ? parts : [...parts.slice(0, ARN_PARTS - 1), parts.slice(ARN_PARTS - 1).join(":")];
}

const ARN_PARTS = 6;
