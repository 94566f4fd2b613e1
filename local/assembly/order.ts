/** The order of creation: each resource after those it refers to. */
import { namesInSubstitution } from './resolve.ts';
import {
  describe,
  isObject,
  type Json,
  StackError,
  type Template,
  type TemplateResource,
} from './template.ts';

export function creationOrder(template: Template, exists: (id: string) => boolean): string[] {
  const order: string[] = [];
  const state = new Map<string, 'open' | 'done'>();

  const visit = (id: string, trail: string[]): void => {
    if (state.get(id) === 'done') return;
    if (state.get(id) === 'open') {
      throw new StackError(
        `These resources have circular references: ${[...trail.slice(trail.indexOf(id)), id].join(' → ')}.`,
      );
    }
    const resource = template.Resources[id];
    if (!resource) return;
    state.set(id, 'open');
    for (const other of dependencies(id, resource, template)) {
      if (exists(other)) visit(other, [...trail, id]);
    }
    state.set(id, 'done');
    order.push(id);
  };
  for (const id of Object.keys(template.Resources)) if (exists(id)) visit(id, []);
  return order;
}

/** The ids that a resource refers to, including pseudo parameters. */
export function dependencies(id: string, resource: TemplateResource, template: Template): Set<string> {
  const found = new Set<string>([resource.DependsOn ?? []].flat());
  collectReferences(resource.Properties ?? {}, found);
  for (const name of found) {
    if (!(name in template.Resources) && !name.startsWith('AWS::'))
      throw new StackError(`${describe(id, resource)} refers to ${name}, which is not part of the template.`);
  }
  return found;
}

function collectReferences(value: Json, found: Set<string>): void {
  if (Array.isArray(value)) {
    for (const item of value) collectReferences(item, found);
    return;
  }
  if (!isObject(value)) return;
  for (const [key, item] of Object.entries(value)) {
    if (key === 'Ref' && typeof item === 'string') found.add(item);
    else if (key === 'Fn::GetAtt' && Array.isArray(item)) found.add(String(item[0]));
    else if (key === 'Fn::Sub') for (const name of namesInSubstitution(item)) found.add(name);
    else collectReferences(item, found);
  }
}
