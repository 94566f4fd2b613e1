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
  const found = new Set([...[resource.DependsOn ?? []].flat(), ...references(resource.Properties ?? {})]);
  for (const name of found) {
    if (!(name in template.Resources) && !name.startsWith('AWS::'))
      throw new StackError(`${describe(id, resource)} refers to ${name}, which is not part of the template.`);
  }
  return found;
}

function* references(value: Json): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield* references(item);
  else if (isObject(value))
    for (const [key, item] of Object.entries(value)) yield* referenced(key, item) ?? references(item);
}

/** The names in an intrinsic function; undefined for any other member. */
function referenced(key: string, value: Json): Iterable<string> | undefined {
  if (key === 'Ref' && typeof value === 'string') return [value];
  if (key === 'Fn::GetAtt' && Array.isArray(value)) return [String(value[0])];
  return key === 'Fn::Sub' ? namesInSubstitution(value) : undefined;
}
