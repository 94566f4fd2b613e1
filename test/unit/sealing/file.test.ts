import { inflate } from '../../../shared/sealing/inflate.ts';
import { Budget } from '../../../shared/sealing/pdf/budget.ts';
import { PdfFile } from '../../../shared/sealing/pdf/file.ts';
import { PdfRefusal } from '../../../shared/sealing/pdf/refusal.ts';
import { PdfArray, PdfDict, type PdfObject, PdfRef, PdfStream } from '../../../shared/sealing/pdf/values.ts';
import { type Crafted, craft, hybrid, ONE_PAGE, objectStream, relist, revise } from './craft.ts';
import { replaced } from './inspected.ts';

const open = (pdf: Uint8Array): PdfFile => new PdfFile(pdf, new Budget(inflate));
const withObjects = (objects: Record<string, string>, how: Partial<Crafted> = {}): PdfFile =>
  open(craft({ ...how, objects: { ...ONE_PAGE, ...objects } }));

const ref = (num: number, gen = 0): PdfRef => new PdfRef(num, gen);
const textOf = (object: PdfObject): string =>
  object instanceof PdfDict || object instanceof PdfArray
    ? Buffer.from(object.source.subarray(object.from, object.to)).toString('latin1')
    : String(object);

function refusalOf(read: () => unknown): string {
  try {
    read();
    return 'none';
  } catch (error) {
    return error instanceof PdfRefusal ? `${error.code}: ${error.detail}` : String(error);
  }
}

const objStm = (data: string, entries: string): string =>
  `<</Type /ObjStm ${entries} /Length ${data.length}>>\nstream\n${data}\nendstream`;
/** A file whose objects from 4 on are in object stream 9, which has this text. */
function packing(data: string, entries: string, objects = 1, container = '9'): PdfFile {
  const pdf = craft({ objects: { ...ONE_PAGE, [container]: objStm(data, entries) }, size: 20 });
  return open(
    relist(
      pdf,
      Array.from({ length: objects }, (_, index) => [4 + index, 9, index]),
    ),
  );
}

describe('a file', () => {
  it('a file begins with a header that states its version', () => {
    expect(withObjects({})).toMatchObject({ headerAt: 0, headerVersion: '1.7' });
    expect(withObjects({}, { junk: 'junk\n' })).toMatchObject({ headerAt: 5, headerVersion: '1.7' });
    expect(refusalOf(() => open(Buffer.from('text')))).toBe('not_a_pdf: no %PDF- header');
  });

  it('an encrypted file is refused', () => {
    expect(refusalOf(() => withObjects({}, { trailer: '/Encrypt <<>>' }))).toMatch(/^pdf_encrypted: /);
  });

  it('offsets count from the header if bytes precede it', () => {
    expect(textOf(withObjects({ 4: '(four)' }, { junk: 'junk\n' }).object(ref(3)))).toBe(ONE_PAGE[3]);
  });
});

