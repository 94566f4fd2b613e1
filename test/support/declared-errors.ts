import { ENDPOINTS } from '../../shared/contract/endpoints.ts';
import { errorsOf } from '../../shared/contract/openapi/errors.ts';

const ROUTES = ENDPOINTS.map((endpoint) => ({
  method: endpoint.method,
  path: new RegExp(`^${endpoint.path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
  errors: errorsOf(endpoint),
  /** The dashboard calls the client API with a session, of which the reference for keys does not speak. */
  errorsOfSession: [...errorsOf(endpoint), ...errorsOf({ ...endpoint, access: 'app_admin' })],
}));

/** Throws for an error that the contract does not declare for its endpoint: the reference would lack it. */
export async function assertDeclared(method: string, bySession: boolean, answer: Response): Promise<void> {
  const isError = answer.status >= 400 && answer.headers.get('content-type')?.startsWith('application/json');
  const { pathname } = new URL(answer.url);
  const route = ROUTES.find((each) => each.method === method && each.path.test(pathname));
  if (!isError || !route) return;
  const { error } = (await answer.clone().json()) as { error: string };
  const declared = bySession ? route.errorsOfSession : route.errors;
  if (!declared.some((code) => code === error))
    throw new Error(
      `${method} ${pathname} answered ${answer.status} ${error}, which its endpoint does not declare.`,
    );
}
