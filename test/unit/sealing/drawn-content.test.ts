import { annotation, inspect, stream, withCatalog, withPage } from './marked-page.ts';

describe('content that prints but does not show', () => {
  const flagged = (flags: number, rectangle = '[0 0 9 9]') =>
    inspect({ 3: withPage(`/Annots [<</Subtype /Square /Rect ${rectangle} /F ${flags}>>]`) });
  const PRINT = 4;
  const NO_VIEW = 32;
  const HIDDEN = 2;

  it('is refused as an annotation with NoView and Print', () => {
    expect(flagged(PRINT | NO_VIEW)).toMatchObject({
      code: 'pdf_active_content',
      detail: 'an annotation that is printed but not shown on page 1',
    });
  });

  it.each([
    ['prints and shows', PRINT, undefined],
    ['does neither', PRINT | NO_VIEW | HIDDEN, undefined],
    ['shows and does not print', 0, undefined],
    ['has no area', PRINT | NO_VIEW, '[0 0 0 0]'],
    ['has no width', PRINT | NO_VIEW, '[9 0 9 9]'],
    ['has no height', PRINT | NO_VIEW, '[0 9 9 9]'],
    ['has no rectangle', PRINT | NO_VIEW, 'null'],
  ])('does not include an annotation that %s', (_, flags, rectangle) => {
    expect(flagged(flags, rectangle)).toMatchObject({ ok: true });
  });

  const layered = (configuration: string, layerUsage: string) =>
    inspect({
      1: withCatalog(`/OCProperties <</OCGs [4 0 R] /D <<${configuration}>>>>`),
      4: `<</Type /OCG /Name (A) ${layerUsage && `/Usage <<${layerUsage}>>`}>>`,
    });
  const APPLIED = '/AS [<</Event /Print /Category [/Print] /OCGs [4 0 R]>>]';

  it.each([
    ['off, and on in print', '/OFF [4 0 R]', '/Print <</PrintState /ON>>'],
    ['off, and on in print by an event', `/OFF [4 0 R] ${APPLIED}`, '/Print <</PrintState /ON>>'],
    ['off by default, and on in print', '/BaseState /OFF', '/Print <</PrintState /ON>>'],
    ['off in view', '', '/View <</ViewState /OFF>>'],
    ['off in view, and on in print', '', '/View <</ViewState /OFF>> /Print <</PrintState /ON>>'],
  ])('is refused as a layer that is %s', (_, configuration, layerUsage) => {
    expect(layered(configuration, layerUsage)).toMatchObject({
      code: 'pdf_active_content',
      detail: 'a layer that is printed but not shown',
    });
  });

  it.each([
    ['on', '', ''],
    ['off', '/OFF [4 0 R]', ''],
    ['off, and off in print', '/OFF [4 0 R]', '/Print <</PrintState /OFF>>'],
    ['on in view alone', '', '/View <</ViewState /ON>> /Print <</PrintState /OFF>>'],
    ['off, and off in both', '/OFF [4 0 R]', '/View <</ViewState /OFF>> /Print <</PrintState /OFF>>'],
    ['switched on beside others that are off', '/BaseState /OFF /ON [4 0 R]', '/Print <</PrintState /ON>>'],
  ])('does not include a layer that is %s', (_, configuration, layerUsage) => {
    expect(layered(configuration, layerUsage)).toMatchObject({ ok: true });
  });
});

const INVERT = '<</FunctionType 2 /Domain [0 1] /N 1 /C0 [1] /C1 [0]>>';
const DR = '/DR <</XObject <</A 4 0 R>>>>';

