import { z } from 'zod';
import { Amount } from '#money';
import { changeReader, readChanges } from '../../capabilities/account-changes.js';
import { fieldOf } from '../../capabilities/entry-fields.js';
import { amount, codeText, name } from '../../capabilities/response-fields.js';
import type { Endpoint, ExchangeClient } from '../../client/exchange-client.js';
import type { PayingAccount } from '../../port/paying-account.js';
import { entriesOf } from './okx-responses.js';

const get = (path: string): Endpoint => ({ method: 'GET', path: `/api/v5/${path}` });

/** The type of bills of withdrawals. */
const WITHDRAWAL = '2';
/**
 * Types of bills that are no withdrawal: deposits, canceled withdrawals, transfers between the owner's accounts, simple
 * earn, staking, and conversions. A bill of another type may be a part of a withdrawal, such as its fee (221).
 */
const NO_WITHDRAWAL: ReadonlySet<string> = new Set(
  '1 13 20 21 22 23 28 48 68 75 76 80 82 83 89 130 131 137 138 139 150 151 152 272 273'.split(' '),
);

const kind = fieldOf('type', codeText).transform((type) => {
  if (type === WITHDRAWAL) return 'withdrawal';
  return NO_WITHDRAWAL.has(type) ? 'other' : 'unknown';
});

/**
 * #funding-account-rest-api-asset-bills-details: "bal: The balance at the account level", "clientId: Client-supplied ID
 * for transfer or withdrawal".
 */
const readBill = changeReader({ id: 'billId', kind, change: 'balChg', after: 'bal', at: 'ts', clientRef: 'clientId' });

/** #funding-account-rest-api-get-balance: `bal` contains `frozenBal`, "Frozen balance". */
const balances = z.array(z.object({ ccy: name, bal: amount, frozenBal: amount }));

/**
 * Reads the funding account, from which OKX pays withdrawals. The bills are read first: a change after that reading
 * then shows as a gap between the last bill and the balance.
 */
export async function readFundingAccount(client: ExchangeClient, asset: string, since: Date): Promise<PayingAccount> {
  const bills = {
    // OKX: "Query the billing record in the past month", at most 100 on a page, before the time in `after`.
    endpoint: get('asset/bills'),
    params: { ccy: asset, limit: '100' },
    pageSize: 100,
    before: 'after',
    entriesOf,
    read: readBill,
  };
  const changes = await readChanges(client, bills, since);
  const held = await client.call(get('asset/balances'), { ccy: asset }, (body) => balances.parse(entriesOf(body)));
  const own = held.find(({ ccy }) => ccy === asset);
  return { changes, total: own?.bal ?? Amount.zero, held: own?.frozenBal ?? Amount.zero };
}
