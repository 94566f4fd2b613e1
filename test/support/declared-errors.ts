import { ENDPOINTS } from '../../shared/contract/endpoints.ts';
import { codesByStatus } from '../../shared/contract/openapi/errors.ts';

const ROUTES = ENDPOINTS.map((endpoint) => ({
  method: endpoint.method,
  path: new RegExp(`^${endpoint.path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
  declared: codesByStatus(endpoint),
  /** The dashboard calls the client API with a session, of which the reference for keys does not speak. */
  declaredForSession: codesByStatus({ ...endpoint, access: 'app_admin' }),
}));

/** Throws for an error that the contract does not declare for its endpoint with this status: the reference would lack it. */
export async function assertDeclared(method: string, bySession: boolean, answer: Response): Promise<void> {
  const isError = answer.status >= 400 && answer.headers.get('content-type')?.startsWith('application/json');
  const { pathname } = new URL(answer.url);
  const route = ROUTES.find((each) => each.method === method && each.path.test(pathname));
  if (!isError || !route) return;
  const { error } = (await answer.clone().json()) as { error: string };
  const tables = bySession ? [route.declared, route.declaredForSession] : [route.declared];
  if (!tables.some((table) => table[answer.status]?.some((code) => code === error)))
    throw new Error(
      `${method} ${pathname} answered ${answer.status} ${error}, which its endpoint does not declare.`,
    );
}
