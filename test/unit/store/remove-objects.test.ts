import { DeleteObjectsCommand, ListObjectVersionsCommand, S3Client } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { requestObjects } from '../../../shared/store/objects.ts';
import { removeObjects } from '../../../shared/store/remove-objects.ts';

const client = new S3Client({ region: 'eu-north-1' });
const s3 = mockClient(client);
/** The versions in the bucket, as `key version`. */
let stored: string[];
let deletions: number;

const identified = (text: string) => {
  const [Key, VersionId] = text.split(' ');
  return { Key, VersionId };
};

beforeEach(() => {
  s3.reset();
  deletions = 0;
  stored = [
    'requests/r1/original.pdf v1',
    'requests/r1/original.pdf v2',
    'requests/r1/original.pdf marker',
    'requests/r1/sealed.pdf v1',
    'requests/r10/original.pdf v1',
  ];
  s3.on(ListObjectVersionsCommand).callsFake(({ Prefix }) => {
    const page = stored.filter((text) => text.startsWith(Prefix)).slice(0, 3);
    return {
      Versions: page.filter((text) => !text.endsWith('marker')).map(identified),
      DeleteMarkers: page.filter((text) => text.endsWith('marker')).map(identified),
    };
  });
  s3.on(DeleteObjectsCommand).callsFake(({ Delete }) => {
    deletions += 1;
    const gone = Delete.Objects.map(({ Key, VersionId }: Record<string, string>) => `${Key} ${VersionId}`);
    stored = stored.filter((text) => !gone.includes(text));
    return {};
  });
});

describe('removing objects', () => {
  it('every version of a request’s objects is removed, and nothing of other requests', async () => {
    await removeObjects(client, 'documents', requestObjects('r1'));
    expect(stored).toEqual(['requests/r10/original.pdf v1']);
    expect(deletions).toBe(2);
  });

  it('a request without objects needs no deletion', async () => {
    s3.on(ListObjectVersionsCommand).resolves({});
    await removeObjects(client, 'documents', requestObjects('r1'));
    expect(deletions).toBe(0);
  });

  it('objects that cannot be removed are an error', async () => {
    s3.on(DeleteObjectsCommand).resolves({ Errors: [{ Key: 'k', Code: 'AccessDenied' }] });
    await expect(removeObjects(client, 'documents', requestObjects('r1'))).rejects.toThrow('AccessDenied');
  });
});
