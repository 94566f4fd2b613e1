import { open, rename, rm } from 'node:fs/promises';
import { command } from './command.ts';
import { wrongUsage } from './problem.ts';
import { withProgress } from './progress.ts';

export const download = command({
  name: 'download',
  summary: 'Download the sealed PDF, compared with its hash',
  args: ['ID'],
  options: {
    output: {
      type: 'string',
      short: 'o',
      value: 'FILE',
      help: 'Where to; by default ID.pdf, if there is none',
    },
    evidence: { type: 'boolean', help: 'The evidence file instead' },
    'audit-trail': { type: 'boolean', help: 'The audit trail instead' },
    archival: { type: 'boolean', help: 'With the newest timestamps of an archive' },
  },
  run: async ([id = ''], options, world) => {
    const { output, evidence = false, 'audit-trail': isTrail = false, archival = false } = options;
    if (evidence && isTrail) throw wrongUsage('Give --evidence or --audit-trail, not both.');
    if (archival && isTrail) throw wrongUsage('The audit trail has no archival form.');
    const form = archival ? 'archival' : undefined;
    const { signatureRequests } = await world.client();
    const file = output ?? `${id}${evidence ? '-evidence' : isTrail ? '-audit-trail' : ''}.pdf`;
    const { stream } = await (evidence
      ? signatureRequests.downloadEvidence(id, { form })
      : isTrail
        ? signatureRequests.downloadAuditTrail(id)
        : signatureRequests.download(id, { form }));
    const bytes = await withProgress('Downloading', world, save(stream, file, output !== undefined));
    return { text: `${file}, ${bytes} bytes`, json: { file, bytes } };
  },
});

/** The file appears when it is whole and right. Only one that was named is replaced. */
async function save(stream: ReadableStream<Uint8Array>, file: string, mayReplace: boolean): Promise<number> {
  const part = mayReplace ? `${file}.part` : file;
  const handle = await open(part, mayReplace ? 'w' : 'wx').catch(async (error: unknown) => {
    // An open connection would keep the command running.
    await stream.cancel();
    throw error;
  });
  let bytes = 0;
  try {
    const reader = stream.getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      await handle.write(read.value);
      bytes += read.value.length;
    }
    if (mayReplace) await rename(part, file);
    return bytes;
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}