describe('an object', () => {
  it.each([
    ['in a file with a table', {}],
    ['in a file with a cross-reference stream', { style: 'stream' as const }],
    ['in an object stream', { style: 'stream' as const, packed: [3] }],
  ])('an object is found by its number %s', (_, how) => {
    expect(textOf(withObjects({}, how).object(ref(3)))).toBe(ONE_PAGE[3]);
  });

  it('a missing or free object is null', () => {
    const file = withObjects({});
    expect([file.object(ref(8)), file.object(ref(0))]).toEqual([null, null]);
    expect(file.unclear).toBeNull();
    expect([...file.deleted]).toEqual([0]);
  });

  it('an object under another generation is null, and the file is noted as unclear', () => {
    for (const [objects, num, own, other] of [
      [{ 4: '7' }, 4, 0, 1],
      [{ '4 3': '7' }, 4, 3, 0],
    ] as const) {
      const file = withObjects(objects);
      expect(file.object(ref(num, own))).toBe(7);
      expect(file.unclear).toBeNull();
      expect(file.object(ref(num, other))).toBeNull();
      expect(file.unclear).toBe('it refers to other generations of its objects');
    }
    const packed = withObjects({ 4: '7' }, { style: 'stream', packed: [4] });
    expect([packed.object(ref(4)), packed.object(ref(4, 1))]).toEqual([7, null]);
    expect(packed.unclear).toBe('it refers to other generations of its objects');
  });

  it('an object is refused if its offset leads to another number or generation, or to nothing', () => {
    const pdf = craft({ objects: { ...ONE_PAGE, 4: '7' } });
    for (const other of ['5 0 obj', '4 1 obj', '4 0 abj', '-4 0 obj'])
      expect(refusalOf(() => open(replaced(pdf, '4 0 obj', other)).object(ref(4)))).toBe(
        'pdf_damaged: object 4 is not where the cross-reference says',
      );
  });

  it('only a dictionary, which could be that of a stream, needs an endobj', () => {
    const pdf = craft({ objects: { ...ONE_PAGE, 4: '7', 5: '<</A 1>>' } });
    expect(open(replaced(pdf, '7\nendobj', '7\nendabj')).object(ref(4))).toBe(7);
    expect(open(replaced(pdf, '7\nendobj', '7endobj ')).object(ref(4))).toBe(7);
    const endless = open(replaced(pdf, '<</A 1>>\nendobj', '<</A 1>>\nendabj'));
    expect(refusalOf(() => endless.object(ref(5)))).toMatch(/^pdf_damaged: no stream at /);
  });

  it('a dictionary followed by data is a stream', () => {
    const file = withObjects({
      4: '<</Length 3>>\nstream\nabc\nendstream',
      5: '<</Length 6 0 R>> stream\r\nabcendstream',
      6: '3',
    });
    for (const num of [4, 5]) {
      const stream = file.object(ref(num));
      if (!(stream instanceof PdfStream)) throw new Error('no stream');
      expect(Buffer.from(file.streamData(stream)).toString()).toBe('abc');
      expect(Buffer.from(file.decodedData(stream)).toString()).toBe('abc');
    }
  });

  it('the newest object of a number counts', () => {
    const pdf = revise(craft({ objects: { ...ONE_PAGE, 4: '7' } }), { objects: { 4: '8' } });
    expect(open(pdf).object(ref(4))).toBe(8);
  });

  it('an object is read once and cached', () => {
    const file = withObjects({ 4: '<<>>' });
    const first = file.object(ref(4));
    expect(first).toBeInstanceOf(PdfDict);
    expect(file.object(ref(4))).toBe(first);
  });

  it('each access to a cached object costs by its size', () => {
    const file = withObjects({ 4: `[${'0 '.repeat(200_000)}]` });
    expect(
      refusalOf(() => {
        for (let times = 0; times < 1_000; times += 1) file.object(ref(4));
      }),
    ).toBe('pdf_too_complex: reading it takes too many steps');
  });

  it('a file knows the largest object number that its objects refer to', () => {
    const file = withObjects({ 4: '[50 0 R 60 0 R]' });
    expect(file.largestReference).toBe(0);
    file.object(ref(4));
    expect(file.largestReference).toBe(60);
    file.object(ref(3));
    expect(file.largestReference).toBe(60);
  });

  it('a file notes the first thing in its objects that programs read differently', () => {
    for (const [text, unclear] of [
      ['1-2', 'a number is not a plain one'],
      ['/A#00', 'a name holds a byte that ends it in some programs'],
      ['<</A 1 /A 2>>', 'a dictionary has two values of one key'],
      ['3 0 R', 'an object is only a reference to another one'],
      ['true', 'an object is only true or false'],
    ] as const) {
      for (const how of [{}, { style: 'stream' as const, packed: [4] }]) {
        const file = withObjects({ 4: text }, how);
        expect(file.unclear).toBeNull();
        file.object(ref(4));
        expect(file.unclear).toBe(unclear);
        file.object(ref(3));
        expect(file.unclear).toBe(unclear);
      }
    }
  });

  it('an object in a hybrid file may be hidden, by itself or with its object stream', () => {
    const objects = { ...ONE_PAGE, 4: '<</ca 0>>', 5: '<</ca 1>>' };
    const hidden = (free: number[]): boolean[] => {
      const file = open(hybrid(objects, [4, 5], free));
      return [3, 4, 5].map((num) => file.isHidden(ref(num)));
    };
    expect(hidden([])).toEqual([false, false, false]);
    expect(hidden([5])).toEqual([false, false, true]);
    expect(hidden([7])).toEqual([false, true, true]);
  });
});

