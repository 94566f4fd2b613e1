/** Finds the method of a request, with API Gateway's precedence: static part, then `{name}`, then `{name+}`. */
import type { ApiPlan, MethodPlan } from '../assembly/plan.ts';

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
    const node = find(this.#root, segmentsOf(path), pathParameters);
    const method = node?.methods.get(httpMethod) ?? node?.methods.get('ANY');
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

function find(node: Node, segments: string[], parameters: Record<string, string>): Node | undefined {
  const [segment, ...others] = segments;
  if (segment === undefined) return node;
  const fixed = node.statics.get(segment);
  if (fixed) return find(fixed, others, parameters);
  if (node.parameter) {
    const found = find(node.parameter.node, others, parameters);
    if (found) {
      parameters[node.parameter.name] = decoded(segment);
      return found;
    }
  }
  if (!node.rest) return undefined;
  parameters[node.rest.name] = decoded(segments.join('/'));
  return node.rest.node;
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function emptyNode(): Node {
  return { statics: new Map(), parameter: undefined, rest: undefined, methods: new Map() };
}
