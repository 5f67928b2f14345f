import { json, type OtherAccountsContract } from '../../testing/contract/exchange-contract.js';

const STAKING = 'POST /v1/balances/staking';

/**
 * The other accounts: the first entry of the sample of developer.gemini.com/rest/staking, "List Staking Balances",
 * compared with the copy of Gemini's OpenAPI file in api-evangelist/gemini-trust (2026). The amounts are JSON numbers.
 */
export const geminiOtherAccounts: OtherAccountsContract = {
  calls: {
    [STAKING]: {
      parameters: { request: 'text', nonce: 'integer', account: 'text?' },
      answer: json([
        {
          type: 'Staking',
          currency: 'MATIC',
          balance: 10,
          available: 0,
          availableForWithdrawal: 10,
          balanceByProvider: { '62b21e17-2534-4b9f-afcf-b7edb609dd8d': { balance: 10 } },
        },
      ]),
    },
  },
  expected: [
    {
      asset: 'MATIC',
      free: '0',
      used: '10',
      total: '10',
      withdrawable: '0',
      elsewhere: [{ account: 'staking', kind: 'locked', amount: '10' }],
    },
  ],
  unread: [{ account: 'other accounts of the group', reason: 'not_served' }],
  names: { [STAKING]: 'staking' },
};
