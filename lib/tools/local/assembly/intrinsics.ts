// Evaluates CloudFormation's intrinsic functions in a value. Throws for a function that it does not know.

/** What intrinsic functions refer to. Each lookup throws when the target does not exist. */
export interface IntrinsicScope {
  ref(logicalId: string): unknown;
  attribute(logicalId: string, name: string): unknown;
  importedValue(exportName: string): unknown;
}

/**
 * The value with its intrinsic functions evaluated. References to `AWS::NoValue` are removed.
 * Throws an `Error` that starts with `where`, which names the resource, when a function is unknown or refers to nothing.
 */
export function resolveIntrinsics(value: unknown, scope: IntrinsicScope, where: string): unknown {
  if (Array.isArray(value)) return value.map((item) => resolveIntrinsics(item, scope, where)).filter(isPresent);
  if (typeof value !== "object" || value === null) return value;

  const name = intrinsicName(value);
  if (name === undefined) {
    const entries = Object.entries(value).map(([key, item]) => [key, resolveIntrinsics(item, scope, where)]);
    return Object.fromEntries(entries.filter(([, item]) => isPresent(item)));
  }
  const intrinsic = intrinsics[name];
  if (!intrinsic) throw new Error(`${where}: the local runner does not know the intrinsic function ${name}.`);
  const argument = (value as Record<string, unknown>)[name];
  const resolve = (part: unknown) => resolveIntrinsics(part, scope, where);
  try {
    return intrinsic(argument, scope, resolve);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw message.startsWith(where) ? cause : new Error(`${where}: ${message}`, { cause });
  }
}

type Intrinsic = (argument: unknown, scope: IntrinsicScope, resolve: (part: unknown) => unknown) => unknown;

const intrinsics: Readonly<Record<string, Intrinsic>> = {
  Ref: (argument, scope) => scope.ref(asString(argument)),

  "Fn::GetAtt": (argument, scope) => {
    const [logicalId, ...name] = typeof argument === "string" ? argument.split(".") : asList(argument);
    return scope.attribute(asString(logicalId), name.map(asString).join("."));
  },

  "Fn::ImportValue": (argument, scope, resolve) => scope.importedValue(asString(resolve(argument))),

  "Fn::Join": (argument, _scope, resolve) => {
    const [delimiter, parts] = asList(argument);
    return asList(resolve(parts)).map(asString).join(asString(delimiter));
  },

  "Fn::Split": (argument, _scope, resolve) => {
    const [delimiter, text] = asList(argument);
    return asString(resolve(text)).split(asString(delimiter));
  },

  "Fn::Select": (argument, _scope, resolve) => {
    const [index, list] = asList(argument);
    const selected = asList(resolve(list))[Number(resolve(index))];
    if (selected === undefined) throw new Error(`Fn::Select has no element ${index}.`);
    return selected;
  },

  "Fn::Sub": (argument, scope, resolve) => {
    const [text, variables] = typeof argument === "string" ? [argument, {}] : asList(argument);
    const known = resolve(variables) as Readonly<Record<string, unknown>>;
    return asString(text).replace(/\$\{(!?)([^}]+)\}/g, (_match, literal: string, name: string) => {
      if (literal) return `\${${name}}`;
      if (Object.hasOwn(known, name)) return asString(known[name]);
      const [logicalId, ...attribute] = name.split(".");
      if (attribute.length === 0) return asString(scope.ref(name));
      return asString(scope.attribute(asString(logicalId), attribute.join(".")));
    });
  },
};

/** An object is a function call when its only key is `Ref` or starts with `Fn::`. */
function intrinsicName(value: object): string | undefined {
  const [key, ...others] = Object.keys(value);
  return key !== undefined && others.length === 0 && (key === "Ref" || key.startsWith("Fn::")) ? key : undefined;
}

function isPresent(value: unknown): boolean {
  return value !== undefined;
}

function asString(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw new Error(`expected a string instead of ${JSON.stringify(value)}.`);
}

function asList(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new Error(`expected a list instead of ${JSON.stringify(value)}.`);
  return value;
}