describe('references', () => {
  it('references are followed to a value', () => {
    const file = withObjects({ 4: '5 0 R', 5: '6 0 R', 6: '(six)' });
    const followed: string[] = [];
    const object = file.resolve(ref(4), (each) => followed.push(String(each)));
    expect(followed).toEqual(['4 0 R', '5 0 R', '6 0 R']);
    expect(object).toBe(file.object(ref(6)));
    expect(file.resolve(7)).toBe(7);
    expect(String(file.lastReference(ref(4)))).toBe('6 0 R');
    expect(String(file.lastReference(ref(6)))).toBe('6 0 R');
  });

  it('references in a circle are refused', () => {
    const file = withObjects({ 4: '5 0 R', 5: '4 0 R' });
    expect(refusalOf(() => file.resolve(ref(4)))).toBe('pdf_damaged: references lead in a circle');
  });

  it('a chain of references has a maximum length', () => {
    const chain = (length: number): PdfFile =>
      withObjects(
        Object.fromEntries(
          Array.from({ length }, (_, index) => [
            10 + index,
            index + 1 === length ? '7' : `${11 + index} 0 R`,
          ]),
        ),
      );
    expect(chain(21).resolve(ref(10))).toBe(7);
    expect(refusalOf(() => chain(22).resolve(ref(10)))).toMatch(/^pdf_damaged: /);
  });

  it('a reference to another kind of object than expected is refused', () => {
    const file = withObjects({ 4: '[]', 5: '<<>>', 6: 'null' });
    expect(file.dict(ref(5), 'it')).toBe(file.object(ref(5)));
    expect(refusalOf(() => file.dict(ref(4), 'it'))).toBe('pdf_damaged: it is not a dictionary');
    expect(refusalOf(() => file.dict(ref(8), 'it'))).toBe('pdf_damaged: it is not a dictionary');
    expect(file.array(ref(4), 'it')).toBe(file.object(ref(4)));
    expect([file.array(ref(6), 'it'), file.array(ref(8), 'it')]).toEqual([null, null]);
    expect(refusalOf(() => file.array(ref(5), 'it'))).toBe('pdf_damaged: it is not an array');
  });
});

describe('an object stream', () => {
  it('an object stream holds objects in order, with or without space between', () => {
    for (const [data, entries] of [
      ['4 0 5 3 200<<>>', '/N 2 /First 8'],
      ['4 0 5 4 200 <<>>', '/N 2 /First 8'],
      ['4 4 5 8     200 <<>>', '/N 2 /First 8'],
      ['4 0 5 3 %\n200<<>>', '/N 2 /First 10'],
    ] as const) {
      const file = packing(data, entries, 2);
      expect([file.object(ref(4)), textOf(file.object(ref(5)))]).toEqual([200, '<<>>']);
      expect(file.unclear).toBeNull();
    }
  });

  it.each([
    ['no type', '4 0 200', '/Type /Other /N 1 /First 4'],
    ['no number of objects', '4 0 200', '/First 4'],
    ['no place of the first object', '4 0 200', '/N 1'],
    ['a number of objects that is none', '4 0 200', '/N (1) /First 4'],
    ['a place of the first object below zero', '4 0 200', '/N 1 /First -4'],
    ['fewer objects than it says', '4 0 200', '/N 2 /First 4'],
    ['a number twice', '4 0 4 3 200<<>>', '/N 2 /First 8'],
    ['objects out of order', '4 5 5 0 <<>> 200', '/N 2 /First 8'],
    ['objects that overlap', '4 0 5 2 200<<>>', '/N 2 /First 8'],
    ['the object elsewhere', '5 0 4 3 200<<>>', '/N 2 /First 8'],
    ['another object', '5 0 200', '/N 1 /First 4'],
    ['the object beyond its end', '4 9 200', '/N 1 /First 4'],
  ])('an object stream is refused if it has %s', (_, data, entries) => {
    expect(refusalOf(() => packing(data, entries).object(ref(4)))).toMatch(/^pdf_damaged: /);
  });

  it('an object stream is refused if it is missing, another object, or in an object stream itself', () => {
    for (const container of ['<<>>', '(text)', '<</Length 0>>\nstream\n\nendstream']) {
      const pdf = craft({ objects: { ...ONE_PAGE, 9: container }, size: 20 });
      const file = open(relist(pdf, [[4, 9, 0]]));
      expect(refusalOf(() => file.object(ref(4)))).toBe('pdf_damaged: object 9 is not an object stream');
    }
    const missing = open(relist(craft({ objects: ONE_PAGE }), [[4, 9, 0]]));
    expect(refusalOf(() => missing.object(ref(4)))).toBe('pdf_damaged: object stream 9 is missing');
    const inside = open(
      relist(craft({ objects: { ...ONE_PAGE, 9: objStm('4 0 200', '/N 1 /First 4') }, size: 20 }), [
        [4, 9, 0],
        [9, 9, 0],
      ]),
    );
    expect(refusalOf(() => inside.object(ref(4)))).toBe('pdf_damaged: object stream 9 is missing');
  });

  it('an object stream is refused if its filter is in an object stream or of another type', () => {
    const withFilter = (filter: string): PdfFile => {
      const objects = { ...ONE_PAGE, 9: objStm('4 0 200', '/N 1 /First 4 /Filter 5 0 R'), 5: filter };
      return open(relist(craft({ objects, size: 20 }), [[4, 9, 0]]));
    };
    for (const filter of ['6 0 R', '<</Length 0>>\nstream\n\nendstream'])
      expect(refusalOf(() => withFilter(filter).object(ref(4)))).toBe('pdf_damaged: 5 0 R is a wrong value');
    const packed = packing('4 0 5 4 200 1', '/N 2 /First 8 /Filter 5 0 R', 2);
    expect(refusalOf(() => packed.object(ref(4)))).toBe('pdf_damaged: 5 0 R is needed before it can be read');
  });

  const OTHER_PAGE = '<</Type /Page /Parent 2 0 R /MediaBox [0 0 100 100]>>';
  /** The page is the first object, and so at the offset 9; object stream 9 has another one of its number, and objects 1 and 2. */
  const twins = (page: string): Buffer => {
    const { 1: catalog = '', 2: list = '', 3: own = '' } = ONE_PAGE;
    const packed = objectStream([3, 1, 2], { 1: catalog, 2: list, 3: OTHER_PAGE });
    return relist(craft({ objects: { [page]: own, '9 0': packed }, style: 'stream' }), [
      [1, 9, 1],
      [2, 9, 2],
    ]);
  };

  it('an object stream is refused if the listed offset of one of its objects is the stream’s number: pdf.js reads the packed one', () => {
    expect(craft({ objects: ONE_PAGE }).indexOf('1 0 obj')).toBe(9);
    const file = open(twins('3 0'));
    expect(refusalOf(() => file.object(ref(1)))).toBe(
      'pdf_damaged: object 3 is in object stream 9, and elsewhere for some programs',
    );
    expect(textOf(open(twins('4 0')).object(ref(1)))).toBe(ONE_PAGE[1]);
  });

  it('an object stream is refused if one of its objects is free with the stream’s number as offset', () => {
    const objects = { ...ONE_PAGE, 9: objectStream([4, 5], { 4: '(deleted)', 5: '(kept)' }) };
    const pdf = relist(craft({ objects, style: 'stream' }), [
      [4, 9, 0],
      [5, 9, 1],
    ]);
    const withFree = (stated: number): PdfFile => {
      const row = '0 1\n0000000000 65535 f\r\n';
      const free = `4 1\n${String(stated).padStart(10, '0')} 00000 f\r\n`;
      return open(replaced(revise(pdf, { objects: {}, size: 61 }), row, row + free));
    };
    expect(textOf(withFree(0).object(ref(4)))).toBe('null');
    expect(withFree(8).object(ref(5))).not.toBeNull();
    expect(refusalOf(() => withFree(9).object(ref(5)))).toBe(
      'pdf_damaged: object 4 is in object stream 9, and elsewhere for some programs',
    );
  });

  it('an object stream that holds an object listed elsewhere is refused before any of its objects is read', () => {
    expect(refusalOf(() => open(twins('3 0')).refuseTwins())).toMatch(
      /^pdf_damaged: object 3 is in object stream 9/,
    );
    expect(refusalOf(() => open(twins('4 0')).refuseTwins())).toBe('none');
    expect(refusalOf(() => withObjects({}).refuseTwins())).toBe('none');
  });

  it.each([
    ['that has a generation', '4 0 200', '/N 1 /First 4', '9 1', 'an object stream has a generation'],
    [
      'whose index reaches into its objects',
      '4 2 5 6 7 8',
      '/N 1 /First 2',
      '9',
      'the index of an object stream is longer than it says',
    ],
    [
      'that holds a stream',
      '4 0 <</Length 1>>\nstream\nx\nendstream',
      '/N 1 /First 4',
      '9',
      'a stream is in an object stream',
    ],
  ])('%s is read differently by programs', (_, data, entries, container, unclear) => {
    const file = packing(data, entries, 1, container);
    expect(file.unclear).toBeNull();
    file.object(ref(4));
    expect(file.unclear).toBe(unclear);
  });
});

