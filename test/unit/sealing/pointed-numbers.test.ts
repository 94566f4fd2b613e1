import { inspect, withPage } from './marked-page.ts';

const drawing = (object: string) => {
  const page = withPage('/Resources <</Pattern <</A <</Of 4 0 R>>>>>>');
  return inspect({ 3: page, 4: object, 5: '/Indexed', 6: '[500.5]' });
};

describe('a page that draws with a number with a point, which Poppler or MuPDF does not take there', () => {
  it.each(
    [
      ...[
        'BitsPerComponent',
        'BitsPerCoordinate',
        'BitsPerFlag',
        'BitsPerSample',
        'FirstChar',
        'Height',
        'Width',
      ],
      ...[
        'FunctionType',
        'LC',
        'LJ',
        'LastChar',
        'PaintType',
        'PatternType',
        'ShadingType',
        'VerticesPerRow',
      ],
    ].map((key) => `/${key} 2`),
  )('is refused: %s.0', (entry) => {
    expect(drawing(`<<${entry}>>`)).toMatchObject({ ok: true });
    expect(drawing(`<<${entry}.0>>`)).toMatchObject({ code: 'pdf_damaged' });
  });

  it.each([
    ['the size of a function', '<</Size [9 2|]>>'],
    ['a masked colour', '<</Mask [0| 0]>>'],
    ['the place of a letter', '<</Differences [65 /A 7| /X]>>'],
    ['a letter before widths', '<</W [5 [500.5] 7| [500.0 600.0]]>>'],
    ['a letter before widths by a reference', '<</W [7| 6 0 R 8 [9]]>>'],
    ['the first of letters of one width', '<</W [5 [500.5] 7| 8 500.0]>>'],
    ['the last of letters of one width', '<</W [5 6 500.5 7 8| 500.0]>>'],
    ['a letter with heights', '<</W2 [5 6 900.0 500.0 800.0 7| [900.0 500.0 800.0]]>>'],
    ['the last colour of a table', '[/Indexed /DeviceRGB 1| <00>]'],
    ['the last colour of a table whose name is a reference', '[5 0 R /DeviceRGB 1| <00>]'],
  ])('is refused in %s', (_, object) => {
    expect(drawing(object.replace('|', ''))).toMatchObject({ ok: true });
    expect(drawing(object.replace('|', '.0'))).toMatchObject({ code: 'pdf_damaged' });
  });

  it.each([
    ['where any number may have one', '[/CalRGB <</WhitePoint [1.0 1.0 1.0]>> 1.0]'],
    ['as the default width of letters, which Chrome writes so', '<</DW 556.15234>>'],
  ])('is accepted %s', (_, object) => {
    expect(drawing(object)).toMatchObject({ ok: true });
  });
});
