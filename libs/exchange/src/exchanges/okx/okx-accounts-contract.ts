import { json, type OtherAccountsContract } from '../../testing/contract/exchange-contract.js';

const route = {
  savings: 'GET /api/v5/finance/savings/balance',
  staking: 'GET /api/v5/finance/staking-defi/orders-active',
  valuation: 'GET /api/v5/asset/asset-valuation',
} as const;

const ok = (...data: unknown[]) => json({ code: '0', msg: '', data });

/**
 * The other accounts: the samples of www.okx.com/docs-v5/en, sections "GET / Saving balance", "GET / Active orders" of
 * on-chain earn (without some fields) and "Get account asset valuation", compared with the copy of 27 June 2026 in
 * qiuham/crypto-api-docs.
 */
export const okxOtherAccounts: OtherAccountsContract = {
  calls: {
    [route.savings]: {
      parameters: { ccy: 'text?' },
      answer: ok({
        ...{ earnings: '0.0010737388791526', redemptAmt: '', rate: '0.0100000000000000', ccy: 'USDT' },
        ...{ amt: '11.0010737453457821', loanAmt: '11.0010630707982819', pendingAmt: '0.0000106745475002' },
      }),
    },
    [route.staking]: {
      parameters: { productId: 'text?', protocolType: 'text?', ccy: 'text?', state: 'text?' },
      answer: ok({
        ...{ ordId: '2413499', ccy: 'DOT', productId: '101', state: '1', protocol: 'Polkadot', protocolType: 'defi' },
        ...{ term: '0', apy: '0.1014', investData: [{ ccy: 'DOT', amt: '2' }], purchasedTime: '1729839328000' },
        earningData: [{ ccy: 'DOT', earningType: '0', earnings: '0.10615025' }],
      }),
    },
    [route.valuation]: {
      parameters: { ccy: 'text?' },
      answer: ok({
        details: { classic: '124.6', earn: '1122.73', funding: '0.09', trading: '2544.28' },
        ...{ totalBal: '3790.09', ts: '1637566660769' },
      }),
    },
  },
  expected: [
    {
      ...{ asset: 'USDT', free: '11.0010737453457821', used: '0', total: '11.0010737453457821', withdrawable: '0' },
      elsewhere: [{ account: 'savings', kind: 'earning', amount: '11.0010737453457821' }],
    },
    {
      ...{ asset: 'DOT', free: '0', used: '2', total: '2', withdrawable: '0' },
      elsewhere: [{ account: 'staking', kind: 'locked', amount: '2' }],
    },
  ],
  unread: [
    { account: 'classic', reason: 'not_served' },
    { account: 'earn', reason: 'not_served' },
    { account: 'sub-accounts', reason: 'not_served' },
  ],
  names: { [route.savings]: 'savings', [route.staking]: 'staking', [route.valuation]: 'other accounts' },
};
