import { APP_TEXTS } from '../../../../shared/texts/app-texts.ts';
import { FAILURES } from '../../../../shared/webhooks/connection.ts';

it('every reason for which a delivery fails has words on the page', () => {
  const { failures } = APP_TEXTS.en.settings.webhooks;
  expect(Object.keys(failures).toSorted()).toEqual(Object.keys(FAILURES).toSorted());
});
