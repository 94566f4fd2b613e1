import { SignatureRequestsError } from '../../../../client/src/errors.ts';
import * as app from '../../../../shared/contract/app.ts';
import { messageOf } from '../../../../web/app/parts/problem.tsx';
import { brandFaults } from '../../../../web/app/settings/brand-faults.ts';
import { APP_TEXTS } from '../../../support/app-texts.ts';

const texts = APP_TEXTS.en;
const refused = (field: string) =>
  new SignatureRequestsError('invalid_request', 'It is too light.', { status: 400, field });

it('every field of a brand that the service can reject has an error text', () => {
  const members = Object.keys(app.updateBrand.body.shape);
  expect(members).toContain('accent');
  for (const member of members)
    expect(brandFaults(refused(`/${member}`), texts)).toEqual({ [member]: expect.any(String) });
});

it('a colour that is too light is reported at its field, not as a fault of the service', () => {
  const thrown = refused('/accent');
  expect(brandFaults(thrown, texts)).toEqual({ accent: texts.settings.brand.accentFault });
  expect(messageOf(thrown, texts)).toBe(texts.problems.invalid_request);
});

it('a lost connection is reported at no field', () => {
  expect(brandFaults(new SignatureRequestsError('connection_failed', 'It broke.'), texts)).toEqual({});
  expect(brandFaults(new Error('broke'), texts)).toEqual({});
});
