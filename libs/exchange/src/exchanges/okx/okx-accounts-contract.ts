import { json, type OtherAccountsContract } from '../../testing/contract/exchange-contract.js';

const route = {
  savings: 'GET /api/v5/finance/savings/balance',
  staking: 'GET /api/v5/finance/staking-defi/orders-active',
  valuation: 'GET /api/v5/asset/asset-valuation',
  subAccounts: 'GET /api/v5/users/subaccount/list',
  funding: 'GET /api/v5/asset/subaccount/balances',
  trading: 'GET /api/v5/account/subaccount/balances',
} as const;

const subAccount = (subAcct: string) => ({
  canTransOut: false,
  enable: true,
  frozenFunc: [],
  gAuth: false,
  label: 'D456DDDLx',
  mobile: '',
  subAcct,
  ts: '1659334756000',
  type: '1',
  uid: '3400',
  subAcctLv: '1',
  firstLvSubAcct: subAcct,
  ifDma: false,
});
const ok = (...data: unknown[]) => json({ code: '0', msg: '', data });

/**
 * The other accounts: the samples of www.okx.com/docs-v5/en, sections "GET / Saving balance", "GET / Active orders" of
 * on-chain earn (without some fields) and "Get account asset valuation", compared with the copy of 27 June 2026 in
 * qiuham/crypto-api-docs. So were the sub-accounts: "Get sub-account list", "Get sub-account funding balance" and "Get
 * sub-account trading balance", without most fields of the latter. The frozen amount is ours.
 */
export const okxOtherAccounts: OtherAccountsContract = {
  calls: {
    [route.savings]: {
      parameters: { ccy: 'text?' },
      answer: ok({
        earnings: '0.0010737388791526',
        redemptAmt: '',
        rate: '0.0100000000000000',
        ccy: 'USDT',
        amt: '11.0010737453457821',
        loanAmt: '11.0010630707982819',
        pendingAmt: '0.0000106745475002',
      }),
    },
    [route.staking]: {
      parameters: { productId: 'text?', protocolType: 'text?', ccy: 'text?', state: 'text?' },
      answer: ok({
        ordId: '2413499',
        ccy: 'DOT',
        productId: '101',
        state: '1',
        protocol: 'Polkadot',
        protocolType: 'defi',
        term: '0',
        apy: '0.1014',
        investData: [{ ccy: 'DOT', amt: '2' }],
        purchasedTime: '1729839328000',
        earningData: [{ ccy: 'DOT', earningType: '0', earnings: '0.10615025' }],
      }),
    },
    [route.valuation]: {
      parameters: { ccy: 'text?' },
      answer: ok({
        details: { classic: '124.6', earn: '1122.73', funding: '0.09', trading: '2544.28' },
        totalBal: '3790.09',
        ts: '1637566660769',
      }),
    },
    [route.subAccounts]: {
      parameters: { enable: 'text?', subAcct: 'text?', after: 'integer?', before: 'integer?', limit: 'integer?' },
      answer: ok(subAccount('D456DDDL')),
    },
    [route.funding]: {
      parameters: { subAcct: 'text', ccy: 'text?' },
      answer: ok({ availBal: '37.11827078', bal: '38.11827078', ccy: 'ETH', frozenBal: '1' }),
    },
    [route.trading]: {
      parameters: { subAcct: 'text' },
      answer: ok({
        adjEq: '101.46752000000001',
        totalEq: '101.46752000000001',
        uTime: '1739332269934',
        details: [{ ccy: 'USDT', availBal: '101.5', cashBal: '101.5', eq: '101.5', frozenBal: '0', liab: '0' }],
      }),
    },
  },
  expected: [
    {
      asset: 'USDT',
      free: '11.0010737453457821',
      used: '0',
      total: '11.0010737453457821',
      withdrawable: '0',
      elsewhere: [
        { account: 'savings', kind: 'earning', amount: '11.0010737453457821' },
        { account: 'sub-account D456DDDL', kind: 'sub_account', amount: '101.5' },
      ],
    },
    {
      asset: 'ETH',
      free: '0',
      used: '0',
      total: '0',
      withdrawable: '0',
      elsewhere: [{ account: 'sub-account D456DDDL', kind: 'sub_account', amount: '38.11827078' }],
    },
    {
      asset: 'DOT',
      free: '0',
      used: '2',
      total: '2',
      withdrawable: '0',
      elsewhere: [{ account: 'staking', kind: 'locked', amount: '2' }],
    },
  ],
  unread: [
    { account: 'classic', reason: 'not_served' },
    { account: 'earn', reason: 'not_served' },
    { account: 'savings and staking of sub-accounts', reason: 'not_served' },
  ],
  names: {
    [route.savings]: 'savings',
    [route.staking]: 'staking',
    [route.valuation]: 'other accounts',
    [route.subAccounts]: 'sub-accounts',
  },
  subAccounts: {
    list: route.subAccounts,
    none: ok(),
    further: [route.funding, route.trading],
    bound: {
      max: 10,
      // "The maximum is 100. The default is 100."
      many: (count) => ({
        [route.subAccounts]: ok(...Array.from({ length: Math.min(count, 100) }, (_, index) => subAccount(`s${index}`))),
      }),
    },
  },
};
