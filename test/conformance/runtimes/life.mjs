import { SignatureRequests, webhooks } from '@signature-requests/client';

/** One request from its creation to its sealed PDF, in lines for the test that runs this. */
export async function* life({ baseUrl, apiKey, file, webhook }) {
  const { signatureRequests } = new SignatureRequests({ baseUrl, apiKey });
  const { id, signers } = await signatureRequests.create({
    title: 'Lease agreement',
    signers: [{ email: 'ann@example.com', name: 'Ann Example' }],
    file,
    filename: 'lease.pdf',
  });
  yield `created ${id} ${signers[0].sign_url}`;

  const { status } = await signatureRequests.waitUntilSealed(id, { timeoutMs: 60_000 });
  yield `status ${status}`;

  // The client compares what it streams with the hash that the service told.
  let bytes = 0;
  for await (const chunk of (await signatureRequests.download(id)).stream) bytes += chunk.length;
  yield `document ${bytes}`;

  for await (const { id: listed } of signatureRequests.list({ status: 'signed', limit: 1 }))
    if (listed === id) yield 'listed';

  const { type } = await webhooks.verify(webhook.body, webhook.headers, webhook.secret);
  yield `webhook ${type}`;
  const forged = await webhooks
    .verify(`${webhook.body} `, webhook.headers, webhook.secret)
    .catch((error) => error);
  yield `webhook ${forged.code}`;

  const refusal = await signatureRequests.cancel(id).catch((error) => error);
  yield `error ${refusal.status} ${refusal.code}`;
}
