import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { putOnce } from '../../../shared/store/put-once.ts';
import { MemoryObjects } from '../../support/memory-objects.ts';

let objects: MemoryObjects;
beforeEach(() => {
  objects = new MemoryObjects();
});

const put = (text: string) =>
  putOnce(objects.s3, { Bucket: 'b', Key: 'k', Body: Buffer.from(text), ContentType: 'text/plain' });
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

  it('an object that a concurrent call writes is compared too', async () => {
    const failed = Object.assign(new Error('conflict'), { name: 'ConditionalRequestConflict' });
    objects.beforePuts.push(() => {
      objects.objects.set('b/k', { bytes: Buffer.from('two') });
      throw failed;
    });
    await expect(put('one')).rejects.toMatchObject({ name: 'ObjectTaken', cause: failed });
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