describe('a stream', () => {
  it('a stream is refused if its length is missing, wrong, or in an object stream', () => {
    const file = withObjects(
      {
        4: '<<>>\nstream\nabc\nendstream',
        5: '<</Length 2>>\nstream\nabc\nendstream',
        6: '<</Length 7 0 R>>\nstream\nabc\nendstream',
        7: '3',
      },
      { style: 'stream', packed: [7] },
    );
    const dataOf = (num: number) => (): void => {
      const stream = file.object(ref(num));
      if (stream instanceof PdfStream) file.streamData(stream);
    };
    expect(refusalOf(dataOf(4))).toBe('pdf_damaged: a stream has no right /Length');
    expect(refusalOf(dataOf(5))).toMatch(/^pdf_damaged: the stream at \d+ does not end/);
    expect(refusalOf(dataOf(6))).toBe('pdf_damaged: 7 0 R is needed before it can be read');
  });

  it('the parameters of a stream may be indirect objects', () => {
    const file = withObjects({ 4: '<</Length 2 /Filter 5 0 R>>\nstream\nab\nendstream', 5: '/LZWDecode' });
    const stream = file.object(ref(4));
    expect(refusalOf(() => stream instanceof PdfStream && file.decodedData(stream))).toBe(
      'pdf_too_complex: a structure stream is stored with LZWDecode',
    );
  });
});
