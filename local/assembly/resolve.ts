/** Evaluates the intrinsic functions of CloudFormation that the CDK writes for stacks of this kind. */
import { isObject, type Json, StackError } from './template.ts';

/** The values of references in a stack. */
export interface Scope {
  ref(id: string): Json;
  attribute(id: string, name: string): Json;
  mapping(map: string, first: string, second: string): Json | undefined;
}

type Intrinsic = (argument: Json, scope: Scope) => Json;

export function resolve(value: Json, scope: Scope): Json {
  if (Array.isArray(value)) return value.map((item) => resolve(item, scope));
  if (!isObject(value)) return value;
  const entries = Object.entries(value);
  const [only] = entries;
  if (only && entries.length === 1 && isIntrinsic(only[0])) {
    const intrinsic = INTRINSICS[only[0]];
    if (!intrinsic) throw new StackError(`${only[0]} is not implemented by the local cloud.`);
    return intrinsic(only[1], scope);
  }
  return Object.fromEntries(entries.map(([key, item]) => [key, resolve(item, scope)]));
}

const isIntrinsic = (key: string): boolean => key === 'Ref' || key.startsWith('Fn::');

const INTRINSICS: Record<string, Intrinsic> = {
  Ref: (argument, scope) => scope.ref(text(argument)),
  'Fn::GetAtt': (argument, scope) => {
    const [id = '', name = ''] = list(argument, 2).map(text);
    return scope.attribute(id, name);
  },
  'Fn::Sub': (argument, scope) =>
    text(argument).replaceAll(REFERENCE, (_whole, name: string) => text(scope.ref(name))),
  'Fn::Join': (argument, scope) => {
    const [separator, items = []] = list(argument, 2);
    return list(resolve(items, scope)).map(text).join(text(separator));
  },
  'Fn::Select': (argument, scope) => {
    const [index, items = []] = list(argument, 2);
    const chosen = list(resolve(items, scope))[Number(index)];
    if (chosen === undefined) throw new StackError(`Fn::Select has no item ${JSON.stringify(index)}.`);
    return chosen;
  },
  'Fn::Split': (argument, scope) => {
    const [separator, source = ''] = list(argument, 2);
    return text(resolve(source, scope)).split(text(separator));
  },
  'Fn::FindInMap': (argument, scope) => {
    const [map = '', first = '', second = ''] = list(resolve(argument, scope), 3).map(text);
    const found = scope.mapping(map, first, second);
    if (found === undefined)
      throw new StackError(`Fn::FindInMap finds nothing at ${map}.${first}.${second}.`);
    return found;
  },
  'Fn::Equals': (argument, scope) => {
    const [left, right] = list(resolve(argument, scope), 2);
    return JSON.stringify(left) === JSON.stringify(right);
  },
};

/** A reference in the text of a Fn::Sub. */
const REFERENCE = /\$\{([^}]+)\}/g;

export const namesInSubstitution = (argument: Json): string[] =>
  [...text(argument).matchAll(REFERENCE)].map(([, name = '']) => name);

function text(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new StackError(`The template has ${JSON.stringify(value)} instead of a text.`);
}

function list(value: Json, length?: number): Json[] {
  if (!Array.isArray(value))
    throw new StackError(`The template has ${JSON.stringify(value)} instead of a list.`);
  if (length !== undefined && value.length !== length) {
    throw new StackError(`The template has ${JSON.stringify(value)} instead of a list of ${length} items.`);
  }
  return value;
}
