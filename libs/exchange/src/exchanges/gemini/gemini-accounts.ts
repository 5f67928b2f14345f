import { z } from 'zod';
import { Amount } from '#money';
import { balanceReader } from '../../capabilities/account-balances.js';
import { listedAccount, type OtherAccountsDeclaration } from '../../capabilities/other-accounts.js';
import { entriesOf } from '../../capabilities/response-fields.js';
import type { Endpoint } from '../../client/exchange-client.js';

const STAKING: Endpoint = { method: 'POST', path: '/v1/balances/staking' };

/** developer.gemini.com/rest/staking, "List Staking Balances": the owner must unstake what is in `balance`. */
const staking = balanceReader(entriesOf, {
  asset: 'currency',
  free: 'balance',
  used: z.unknown().transform(() => Amount.zero),
  kind: 'locked',
});

export const geminiAccounts: OtherAccountsDeclaration = {
  // "600 requests per minute"
  read: [listedAccount('staking', STAKING, staking)],
  // A key of one account cannot see the others, such as those of derivatives.
  notServed: ['other accounts of the group'],
};
