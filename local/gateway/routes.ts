/** Finds the method of a request, with API Gateway's precedence: static part, then `{name}`, then `{name+}`. */
import type { ApiPlan, MethodPlan } from '../assembly/plan.ts';
import { orUndefined } from '../or-undefined.ts';

export interface Route {
  method: MethodPlan;
  pathParameters: Record<string, string>;
}

interface Node {
  statics: Map<string, Node>;
  parameter: { name: string; node: Node } | undefined;
  rest: { name: string; node: Node } | undefined;
  methods: Map<string, MethodPlan>;
}

export class Routes {
  readonly #root = emptyNode();

  constructor(api: ApiPlan) {
    for (const path of api.resourcePaths.values()) this.#nodeFor(path);
    for (const method of api.methods)
      this.#nodeFor(method.resourcePath).methods.set(method.httpMethod, method);
  }

  match(httpMethod: string, path: string): Route | undefined {
    const pathParameters: Record<string, string> = {};
    const method = find(httpMethod, this.#root, segmentsOf(path), pathParameters);
    return method && { method, pathParameters };
  }

  #nodeFor(path: string): Node {
    let node = this.#root;
    for (const segment of segmentsOf(path)) {
      const [, name, greedy] = /^\{([^+}]+)(\+?)\}$/.exec(segment) ?? [];
      if (name === undefined) {
        const next = node.statics.get(segment) ?? emptyNode();
        node.statics.set(segment, next);
        node = next;
      } else if (greedy) {
        node.rest ??= { name, node: emptyNode() };
        node = node.rest.node;
      } else {
        node.parameter ??= { name, node: emptyNode() };
        node = node.parameter.node;
      }
    }
    return node;
  }
}

/** The most specific resource that has the method. */
function find(
  httpMethod: string,
  node: Node | undefined,
  [segment, ...others]: string[],
  parameters: Record<string, string>,
): MethodPlan | undefined {
  if (!node) return undefined;
  if (segment === undefined) return methodOf(node, httpMethod);
  const { statics, parameter, rest } = node;
  const literal = find(httpMethod, statics.get(segment), others, parameters);
  if (literal) return literal;
  const one = find(httpMethod, parameter?.node, others, parameters);
  if (parameter && one) parameters[parameter.name] = decoded(segment);
  if (one || !rest) return one;
  const all = methodOf(rest.node, httpMethod);
  if (all) parameters[rest.name] = decoded([segment, ...others].join('/'));
  return all;
}

const methodOf = ({ methods }: Node, httpMethod: string): MethodPlan | undefined =>
  methods.get(httpMethod) ?? methods.get('ANY');

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}

const decoded = (text: string): string => orUndefined(() => decodeURIComponent(text)) ?? text;

function emptyNode(): Node {
  return { statics: new Map(), parameter: undefined, rest: undefined, methods: new Map() };
}
