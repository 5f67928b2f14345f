import type { StubExchange } from './stub-exchange.js';

/** Makes a successful response. Kraken sends errors with HTTP 200, too. */
export const result = (value: unknown): object => ({ error: [], result: value });
export const refusal = (...codes: string[]): object => ({ error: codes });

/** Examples of https://docs.kraken.com/api-reference (spot REST), shortened; orders are plain limit orders. */
export const documented = {
  /** Kraken's reference: market-data/get-asset-info */
  Assets: {
    XXBT: { aclass: 'currency', altname: 'XBT', decimals: 10, display_decimals: 5, status: 'enabled' },
    XETH: { aclass: 'currency', altname: 'ETH', decimals: 10, display_decimals: 5, status: 'enabled' },
    XXDG: { aclass: 'currency', altname: 'XDG', decimals: 8, display_decimals: 2, status: 'enabled' },
    XXRP: { aclass: 'currency', altname: 'XRP', decimals: 8, display_decimals: 5, status: 'enabled' },
    USDT: { aclass: 'currency', altname: 'USDT', decimals: 8, display_decimals: 4, status: 'enabled' },
    ZUSD: { aclass: 'currency', altname: 'USD', decimals: 4, display_decimals: 2, status: 'enabled' },
    'XBT.M': { aclass: 'currency', altname: 'XBT.M', decimals: 10, display_decimals: 5, status: 'enabled' },
  },
  /** Kraken's reference: account-data/get-extended-balance */
  BalanceEx: { ZUSD: { balance: 25435.21, hold_trade: 8249.76 }, XXBT: { balance: '1.2435', hold_trade: '0.8423' } },
  /** Kraken's reference: account-data/get-api-key-info */
  GetApiKeyInfo: {
    apiKeyName: 'my-key',
    nonceWindow: 0,
    permissions: ['query-funds', 'withdraw-funds'],
    iban: 'AA88 N84G WWFL GRPM',
    validUntil: '0',
    queryFrom: '0',
    queryTo: '0',
    createdTime: '1723640437',
    modifiedTime: '1723640437',
    ipAllowlist: ['198.51.100.7', '198.51.100.8'],
    lastUsed: '1723640440',
  },
  /** Kraken's reference: funding/get-withdrawal-methods */
  WithdrawMethods: [
    {
      asset: 'XXBT',
      method: 'Bitcoin',
      method_id: '12fca2ad-edae-4d8c-acbb-4a424c1fbdeb',
      network: 'Bitcoin',
      network_id: 'ee9d686d-aeb6-4e61-9d83-448e3a7511f3',
      minimum: '0.0004',
      fee: { aclass: 'currency', asset: 'XXBT', fee: '0.000015' },
      limits: [],
    },
    {
      asset: 'XXBT',
      method: 'Bitcoin Lightning',
      network: 'Lightning',
      minimum: '0.00001',
      fee: { aclass: 'currency', asset: 'XXBT', fee_percentage: '0.1' },
    },
    { asset: 'XXRP', method: 'Ripple XRP', network: 'Ripple', minimum: '25' },
    { asset: 'ZUSD', method: 'Fedwire', minimum: '100' },
  ],
  /** Kraken's reference: funding/get-withdrawal-addresses */
  WithdrawAddresses: [
    {
      address: 'bc1qxdsh4sdd29h6ldehz0se5c61asq8cgwyjf2y3z',
      asset: 'XBT',
      method: 'Bitcoin',
      key: 'btc-wallet-1',
      verified: true,
    },
  ],
  /** Kraken's reference: funding/withdraw-funds */
  Withdraw: { refid: 'FTQcuak-V6Za8qrWnhzTx67yYHz8Tg' },
  /** Kraken's reference: funding/get-status-of-recent-withdrawals */
  WithdrawStatus: [
    {
      method: 'Bitcoin',
      network: 'Bitcoin',
      aclass: 'currency',
      asset: 'XXBT',
      refid: 'FTQcuak-V6Za8qrWnhzTx67yYHz8Tg',
      txid: '29323ce235cee8dae22503caba7',
      info: 'bc1qxdsh4sdd29h6ldehz0se5c61asq8cgwyjf2y3z',
      amount: '0.72485000',
      fee: '0.00020000',
      time: 1688014586,
      status: 'Pending',
      key: 'btc-wallet-1',
    },
  ],
  /** Kraken's reference: funding/get-status-of-recent-deposits */
  DepositStatus: [
    {
      method: 'Bitcoin',
      aclass: 'currency',
      asset: 'XXBT',
      refid: 'FTQcuak-V6Za8qrWnhzTx67yYHz8Tg',
      txid: '6544b41b607d8b2512baf801755a3a87b6890eacdb451be8a94059fb11f0a8d9',
      info: '2Myd4eaAW96ojk38A2uDK4FbioCayvkEgVq',
      amount: '0.78125000',
      fee: '0.0000000000',
      time: 1688992722,
      status: 'Success',
      'status-prop': 'return',
    },
    {
      method: 'Ether (Hex)',
      aclass: 'currency',
      asset: 'XETH',
      refid: 'FTQcuak-V6Za8qrPnhsTx47yYLz8Tg',
      txid: '0x339c505eba389bf2c6bebb982cc30c6d82d0bd6a37521fa292890b6b180affc0',
      info: '0xca210f4121dc891c9154026c3ae3d1832a005048',
      amount: '0.1383862742',
      time: 1688992722,
      status: 'Settled',
      'status-prop': 'onhold',
      originators: [
        '0x70b6343b104785574db2c1474b3acb3937ab5de7346a5b857a78ee26954e0e2d',
        '0x5b32f6f792904a446226b17f607850d0f2f7533cdc35845bfe432b5b99f55b66',
      ],
    },
  ],
  /** Kraken's reference: account-data/get-ledgers-info */
  Ledgers: {
    ledger: {
      'L4UESK-KG3EQ-UFO4T5': {
        refid: 'TJKLXF-PGMUI-4NTLXU',
        time: 1688464484.1787,
        type: 'trade',
        subtype: '',
        aclass: 'currency',
        asset: 'ZGBP',
        amount: '-24.5000',
        fee: '0.0490',
        balance: '459567.9171',
      },
      'LMKZCZ-Z3GVL-CXKK4H': {
        refid: 'TBZIP2-F6QOU-TMB6FY',
        time: 1688444262.8888,
        type: 'trade',
        subtype: '',
        aclass: 'currency',
        asset: 'ZUSD',
        amount: '0.9852',
        fee: '0.0010',
        balance: '52732.1132',
      },
    },
    count: 2,
  },
  /** Kraken's reference: trading/add-order */
  AddOrder: {
    descr: { order: 'buy 2.12340000 XBTUSD @ limit 25000.1 with 2:1 leverage' },
    txid: ['OUF4EM-FRGI2-MQMWZD'],
  },
  /** Kraken's reference: account-data/get-open-orders */
  OpenOrders: {
    open: {
      'OQCGAF-YRMIQ-AMJTNJ': {
        refid: null,
        userref: 0,
        cl_ord_id: '6d1b345e-2821-40e2-ad83-4ecb18a06876',
        status: 'open',
        opentm: 1616665511.0373,
        starttm: 0,
        expiretm: 0,
        descr: {
          pair: 'XBTUSD',
          type: 'buy',
          ordertype: 'limit',
          price: '24500.0',
          price2: '0',
          leverage: 'none',
          order: 'buy 1.25000000 XBTUSD @ limit 24500.0',
          close: '',
        },
        vol: '1.25000000',
        vol_exec: '0.00000000',
        cost: '0.00000',
        fee: '0.00000',
        price: '0.00000',
        stopprice: '0.00000',
        limitprice: '0.00000',
        misc: '',
        oflags: 'fciq',
      },
    },
  },
  /** Kraken's reference: account-data/get-closed-orders */
  ClosedOrders: {
    closed: {
      'O37652-RJWRT-IMO74O': {
        refid: null,
        userref: 0,
        cl_ord_id: '9cc788d8-9c00-4b25-94d3-26d93603948d',
        status: 'canceled',
        reason: 'User requested',
        opentm: 1688148493.7708,
        closetm: 1688148610.0482,
        starttm: 0,
        expiretm: 0,
        descr: {
          pair: 'XBTGBP',
          type: 'buy',
          ordertype: 'limit',
          price: '23667.0',
          price2: '0',
          leverage: 'none',
          order: 'buy 0.00100000 XBTGBP @ limit 23667.0',
          close: '',
        },
        vol: '0.00100000',
        vol_exec: '0.00000000',
        cost: '0.00000',
        fee: '0.00000',
        price: '0.00000',
        stopprice: '0.00000',
        limitprice: '0.00000',
        misc: '',
        oflags: 'fciq',
      },
    },
    count: 2,
  },
  /** Kraken's reference: account-data/get-orders-info */
  QueryOrders: {
    'OBCMZD-JIEE7-77TH3F': {
      refid: null,
      userref: 0,
      status: 'closed',
      reason: null,
      opentm: 1688665496.7808,
      closetm: 1688665499.1922,
      starttm: 0,
      expiretm: 0,
      descr: {
        pair: 'XBTUSD',
        type: 'buy',
        ordertype: 'limit',
        price: '27500.0',
        price2: '0',
        leverage: 'none',
        order: 'buy 1.25000000 XBTUSD @ limit 27500.0',
        close: '',
      },
      vol: '1.25000000',
      vol_exec: '1.25000000',
      cost: '27526.2',
      fee: '26.2',
      price: '27500.0',
      stopprice: '0.00000',
      limitprice: '0.00000',
      misc: '',
      oflags: 'fciq',
      trades: ['TZX2WP-XSEOP-FP7WYR'],
    },
  },
} as const;

