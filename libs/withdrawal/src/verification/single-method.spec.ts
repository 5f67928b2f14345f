import type { VerificationMethod } from '#exchange';
import { Secret } from '#platform/crypto';
import type { RecordedRefusal } from '../withdrawals/refusal.js';
import type { Quote } from '../quote/quote.entity.js';
import { checkMethods, dryRunRefusal, singleRefusal, uncheckedByDryRun } from './single-method.js';
import { WRONG_CODES_MAX } from './verification.errors.js';
import { codeFields, type CodeField } from './verification-report.js';

const code = new Secret('123456');
const methods: readonly VerificationMethod[] = ['GOOGLE', 'SMS', 'EMAIL', 'FACE', 'YUBIKEY', 'PASSPHRASE'];
const asking = (method: VerificationMethod): RecordedRefusal => ({
  errorCode: 'WITHDRAWAL_2FA_REQUIRED_TOTP',
  errorMessage: 'asked',
  errorResult: { method },
});
const quoteWith = (...types: string[]): Pick<Quote, 'requirements'> =>
  ({ requirements: types.map((type) => ({ type, detail: 'detail' })) }) as Pick<Quote, 'requirements'>;
const dryRun = (quote: Pick<Quote, 'requirements'>, earlier: RecordedRefusal | null, ...given: CodeField[]) =>
  dryRunRefusal({ quote: quote as Quote, earlier }, given);

describe('the codes of an execution', () => {
  it('are refused when the exchange does not ask for one of them', () => {
    expect(() => checkMethods(['twofa'], null, ['GOOGLE'])).not.toThrow();
    expect(() => checkMethods([], null, [])).not.toThrow();
    expect(() => checkMethods(['twofa', 'smsCode'], null, ['GOOGLE'])).toThrow(/asks for: GOOGLE/);
    expect(() => checkMethods(['twofa'], null, [])).toThrow(/without codes/);
  });

  it('are refused unless they are of the method for which the exchange has asked last', () => {
    expect(() => checkMethods(['smsCode'], asking('SMS'), ['GOOGLE'])).not.toThrow();
    expect(() => checkMethods(['twofa'], asking('SMS'), ['GOOGLE'])).toThrow(/asks for: SMS/);
  });
});

describe('the refusal of an exchange that asks for one code', () => {
  const outcome = { kind: 'verification_required', code: 'WITHDRAWAL_2FA_REQUIRED_TOTP', rawCode: 'E:2fa', answer: {} };
  const refusal = (proof: Parameters<typeof singleRefusal>[1], wrongBefore = 0) =>
    singleRefusal(outcome as Parameters<typeof singleRefusal>[0], proof, wrongBefore);

  it('asks for the code when none was sent, or the code of another method', () => {
    const asked = { code: 'WITHDRAWAL_2FA_REQUIRED_TOTP', result: { exchangeCode: 'E:2fa', method: 'GOOGLE' } };
    expect(refusal(undefined)).toMatchObject(asked);
    expect(refusal({ codes: { smsCode: code } })).toMatchObject(asked);
  });

  it('reports a wrong code until the last one locks the quote', () => {
    for (const wrongBefore of [0, WRONG_CODES_MAX - 2]) {
      const wrong = refusal({ codes: { twofa: code } }, wrongBefore);
      expect([wrong.code, wrong.result?.['locked']]).toEqual(['WITHDRAWAL_2FA_INVALID', undefined]);
    }
    expect(refusal({ codes: { twofa: code } }, WRONG_CODES_MAX - 1)).toMatchObject({ result: { locked: true } });
  });
});

describe('a dry run for an exchange that checks codes only in a submission', () => {
  it.each([
    ['totp', 'WITHDRAWAL_2FA_REQUIRED_TOTP', 'twofa', true],
    ['sms', 'WITHDRAWAL_2FA_REQUIRED_SMS', 'smsCode', false],
    ['email', 'WITHDRAWAL_2FA_REQUIRED_EMAIL', 'emailCode', false],
    ['face', 'WITHDRAWAL_2FA_REQUIRED_FACE_RECOGNITION', 'twofa', false],
  ] as const)(
    'reports the requirement %s of the quote, unless its code can be right',
    (type, missing, field, mayBeRight) => {
      expect(dryRun(quoteWith(type), null)).toMatchObject({ code: missing });
      const given = dryRun(quoteWith(type), null, field);
      if (mayBeRight) expect(given).toBeNull();
      else expect(given).toMatchObject({ code: missing });
    },
  );

  it('reports nothing for a quote whose requirements need no code', () => {
    expect(dryRun(quoteWith('whitelist'), null)).toBeNull();
    expect(dryRun(quoteWith('whitelist', 'totp'), null)).toMatchObject({ result: { method: 'GOOGLE' } });
  });

  it('reports the method for which the exchange has asked, until its code is given', () => {
    expect(dryRun(quoteWith(), asking('SMS'))).toMatchObject({ result: { method: 'SMS' } });
    expect(dryRun(quoteWith(), asking('SMS'), 'twofa')).toMatchObject({ result: { method: 'SMS' } });
    expect(dryRun(quoteWith(), asking('SMS'), 'smsCode')).toBeNull();
    for (const method of methods) expect(dryRun(quoteWith(), asking(method))).toMatchObject({ result: { method } });
  });

  it('repeats another refusal of the last execution when no code is given', () => {
    const earlier: RecordedRefusal = { errorCode: 'WITHDRAWAL_2FA_INVALID', errorMessage: null, errorResult: { n: 1 } };
    expect(dryRun(quoteWith(), earlier)).toEqual({ code: 'WITHDRAWAL_2FA_INVALID', message: '', result: { n: 1 } });
    expect(dryRun(quoteWith(), earlier, 'twofa')).toBeNull();
    expect(dryRun(quoteWith(), { ...earlier, errorCode: null })).toBeNull();
  });

  it('reports what it could not check: a given code, or whether the exchange asks for one', () => {
    for (const field of codeFields)
      expect(uncheckedByDryRun({ codes: { [field]: code } }, {})).toMatch(/checks the code only when/);
    expect(uncheckedByDryRun(undefined, { methods: ['GOOGLE'] })).toMatch(/shows only to an execution/);
    expect(uncheckedByDryRun(undefined, { methods: [] })).toBeNull();
    expect(uncheckedByDryRun(undefined, { methods: ['GOOGLE'], verification: {} as never })).toBeNull();
  });
});
