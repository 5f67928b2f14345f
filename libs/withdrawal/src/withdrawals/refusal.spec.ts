import { errorCodes, isErrorCode } from '#platform/errors';
import { EXPIRED, refusalOf } from './refusal.js';

describe('the recorded refusal of a withdrawal', () => {
  it('leaves out of its message what the documentation says about `result`', () => {
    const codes = Object.keys(errorCodes).filter(isErrorCode);
    const messages = codes
      .filter((code) => code.startsWith('WITHDRAWAL_'))
      .map((code) => refusalOf({ kind: 'rejected', code, rawCode: 'E1', answer: {} }).message);
    expect([...messages, EXPIRED.message].filter((text) => text.includes('`result.'))).toEqual([]);
  });

  it('has a message that names what to check when the exchange refused the address', () => {
    const outcome = { kind: 'rejected', code: 'WITHDRAWAL_INVALID_ADDRESS', rawCode: 'E1', answer: {} } as const;
    expect(refusalOf(outcome).message).toBe(
      'The exchange refused the withdrawal: The address is not valid on the network, or the exchange account does not allow withdrawals to it: check the address, its tag, and the address book of the account.',
    );
  });

  it('has a message that asks for a new quote when the quote has expired', () => {
    expect(EXPIRED.message).toBe('The quote has expired; request a new quote');
  });
});
