import { requiredScopes } from '#access/testing';
import { WithdrawalController } from './withdrawal.controller.js';

describe('a key without the scope', () => {
  it('"withdrawal" cannot execute a quote', () => {
    expect(requiredScopes(WithdrawalController, 'execute')).toEqual(['read', 'quote', 'withdrawal']);
  });

  it('"quote" cannot read a quote', () => {
    expect(requiredScopes(WithdrawalController, 'get')).toEqual(['read', 'quote']);
  });
});
