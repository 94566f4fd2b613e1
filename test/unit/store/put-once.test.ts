import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { jest } from '@jest/globals';
import { putOnce } from '../../../shared/store/put-once.ts';
import { MemoryObjects } from '../../support/memory-objects.ts';
import { skipPauses } from '../../support/virtual-time.ts';

let objects: MemoryObjects;
beforeEach(() => {
  objects = new MemoryObjects();
  skipPauses();
});
afterEach(() => {
  jest.useRealTimers();
});

const put = (text: string) =>
  putOnce(objects.s3, { Bucket: 'b', Key: 'k', Body: Buffer.from(text), ContentType: 'text/plain' });
/** S3 refuses a conditional put of a key that another call is writing. */
const beingWritten = () => {
  throw Object.assign(new Error('conflict'), { name: 'ConditionalRequestConflict' });
};
const stored = () => objects.objects.get('b/k')?.bytes.toString();

describe('objects that are written once', () => {
  it('a new object is stored with its type', async () => {
    await put('one');
    expect(objects.objects.get('b/k')).toMatchObject({ type: 'text/plain' });
    expect(stored()).toBe('one');
  });

  it('an equal object that is there is accepted, another one is not overwritten', async () => {
    await put('one');
    await put('one');
    await expect(put('two')).rejects.toMatchObject({ name: 'ObjectTaken' });
    expect(stored()).toBe('one');
  });

  it('a put that meets another one is repeated until that one has ended', async () => {
    objects.beforePuts.push(beingWritten, beingWritten);
    await put('one');
    expect(stored()).toBe('one');
    expect(objects.mock.commandCalls(GetObjectCommand)).toHaveLength(0);
  });

  it('an object that a concurrent call writes is compared once it is there', async () => {
    objects.beforePuts.push(beingWritten, () => objects.objects.set('b/k', { bytes: Buffer.from('two') }));
    await expect(put('one')).rejects.toMatchObject({ name: 'ObjectTaken' });
    expect(stored()).toBe('two');
  });

  it('a put that meets others again and again fails with their conflict', async () => {
    objects.beforePuts.push(...Array(3).fill(beingWritten));
    await expect(put('one')).rejects.toMatchObject({ name: 'ConditionalRequestConflict' });
    await put('one');
    expect(stored()).toBe('one');
  });

  it('an object that cannot be compared is not accepted', async () => {
    await put('one');
    objects.mock.on(GetObjectCommand).resolves({});
    await expect(put('one')).rejects.toMatchObject({ name: 'ObjectTaken' });
  });

  it('other errors are thrown', async () => {
    objects.mock.on(PutObjectCommand).rejects(new Error('SlowDown'));
    await expect(put('one')).rejects.toThrow('SlowDown');
  });
});
