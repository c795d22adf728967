// IAM's wildcards: `*` is any number of characters, and `?` is one.
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_resource.html

/** Whether the whole text matches the pattern; case-sensitive. Takes at most the product of both lengths. */
export function matchesPattern(pattern: string, text: string): boolean {
  let position = 0;
  let index = 0;
  /** The last `*`, and the text that it may yet have to take one more character of. */
  let star = -1;
  let resumeAt = 0;
  while (index < text.length) {
    if (pattern[position] === "*") {
      star = position++;
      resumeAt = index;
    } else if (pattern[position] === "?" || (position < pattern.length && pattern[position] === text[index])) {
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

/** Whether an action matches a pattern: actions have no case. */
export function matchesAction(pattern: string, action: string): boolean {
  return matchesPattern(pattern.toLowerCase(), action.toLowerCase());
}

/** Whether an ARN matches a pattern, part by part: a wildcard matches no colon but in the last part. */
export function matchesArn(pattern: string, arn: string): boolean {
  if (pattern === "*") return true;
  const [patterns, parts] = [splitArn(pattern), splitArn(arn)];
  return patterns.length === parts.length && patterns.every((each, index) => matchesPattern(each, parts[index] ?? ""));
}

/** Whether a pattern has all parts of an ARN, or stands for everything. */
export function isArnPattern(pattern: string): boolean {
  return pattern === "*" || splitArn(pattern).length === ARN_PARTS;
}

/** `arn`, partition, service, region, account, and the resource, which may itself have colons. */
function splitArn(arn: string): string[] {
  const parts = arn.split(":");
  return parts.length <= ARN_PARTS ? parts : [...parts.slice(0, ARN_PARTS - 1), parts.slice(ARN_PARTS - 1).join(":")];
}

const ARN_PARTS = 6;
