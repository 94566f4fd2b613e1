import { ApiError } from '../../../web/signing/api.ts';
import { codeProblem } from '../../../web/signing/flow/code-problem.ts';

const NOW = Date.UTC(2026, 10, 22, 12);

it.each(['too_many_codes', 'too_many_requests', 'conflict'])(
  'a code refused with %s can be asked for when the answer says so',
  (error) => {
    const refusal = new ApiError(409, { error }, '30');
    const until = '2026-11-22T12:00:30.000Z';
    expect(codeProblem(refusal, 'send', NOW)).toEqual({ at: 'send', kind: 'too_many', until });
  },
);

it.each(['too_many_requests', 'conflict'])(
  'a code whose check is refused with %s may be entered again',
  (error) => {
    const refusal = new ApiError(429, { error }, '30');
    expect(codeProblem(refusal, 'verify', NOW)).toEqual({ at: 'verify', kind: 'busy' });
  },
);
