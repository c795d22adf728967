// Names of types.

/** `webhook_url` becomes `WebhookUrl`. */
export function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|_)([a-z0-9])/gi, (_, first: string) => first.toUpperCase());
}
