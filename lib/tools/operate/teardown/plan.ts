// What the deletion of a stage's stacks deletes, and what it keeps, by the deletion policies of their templates.

/** The part of a CloudFormation template that the plan reads. */
export interface TemplateResources {
  readonly Resources?: Readonly<Record<string, { readonly Type: string; readonly DeletionPolicy?: string }>>;
}

export interface DeployedStack {
  readonly name: string;
  readonly template: TemplateResources;
  /** Physical ids by logical ids. */
  readonly physicalIds: Readonly<Record<string, string>>;
  readonly isProtected: boolean;
}

export interface TeardownPlan {
  /** Lines for the operator. */
  readonly lines: readonly string[];
  /** Names of stacks that are protected from deletion. */
  readonly protectedStacks: readonly string[];
  /** Names of buckets that are deleted, and so must be emptied first. */
  readonly buckets: readonly string[];
}

/** Types whose content is gone with them: they are listed one by one. */
const WITH_DATA = [
  "AWS::DynamoDB::GlobalTable",
  "AWS::S3::Bucket",
  "AWS::SQS::Queue",
  "AWS::Logs::LogGroup",
  "AWS::KMS::Key",
];

/** The plan for stacks in the order of their deletion. */
export function planTeardown(stacks: readonly DeployedStack[]): TeardownPlan {
  const lines: string[] = [];
  const buckets: string[] = [];
  for (const { name, template, physicalIds } of stacks) {
    const resources = Object.entries(template.Resources ?? {}).map(([id, { Type, DeletionPolicy = "Delete" }]) => ({
      type: Type,
      id: physicalIds[id] ?? id,
      isKept: /^Retain/.test(DeletionPolicy),
    }));
    const deleted = resources.filter(({ isKept }) => !isKept);
    const kept = resources.filter(({ isKept }) => isKept);
    const withData = deleted.filter(({ type }) => WITH_DATA.includes(type));
    buckets.push(...withData.filter(({ type }) => type === "AWS::S3::Bucket").map(({ id }) => id));
    lines.push(
      `Stack ${name}:`,
      ...withData.map(({ type, id }) => `  deletes with its content: ${shortType(type)} ${id}`),
      `  deletes: ${countByType(deleted.filter((resource) => !withData.includes(resource)))}`,
      ...kept.map(({ type, id }) => `  keeps: ${shortType(type)} ${id}`),
    );
  }
  return { lines, buckets, protectedStacks: stacks.filter(({ isProtected }) => isProtected).map(({ name }) => name) };
}

function countByType(resources: readonly { readonly type: string }[]): string {
  const groups = [...Map.groupBy(resources, ({ type }) => type)].toSorted(([a], [b]) => a.localeCompare(b));
  return groups.map(([type, all]) => `${shortType(type)} × ${all.length}`).join(", ");
}

function shortType(type: string): string {
  return type.replace(/^AWS::/, "");
}
