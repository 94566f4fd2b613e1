import { FAILURES } from '../../../../shared/webhooks/connection.ts';
import { APP_TEXTS } from '../../../support/app-texts.ts';

it('every reason for a failed delivery has a text on the page', () => {
  const { failures } = APP_TEXTS.en.settings.webhooks;
  expect(Object.keys(failures).toSorted()).toEqual(Object.keys(FAILURES).toSorted());
});