/** Responses in the format that clients of the live exchange have recorded, which differs from the documentation. */
export const recorded = {
  /** get-api-key-info: the recorded names are in snake_case, the documented ones in camel case (`queryFrom`). */
  GetApiKeyInfo: {
    api_key_name: 'my-key',
    api_key: 'key',
    nonce: '1723640440000',
    nonce_window: 0,
    permissions: ['query-funds', 'withdraw-funds'],
    iban: 'AA88 N84G WWFL GRPM',
    valid_until: '1893456000',
    query_from: '0',
    query_to: '0',
    created_time: '1723640437',
    modified_time: '1723640438',
    ip_allowlist: ['198.51.100.7'],
    last_used: '1723640440',
  },
} as const;

/**
 * Makes a stub respond to every endpoint as documented. WithdrawInfo deducts a fixed fee of 0.00015 from the amount.
 */
export function speakKraken(stub: StubExchange): void {
  for (const [endpoint, value] of Object.entries(documented)) stub.on(endpoint, () => result(value));
  // funding/get-withdrawal-information: {method, limit, amount, fee}; amount and limit are net.
  stub.on('WithdrawInfo', ({ params }) => {
    const amount = (BigInt(Math.round(Number(params['amount']) * 1e8)) - 15_000n).toString().padStart(9, '0');
    return result({
      method: 'Bitcoin',
      limit: '332.00956139',
      amount: `${amount.slice(0, -8)}.${amount.slice(-8)}`,
      fee: '0.00015000',
    });
  });
}
