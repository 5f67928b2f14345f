import { asWithdrawal } from './withdrawal-outcome.js';

const { toOutcome } = asWithdrawal({ statuses: [200], readId: () => null });

describe('an accepted withdrawal', () => {
  it.each(['AGBSO6T-UFMTTQ-I7KGS6', '9f1ae0a8-55b5-4b14-8a3c-4b1f6a1b2a77', '7213fea8e94b4a5593d507237e5a555b'])(
    'has the id %s of the exchange',
    (receipt) => {
      expect(toOutcome({ kind: 'accepted', receipt, answer: {} })).toEqual({
        kind: 'accepted',
        exchangeId: receipt,
        answer: {},
      });
    },
  );

  it.each([
    ['empty', ''],
    ['longer than 128 characters', 'x'.repeat(129)],
    ['not printable', 'X1\0'],
    ['more than one word', 'two words'],
  ])('is unknown when its id is %s, because the id cannot be the one of a record', (_what, receipt) => {
    const answer = { refid: receipt };
    expect(toOutcome({ kind: 'accepted', receipt, answer })).toMatchObject({ kind: 'unknown', answer });
  });
});
