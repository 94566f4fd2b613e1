import type { Snapshot, SnapshotRequest, StoredObject } from '../snapshot.ts';
import { eventsOf, groupBy, type Violation, violation } from './violation.ts';

const folderOf = ({ id }: Pick<SnapshotRequest, 'id'>) => `requests/${id}/`;

function neededBy(request: SnapshotRequest): string[] {
  const { state, signers } = request;
  if (state.purgedAt) return [];
  const folder = folderOf(request);
  return [
    `${folder}original.pdf`,
    ...signers.flatMap(({ signature }) => (signature?.type === 'drawn' ? [signature.value] : [])),
    ...(state.status === 'signed' ? [`${folder}sealed.pdf`, `${folder}evidence.pdf`] : []),
  ];
}

/** The hashes of each file by who states them. */
function hashesOf(request: SnapshotRequest, { receivers }: Snapshot) {
  const created = eventsOf(request, 'request_created')[0]?.details;
  const sealed = eventsOf(request, 'document_sealed')[0]?.details;
  const told = receivers.flatMap(({ deliveries }) =>
    deliveries
      .filter(({ type, requestId }) => type === 'signature_request.completed' && requestId === request.id)
      .map(({ data }) => ['a webhook', data.document_hash] as const),
  );
  return {
    'original.pdf': [
      ['the request', request.content.documentSha256],
      ['its trail', created?.document_sha256],
      ...eventsOf(request, 'signer_signed').map(
        ({ details }) => ['a signer', details.document_sha256] as const,
      ),
    ],
    'sealed.pdf': [
      ['the request', request.state.documentHash],
      ['its trail', sealed?.document_hash],
      ['the API', request.answer.document_hash],
      ...told,
    ],
    'evidence.pdf': [
      ['the request', request.state.evidenceHash],
      ['its trail', sealed?.evidence_hash],
    ],
  } as const;
}

function checkHashes(request: SnapshotRequest, snapshot: Snapshot, files: StoredObject[]): Violation[] {
  return Object.entries(hashesOf(request, snapshot)).flatMap(([name, stated]) => {
    const file = files.find(({ key }) => key === folderOf(request) + name);
    if (!file || (name !== 'original.pdf' && request.state.status !== 'signed')) return [];
    return stated.flatMap(([who, hash]) =>
      hash === file.sha256 ? [] : [violation('hashes differ', request, `${name}, as ${who} states it`)],
    );
  });
}

/** One original, one seal and one evidence file, each as everyone states it; nothing else is left lying. */
export function checkFiles(snapshot: Snapshot): Violation[] {
  const { objects, requests } = snapshot;
  const byFolder = groupBy(objects, ({ key }) => `${key.split('/').slice(0, 2).join('/')}/`);
  const known = new Set(requests.map(folderOf));
  return [
    ...requests.flatMap((request) => {
      const files = byFolder.get(folderOf(request)) ?? [];
      const needed = neededBy(request);
      const missing = needed.filter((name) => !files.some(({ key }) => key === name));
      return [
        ...missing.map((key) => violation('missing file', request, key)),
        ...files.flatMap(({ key, versions, seals }) => [
          ...(needed.includes(key) ? [] : [violation('stray file', request, key)]),
          ...(versions > 1 ? [violation('doubled file', request, `${key}, ${versions} versions`)] : []),
          ...(/(sealed|evidence)\.pdf$/.test(key) && seals !== 1
            ? [violation('doubled seal', request, `${key} has ${seals} signatures`)]
            : []),
        ]),
        ...checkHashes(request, snapshot, files),
      ];
    }),
    ...[...byFolder]
      .filter(([folder]) => !known.has(folder))
      .map(([folder]) => violation('stray file', { id: folder }, 'no request has this folder')),
  ];
}
