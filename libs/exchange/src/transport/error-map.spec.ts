import {
  isDefinite,
  kindOf,
  mayRefuseWith,
  meaningOf,
  refusalsIn,
  type ErrorGrade,
  type ErrorMap,
} from './error-map.js';

const errors: ErrorMap = {
  errorsIn: () => [],
  meanings: {
    '10001': { grade: 'refused', reason: 'invalid_arguments' },
    '400100': {
      byMessage: [
        { includes: 'below the minimum', meaning: { grade: 'refused', code: 'WITHDRAWAL_AMOUNT_BELOW_MINIMUM' } },
        { includes: 'minimum', meaning: { grade: 'refused', reason: 'other_minimum' } },
      ],
    },
    '400200': {
      byMessage: [{ includes: 'locked', meaning: { grade: 'refused', reason: 'account_locked' } }],
      otherwise: { grade: 'unknown' },
    },
  },
};

describe('the meaning of an error', () => {
  it('follows from its code alone where the code has one meaning', () => {
    expect(meaningOf(errors, { code: '10001', message: 'whatever the text is' })).toMatchObject({ grade: 'refused' });
  });

  it('follows from the first listed text that the message contains, in any case of letters', () => {
    const message = 'The withdrawal amount is Below The Minimum requirement.';
    expect(meaningOf(errors, { code: '400100', message })?.code).toBe('WITHDRAWAL_AMOUNT_BELOW_MINIMUM');
    expect(meaningOf(errors, { code: '400100', message: 'minimum' })?.reason).toBe('other_minimum');
  });

  it('is null for a missing or unlisted message, unless the code has a meaning for all other messages', () => {
    expect(meaningOf(errors, { code: '400100', message: 'something new' })).toBeNull();
    expect(meaningOf(errors, { code: '400100' })).toBeNull();
    expect(meaningOf(errors, { code: '400200' })?.grade).toBe('unknown');
  });

  it('is taken from the beginning of its code only if the exchange declares how its codes are extended', () => {
    expect(meaningOf(errors, { code: '10001:more' })).toBeNull();
    const shorterCode = (code: string) => (code.includes('_') ? code.slice(0, code.lastIndexOf('_')) : null);
    expect(meaningOf({ ...errors, shorterCode }, { code: '10001_1000_7' })?.reason).toBe('invalid_arguments');
    expect(meaningOf({ ...errors, shorterCode }, { code: '10002_1000' })).toBeNull();
  });

  it('is null for an empty code, and for a code that names a property of every JavaScript object', () => {
    for (const code of ['', 'constructor', '__proto__']) expect(meaningOf(errors, { code })).toBeNull();
  });
});

describe('the refusals in a response', () => {
  const all = { errorsIn: () => [{ code: '10001' }], meanings: errors.meanings };
  const statuses = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

  it('are none with a 5xx status, at every exchange', () => {
    for (const status of statuses(500, 600)) {
      expect(refusalsIn(all, { status, body: '{}' })).toEqual([]);
      expect(mayRefuseWith(status, { ...all, refusesOnlyWith4xx: true })).toBe(false);
    }
  });

  it('count with every other status, or only with a 4xx when the exchange refuses only with these', () => {
    for (const status of statuses(200, 500)) {
      expect(refusalsIn(all, { status, body: '{}' })).toEqual([{ code: '10001' }]);
      expect(mayRefuseWith(status, { ...all, refusesOnlyWith4xx: true })).toBe(status >= 400);
    }
  });
});

describe('the grade of an error', () => {
  it.each<[ErrorGrade, kind: string, alone: boolean, forEveryCopy: boolean]>([
    ['refused', 'refused', true, true],
    ['refused_if_new', 'refused', false, false],
    ['credentials', 'credentials_invalid', false, true],
    ['permission', 'permission_missing', false, true],
    ['ip_not_allowed', 'ip_not_allowed', false, true],
    ['pause', 'rate_limited', false, true],
    ['unknown', 'unavailable', false, false],
  ])(
    '%s means that a read fails as %s; whether it proves that a submission was refused: %s, with `forEveryCopy`: %s',
    (...row) => {
      const [grade, kind, alone, forEveryCopy] = row;
      expect(kindOf({ grade })).toBe(kind);
      expect(isDefinite({ grade })).toBe(alone);
      expect(isDefinite({ grade, forEveryCopy: true })).toBe(forEveryCopy);
    },
  );
});
