/** `publish-event` → `PublishEvent`: the CDK's convention for construct ids. */
export const pascalCase = (name: string): string =>
  name.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