describe('what a page draws', () => {
  const drawing = (objects: Record<string, string>, resources = '/XObject <</A 4 0 R>>') =>
    inspect({ 3: withPage(`/Resources <<${resources}>>`), ...objects });
  const IMAGE = '/Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8';
  const refused = (what: string) => ({ code: 'pdf_active_content', detail: `${what} on page 1` });
  const ALTERNATE = 'an image that is printed in place of the one shown';
  const POSTSCRIPT = 'PostScript that runs only in printers';
  const alternate = (printed: string) => ({
    4: stream(`${IMAGE} /Alternates [<</Image 5 0 R ${printed}>>]`, 'x'),
    5: stream(IMAGE, 'y'),
  });

  it('is refused if an image has another one for print', () => {
    expect(drawing(alternate('/DefaultForPrinting true'))).toMatchObject(refused(ALTERNATE));
    expect(drawing(alternate('/DefaultForPrinting false'))).toMatchObject({ ok: true });
    const second = stream(
      `${IMAGE} /Alternates [<</Image 5 0 R>> <</Image 5 0 R /DefaultForPrinting true>>]`,
      'x',
    );
    expect(drawing({ ...alternate(''), 4: second })).toMatchObject(refused(ALTERNATE));
  });

  it.each([
    ['PostScript', '/Type /XObject /Subtype /PS'],
    ['a form of PostScript', '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Subtype2 /PS'],
  ])('is refused if it is %s', (_, dict) => {
    expect(drawing({ 4: stream(dict, 'x') })).toMatchObject(refused(POSTSCRIPT));
  });

  it.each<[string, Record<string, string>, string]>([
    [
      'a form in a form',
      { 4: stream('/Subtype /Form /BBox [0 0 9 9] /Resources <</XObject <</B 9 0 R>>>>', '') },
      '/XObject <</A 4 0 R>>',
    ],
    [
      'a pattern',
      { 4: stream('/PatternType 1 /XStep 9 /YStep 9 /Resources <</XObject <</B 9 0 R>>>>', '') },
      '/Pattern <</A 4 0 R>>',
    ],
    [
      'a form by the name of another key',
      { 4: stream('/Subtype /Form /BBox [0 0 9 9] /Resources 5 0 R', ''), 5: '<</XObject <</P 9 0 R>>>>' },
      '/XObject <</Parent 4 0 R>>',
    ],
    ...['Own', 'Kids', 'Annots'].map((name): [string, Record<string, string>, string] => [
      `a colour space by the name ${name}`,
      { 4: '[/ICCBased 9 0 R]', 5: `<</${name} 4 0 R>>` },
      '/ColorSpace 5 0 R',
    ]),
    [
      'a state of graphics that is the page itself',
      { 3: withPage('/Font [9 0 R 12] /Resources <</ExtGState <</A 3 0 R>>>>') },
      '',
    ],
    ['a soft mask', { 4: '<</SMask <</G 9 0 R>>>>' }, '/ExtGState <</A 4 0 R>>'],
    ['a font', { 4: '<</Subtype /Type3 /Resources <</XObject <</B 9 0 R>>>>>>' }, '/Font <</A 4 0 R>>'],
  ])('is refused wherever it is drawn: %s', (_, objects, resources) => {
    const postScript = { 9: stream('/Subtype /PS', 'x') };
    expect(drawing({ ...objects, ...postScript }, resources)).toMatchObject(refused(POSTSCRIPT));
  });

  it('is refused in resources that the page inherits, and in appearances of annotations', () => {
    const postScript = { 4: stream('/Subtype /PS /BBox [0 0 9 9]', 'x') };
    const pages = '<</Type /Pages /Kids [3 0 R] /Count 1 /Resources <</XObject <</A 4 0 R>>>>>>';
    expect(inspect({ 2: pages, ...postScript })).toMatchObject(refused(POSTSCRIPT));
    for (const drawn of ['/AP <</N 4 0 R>>', '/MK <</I 4 0 R>>']) {
      const annotated = withPage(`/Annots [${annotation(`/Subtype /Widget /FT /Sig ${drawn}`)}]`);
      expect(inspect({ 3: annotated, ...postScript })).toMatchObject(refused(POSTSCRIPT));
    }
  });

  it.each([
    ['/BBox [0 0 9 9]', true],
    ['/BBox [0 0 9 5 0 R] /Matrix [1 0 0 1 0 5 0 R]', true],
    ['', false],
    ['/BBox null', false],
    ['/BBox /None', false],
    ['/BBox []', false],
    ['/BBox [0 0 9]', false],
    ['/BBox [0 0 9 9 9]', false],
    ['/BBox [0 0 (9) 9]', false],
    ['/BBox [0 0 9 9] /Matrix []', false],
    ['/BBox [0 0 9 9] /Matrix [.5 0 0 .5]', false],
    ['/BBox [0 0 9 9] /Matrix [1 0 0 1 /None 0]', false],
  ])(
    'has a clear frame and matrix if it is a form, since programs read others differently: %s',
    (place, ok) => {
      const page = withPage('/Resources <</XObject <</A 4 0 R>>>>');
      expect(inspect({ 3: page, 4: stream(`/Subtype /Form ${place}`, 'n'), 5: '9' })).toMatchObject(
        ok ? { ok } : { code: 'pdf_damaged', detail: 'a form that a page draws has no clear place' },
      );
    },
  );

  it('has a clear frame if it is a pattern', () => {
    const page = withPage('/Resources <</Pattern <</A 4 0 R>>>>');
    expect(inspect({ 3: page, 4: stream('/PatternType 1 /BBox [0 0 9]', 'n') })).toMatchObject({
      code: 'pdf_damaged',
    });
  });

  it('is refused in the resources of the form', () => {
    const form = withCatalog('/AcroForm <</DR <</XObject <</A 4 0 R>>>>>>');
    expect(inspect({ 1: form, 4: stream('/Subtype /PS', 'x') })).toMatchObject({
      code: 'pdf_active_content',
      detail: POSTSCRIPT,
    });
  });

  it.each<[string, string, string]>([
    ['field', `/FT /Tx /T (a) /Kids [<<${DR}>>]`, ''],
    ['field above a widget', `/FT /Tx /T (a) ${DR} /Kids [5 0 R]`, ''],
    ['field above a widget that the form does not name', '/FT /Tx /T (b)', DR],
  ])('is refused in the resources of a %s', (_, field, above) => {
    const objects = {
      1: withCatalog(`/AcroForm <</Fields [<<${field}>>]>>`),
      3: withPage('/Annots [5 0 R]'),
      4: stream('/Subtype /PS', 'x'),
      5: '<</Subtype /Widget /Rect [0 0 9 9] /Parent 6 0 R>>',
      6: `<</FT /Tx /T (a) /Kids [5 0 R] ${above}>>`,
    };
    expect(inspect(objects)).toMatchObject({ code: 'pdf_active_content', detail: POSTSCRIPT });
  });

  it.each([
    `/ExtGState <</A <</TR ${INVERT} /TR2 /Default>>>>`,
    `/ExtGState <</A <</TR /Identity /TR2 [/Identity ${INVERT}]>>>>`,
    `/Pattern <</A <</PatternType 2 /ExtGState <</TR2 ${INVERT}>>>>>>`,
  ])('is refused if a transfer function may turn white into black: %s', (resources) => {
    expect(drawing({}, resources)).toMatchObject(
      refused('a transfer function, which only some programs apply'),
    );
  });

  it.each([
    ['[/Separation /None /DeviceGray 4 0 R]', false],
    ['[/Separation /All /DeviceGray 4 0 R]', true],
    ['[/DeviceN [/None] /DeviceGray 4 0 R]', false],
    ['[/DeviceN [/None /None] /DeviceGray 4 0 R]', false],
    ['[/DeviceN [/None /Gold] /DeviceGray 4 0 R]', true],
    ['[/DeviceN [] /DeviceGray 4 0 R]', true],
  ])('is refused if only some programs paint a colour, as with no colorant: %s', (space, ok) => {
    expect(drawing({ 4: INVERT }, `/ColorSpace <</A ${space}>>`)).toMatchObject(
      ok ? { ok } : refused('a colour that only some programs paint'),
    );
  });

  it.each([
    ['/ca 0 /CA 1', true],
    ['/ca -0.5', false],
    ['/CA 1.5', false],
    ['/ca 4 0 R', false],
    ['/ca /None', true],
  ])('has opacities that all programs read alike: %s', (state, ok) => {
    expect(drawing({ 4: '2' }, `/ExtGState <</A <<${state}>>>>`)).toMatchObject(
      ok ? { ok } : { detail: 'an opacity is not between 0 and 1' },
    );
  });

  it.each([
    ['/PatternType 1 /XStep 9 /YStep -9', true],
    ['/PatternType 1 /XStep 9 /YStep 0', false],
    ['/PatternType 1 /XStep 9', false],
    ['/PatternType 1 /XStep 9 /YStep (9)', false],
    ['/PatternType 2', true],
  ])('has patterns whose steps all programs read alike: %s', (pattern, ok) => {
    const objects = { 4: stream(`/BBox [0 0 9 9] ${pattern}`, 'n') };
    expect(drawing(objects, '/Pattern <</A 4 0 R>>')).toMatchObject(
      ok ? { ok } : { detail: 'a pattern has no steps' },
    );
  });

  it.each([
    '/TR /Identity /TR2 /Default',
    `/TR [${INVERT} /Identity /Identity /Identity]`,
    '/TR2 [/Identity /Identity /Identity /Identity]',
    '/TR2 4 0 R',
    `/SMask <</S /Luminosity /TR ${INVERT}>>`,
  ])('may have a state of graphics that all programs apply alike: %s', (state) => {
    const inItself = { 4: '[4 0 R]' };
    expect(drawing(inItself, `/ExtGState <</A <<${state}>>>>`)).toMatchObject({ ok: true });
  });

  it.each([
    ['', 'ok'],
    ['\r\n \0', 'ok'],
    ['%) Tj', 'pdf_damaged'],
    ['\n% more', 'pdf_damaged'],
  ])(
    'ends where the length of its stream says, even for MuPDF and Ghostscript: %j before its end',
    (more, code) => {
      const objects = { 4: `<</Length 5>>\nstream\n0 g (${more}\nendstream` };
      const found = inspect({ ...objects, 3: withPage('/Contents 4 0 R') });
      expect(found.ok ? 'ok' : found.code).toBe(code);
    },
  );

  const WITHOUT_FRAME = '<</Type /Page /Parent 2 0 R';
  it.each([
    ['/MediaBox [200 300 0 0]', null],
    ['/MediaBox [0 0 200 4 0 R]', null],
    ['/MediaBox [0 0 200 300] /CropBox [-50 -50 10 10]', null],
    ['/CropBox [0 0 9 9]', null],
    ['', null],
    ['/MediaBox [0 0 200]', 'the frame of a page is no rectangle'],
    ['/MediaBox [0 0 200 300 400]', 'the frame of a page is no rectangle'],
    ['/MediaBox [0 0 200 300] /CropBox [0 0 (9) 9]', 'the frame of a page is no rectangle'],
    ['/MediaBox /A4', 'the frame of a page is no rectangle'],
    ['/MediaBox [0 0 0 300]', 'the frame of a page has no size'],
    ['/MediaBox [0 0 200 300] /CropBox [9 9 50 9]', 'the frame of a page has no size'],
    ['/MediaBox [0 0 200 300] /CropBox [200 0 300 300]', 'nothing of a page is in its frame'],
    ['/MediaBox [0 0 200 300] /CropBox [0 -9 200 0]', 'nothing of a page is in its frame'],
  ])('has a frame in which all programs show it: %s', (frame, detail) => {
    const found = inspect({ 3: `${WITHOUT_FRAME} ${frame}>>`, 4: '300' });
    expect(found.ok ? null : found.detail).toBe(detail);
  });

  it('has such a frame even if it inherits that', () => {
    const objects = {
      2: '<</Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 200 300]>>',
      3: `${WITHOUT_FRAME} /CropBox [300 0 400 300]>>`,
    };
    expect(inspect(objects)).toMatchObject({ detail: 'nothing of a page is in its frame' });
  });

  it('is refused if an object is broken, of which some programs would read more', () => {
    expect(drawing({ 4: '<</Broken' })).toMatchObject({ code: 'pdf_damaged' });
  });

  const memberOf = (
    membership: string,
    layerUsage: string,
    page = '/Resources <</Properties <</A 5 0 R>>>>',
  ) =>
    inspect({
      1: withCatalog('/OCProperties <</OCGs [4 0 R] /D <<>>>>'),
      3: withPage(page),
      6: '[/And 6 0 R]',
      4: `<</Type /OCG /Name (A) /Usage <<${layerUsage}>>>>`,
      5: `<</Type /OCMD /OCGs [4 0 R] ${membership}>>`,
    });
  const SCREEN_ONLY = '/View <</ViewState /ON>> /Print <</PrintState /OFF>>';

  it.each(['/P /AllOff', '/P /AnyOff', '/VE [/Not 4 0 R]', '/VE [/And 4 0 R [/Not 4 0 R]]', '/VE 6 0 R'])(
    'is refused if it shows while a layer is off that only the screen shows: %s',
    (membership) => {
      expect(memberOf(membership, SCREEN_ONLY)).toMatchObject(
        refused('a layer that is printed but not shown'),
      );
      expect(memberOf(membership, '').ok).toBe(!membership.includes('6 0 R'));
    },
  );

  it('is refused if an annotation shows while a layer is off that only the screen shows', () => {
    const page = `/Annots [${annotation('/Subtype /Square /OC 5 0 R')}]`;
    expect(memberOf('/P /AllOff', SCREEN_ONLY, page)).toMatchObject(
      refused('a layer that is printed but not shown'),
    );
  });

  it('is refused if only some programs show it, since they differ on its layers or their memberships', () => {
    expect(memberOf('/P /Some', '')).toMatchObject(refused('a layer that only some programs show'));
    const off = withCatalog('/OCProperties <</OCGs [4 0 R] /D <</OFF [4 0 R]>>>>');
    expect(inspect({ 1: off, 4: '<</Type /OCG /Intent /Design>>' })).toMatchObject({
      code: 'pdf_active_content',
      detail: 'a layer that only some programs show',
    });
  });

  it('may have what only looks like the policy of a layer', () => {
    const page = '/Resources <</Properties <</A <</P /AllOff>>>>>>';
    expect(memberOf('', SCREEN_ONLY, page)).toMatchObject({ ok: true });
  });

  it.each(['', '/P /AllOn', '/P /AnyOn', '/VE [/And 4 0 R]'])(
    'may show together with a layer that only the screen shows: %s',
    (membership) => {
      expect(memberOf(membership, SCREEN_ONLY)).toMatchObject({ ok: true });
    },
  );
});
