/** Evaluates CloudFormation's intrinsic functions. */
import { isObject, type Json, StackError } from './template.ts';

/** The values of references and conditions in one stack. */
export interface Scope {
  ref(id: string): Json | undefined;
  attribute(id: string, name: string): Json;
  condition(name: string): boolean;
  mapping(map: string, first: string, second: string): Json | undefined;
  imported(name: string): Json;
  region: string;
}

type Intrinsic = (argument: Json, scope: Scope) => Json | undefined;

/** Evaluates all intrinsic functions in a value. Undefined is AWS::NoValue: the property is omitted. */
export function resolve(value: Json, scope: Scope): Json | undefined {
  if (Array.isArray(value))
    return value.map((item) => resolve(item, scope)).filter((item) => item !== undefined);
  if (!isObject(value)) return value;
  const entries = Object.entries(value);
  const [only] = entries;
  if (only && entries.length === 1 && isIntrinsic(only[0])) {
    const intrinsic = INTRINSICS[only[0]];
    if (!intrinsic) throw new StackError(`${only[0]} is not implemented by the local cloud.`);
    return intrinsic(only[1], scope);
  }
  const result: Record<string, Json> = {};
  for (const [key, item] of entries) {
    const resolved = resolve(item, scope);
    if (resolved !== undefined) result[key] = resolved;
  }
  return result;
}

function isIntrinsic(key: string): boolean {
  return key === 'Ref' || key === 'Condition' || key.startsWith('Fn::');
}

const INTRINSICS: Record<string, Intrinsic> = {
  Ref: (argument, scope) => scope.ref(text(argument)),
  Condition: (argument, scope) =>
    typeof argument === 'string'
      ? scope.condition(argument)
      : { Condition: resolve(argument, scope) ?? null },
  'Fn::GetAtt': (argument, scope) => {
    const [id, ...path] = Array.isArray(argument)
      ? argument.map((part) => text(resolve(part, scope)))
      : text(argument).split('.');
    return scope.attribute(id ?? '', path.join('.'));
  },
  'Fn::Sub': (argument, scope) => substitute(argument, scope),
  'Fn::Join': (argument, scope) => {
    const [separator, items] = list(argument, 2);
    return list(resolve(items ?? [], scope))
      .map(text)
      .join(text(separator));
  },
  'Fn::Select': (argument, scope) => {
    const [index, items] = list(argument, 2);
    const chosen = list(resolve(items ?? [], scope))[Number(resolve(index ?? 0, scope))];
    if (chosen === undefined) throw new StackError(`Fn::Select has no item ${JSON.stringify(index)}.`);
    return chosen;
  },
  'Fn::Split': (argument, scope) => {
    const [separator, source] = list(argument, 2);
    return text(resolve(source ?? '', scope)).split(text(separator));
  },
  'Fn::ImportValue': (argument, scope) => scope.imported(text(resolve(argument, scope))),
  'Fn::FindInMap': (argument, scope) => {
    const [map = '', first = '', second = ''] = list(resolve(argument, scope)).map(text);
    const found = scope.mapping(map, first, second);
    if (found === undefined)
      throw new StackError(`Fn::FindInMap finds nothing at ${map}.${first}.${second}.`);
    return found;
  },
  'Fn::Base64': (argument, scope) => Buffer.from(text(resolve(argument, scope))).toString('base64'),
  'Fn::GetAZs': (_argument, scope) => ['a', 'b', 'c'].map((zone) => scope.region + zone),
  'Fn::If': (argument, scope) => {
    const [name, yes, no] = list(argument, 3);
    return resolve((scope.condition(text(name)) ? yes : no) ?? null, scope);
  },
  'Fn::Equals': (argument, scope) => {
    const [left, right] = list(resolve(argument, scope), 2);
    return JSON.stringify(left) === JSON.stringify(right);
  },
  'Fn::And': (argument, scope) => list(resolve(argument, scope)).every((item) => item === true),
  'Fn::Or': (argument, scope) => list(resolve(argument, scope)).some((item) => item === true),
  'Fn::Not': (argument, scope) => list(resolve(argument, scope), 1)[0] !== true,
};

function substitute(argument: Json, scope: Scope): string {
  const [template, variables] = Array.isArray(argument) ? argument : [argument, {}];
  const given = isObject(variables) ? variables : {};
  return text(template).replaceAll(/\$\{(!?)([^}]*)\}/g, (_whole, literal: string, name: string) => {
    if (literal) return `\${${name}}`;
    if (name in given) return text(resolve(given[name] ?? '', scope));
    return text(resolve(name.includes('.') ? { 'Fn::GetAtt': name } : { Ref: name }, scope));
  });
}

/** The `${name}` references of a Fn::Sub, without its own variables. */
export function namesInSubstitution(argument: Json): string[] {
  const [template, variables] = Array.isArray(argument) ? argument : [argument, {}];
  const given = isObject(variables) ? variables : {};
  return [...text(template).matchAll(/\$\{([^!}][^}]*)\}/g)]
    .map((match) => match[1] ?? '')
    .filter((name) => !(name in given));
}

function text(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new StackError(`The template has ${JSON.stringify(value)} instead of a text.`);
}

function list(value: Json | undefined, length?: number): Json[] {
  if (!Array.isArray(value))
    throw new StackError(`The template has ${JSON.stringify(value)} instead of a list.`);
  if (length !== undefined && value.length !== length) {
    throw new StackError(`The template has ${JSON.stringify(value)} instead of a list of ${length} items.`);
  }
  return value;
}
