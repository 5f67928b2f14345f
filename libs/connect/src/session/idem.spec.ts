import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { OutcomeQuery } from '../listen/listen.dto.js';
import { ConnectUrlQuery } from '../oauth2/oauth2.dto.js';

describe('an idem', () => {
  const refusals = (idem: string) =>
    [ConnectUrlQuery, OutcomeQuery].map((query) =>
      validateSync(plainToInstance<object, object>(query, { idem })).map(({ property }) => property),
    );

  it.each(['a'.repeat(16), 'a'.repeat(128), '0193f2a1-7c44-7e1b-9b1a-5d2f6c0a9e77', 'A_b.c:d~e-0123456789'])(
    'is valid both for a connect and for the query of its outcome: %s',
    (idem) => expect(refusals(idem)).toEqual([[], []]),
  );

  it.each(['a'.repeat(15), 'a'.repeat(129), 'a b c d e f g h i j k', '<aaaaaaaaaaaaaaaaaaaa>'])(
    'is invalid both for a connect and for the query of its outcome: %s',
    (idem) => expect(refusals(idem)).toEqual([['idem'], ['idem']]),
  );
});
