import type { ErrorMap } from '../transport/error-map.js';
import { evidenceOf } from './submit-evidence.js';

/** An exchange that refuses with any status, and documents every status as one of acceptance. */
const STATUSES = Array.from({ length: 400 }, (_, index) => 200 + index);
const GATEWAY = STATUSES.filter((status) => status >= 500);
const errors: ErrorMap = {
  errorsIn: (body) => ((body as { code?: string }).code === undefined ? [] : [{ code: 'no_balance' }]),
  meanings: { no_balance: { grade: 'refused' } },
};
const acceptance = {
  statuses: STATUSES,
  readId: (body: unknown) => (body as { id?: string }).id ?? null,
};
const kindsOf = (statuses: number[], body: string): Set<string> =>
  new Set(statuses.map((status) => evidenceOf(errors, acceptance, { status, body }).kind));

/** The one place where a response to a submission becomes evidence, for every exchange. */
describe('the evidence in a response to a submission', () => {
  it.each(['{"id":"A1"}', '{"code":"no_balance"}', '{}'])(
    'is none with a 5xx status, also with the body %s',
    (body) => {
      expect(kindsOf(GATEWAY, body)).toEqual(new Set(['unknown']));
    },
  );

  it('is the acceptance or the refusal that the exchange documents, with any other status', () => {
    const others = STATUSES.filter((status) => status < 500);
    expect(kindsOf(others, '{"id":"A1"}')).toEqual(new Set(['accepted']));
    expect(kindsOf(others, '{"code":"no_balance"}')).toEqual(new Set(['refused']));
    expect(kindsOf(others, '{}')).toEqual(new Set(['unknown']));
  });
});
