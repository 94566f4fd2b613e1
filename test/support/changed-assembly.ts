import { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assemblyFolder } from './run-folder.ts';

export interface Resource {
  Type: string;
  Properties: Record<string, unknown>;
}

/** Changes a resource of the template, or returns false. */
export type Change = (resource: Resource, id: string) => boolean;

export function copyOfAssembly(): string {
  const folder = mkdtempSync(join(tmpdir(), 'assembly-'));
  cpSync(assemblyFolder(), folder, { recursive: true });
  return folder;
}

/** The stack with other templates. Throws if the change fits no resource. */
export function assemblyWith(change: Change, folder = copyOfAssembly()): string {
  let isChanged = false;
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.template.json'))) {
    const template = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    for (const [id, resource] of Object.entries<Resource>(template.Resources))
      isChanged = change(resource, id) || isChanged;
    writeFileSync(join(folder, file), JSON.stringify(template));
  }
  if (!isChanged) throw new Error('The change fits no resource.');
  return folder;
}
