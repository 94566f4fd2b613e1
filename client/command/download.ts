import { constants, lstatSync, statSync } from 'node:fs';
import { copyFile, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { command, type World } from './command.ts';
import { fileProblem, ofFile, Problem, untilStopped, wrongUsage } from './problem.ts';
import { withProgress } from './progress.ts';

const STDOUT = '-';

export const download = command({
  name: 'download',
  summary: 'Download the sealed PDF, compared with its hash',
  args: ['ID'],
  options: {
    output: {
      type: 'string',
      short: 'o',
      value: 'FILE',
      help: 'Where to save it, - for standard output; by default ID.pdf, unless that exists',
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
    const file = output ?? `${id}${evidence ? '-evidence' : isTrail ? '-audit-trail' : ''}.pdf`;
    if (file === STDOUT) assertPiped(world);
    else assertFree(file, output !== undefined);
    const { signatureRequests } = await world.client();
    // So that the partial file is removed.
    const signal = untilStopped('The download was interrupted.');
    const opened = await (evidence
      ? signatureRequests.downloadEvidence(id, { form, signal })
      : isTrail
        ? signatureRequests.downloadAuditTrail(id, { signal })
        : signatureRequests.download(id, { form, signal }));
    if (file === STDOUT) {
      // Only a whole file that matches its hash is printed.
      process.stdout.write(await opened.bytes());
      return undefined;
    }
    const saving = save(opened.stream, file, output !== undefined);
    const bytes = await withProgress('Downloading', world, saving);
    return { text: `${file}, ${bytes} bytes`, json: { file, bytes } };
  },
});

function assertPiped({ isTerminal }: World): void {
  if (isTerminal) throw wrongUsage('A terminal cannot show a PDF: send it through a pipe, or name a file.');
}

/** Only a regular file that --output names may be replaced: never a pipe or device, which root could overwrite. */
function assertFree(file: string, isNamed: boolean): void {
  if (file === '') throw wrongUsage('--output names no file.');
  const folder = dirname(file);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new Problem(`There is no folder ${folder}.`);
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found && !isNamed) throw fileProblem(file, 'EEXIST');
  if (found && !found.isFile()) throw new Problem(`${file} is not a regular file, so it is not replaced.`);
}

/** Writes to a temporary file first, so that the file appears only when it is complete and verified. */
async function save(stream: ReadableStream<Uint8Array>, file: string, mayReplace: boolean): Promise<number> {
  // Includes the process id, so that two runs do not write to one file.
  const part = `${file}.${process.pid}.part`;
  try {
    const bytes = await write(stream, part);
    if (mayReplace) await rename(part, file);
    // Not every file system has hard links.
    else await copyFile(part, file, constants.COPYFILE_EXCL);
    return bytes;
  } catch (error) {
    throw ofFile(file, error);
  } finally {
    await rm(part, { force: true });
  }
}

async function write(stream: ReadableStream<Uint8Array>, file: string): Promise<number> {
  const handle = await open(file, 'w').catch(async (error: unknown) => {
    // An open connection would keep the command running.
    await stream.cancel();
    throw error;
  });
  const reader = stream.getReader();
  let bytes = 0;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      await handle.writeFile(read.value);
      bytes += read.value.length;
    }
  } catch (error) {
    // It would keep the command running.
    await reader.cancel(error).catch(() => undefined);
    throw error;
  } finally {
    await handle.close();
  }
  return bytes;
}
