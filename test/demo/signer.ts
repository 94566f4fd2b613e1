import type { Run } from './run.ts';

/** Signs as a signer does, with the link and the code of the mail. */
export async function signByMail(run: Run, address: string): Promise<void> {
  const mail = await run.mailTo(address);
  const token = /\/sign\/([\w-]+)/.exec(mail)?.[1] ?? '';
  const code = /\b\d{6}\b/.exec(mail)?.[0] ?? '';
  let cookie = '';
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${run.baseUrl}/api/signing/v1${path}`, {
      method,
      headers: {
        'x-signing-token': token,
        ...(cookie && { cookie }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok)
      throw new Error(`${method} ${path} was answered ${response.status}: ${await response.text()}`);
    cookie ||= response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    return response;
  };

  await call('POST', '/open');
  const { document, consent, signer } = await (await call('POST', '/verify', { code })).json();
  await (await call('GET', '/document')).arrayBuffer();
  await call('POST', '/sign', {
    document_sha256: document.sha256,
    consent_version: consent.version,
    consent_locale: consent.locale,
    name: signer.name,
    signature: { type: 'typed', text: signer.name },
  });
}
