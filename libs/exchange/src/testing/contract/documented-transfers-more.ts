import type { DocumentedTransfers } from './documented-transfer.js';

const HASH = '9cb1e0b3a4a9c3f1d2e4b5a6978877665544332211ffeeddccbbaa0099887766';
const [FROM, TO] = ['TXYZ1sPmEt7aGizqsN4hGjVXMzy9b4N1aG', 'TBQh7oK3sVv1uCeMYH7RpCxgPZp8pVbq4k'];

const bitgetStatuses = { pending: 'pending', fail: 'failed', reviewing: 'pending' } as const;

/** More of `documentedTransfers`. */
export const moreTransfers: Readonly<Record<string, DocumentedTransfers>> = {
  // github.com/gateio/gateapi-go, July 2025: docs/WithdrawalRecord.md, docs/DepositRecord.md. The amount of a
  // withdrawal contains its fee (github.com/ccxt/ccxt/pull/17071).
  gate: {
    withdrawal: {
      entry: {
        ...{
          id: '210496',
          timestamp: '1542000000',
          withdraw_order_id: 'order_123456',
          currency: 'USDT',
          status: 'DONE',
        },
        ...{ address: TO, txid: HASH, amount: '222.61', fee: '0.01', memo: '81', chain: 'TRX', block_number: '73' },
        ...{ fail_reason: '', timestamp2: '1542000600' },
      },
      expected: {
        ...{ exchangeId: '210496', rawStatus: 'DONE', asset: 'USDT', amount: '222.6', fee: '0.01', feeAsset: 'USDT' },
        ...{ network: 'tron', exchangeNetwork: 'TRX', hash: HASH, tag: '81', address: TO, clientRef: 'order_123456' },
        at: '2018-11-12T05:20:00.000Z',
      },
      statuses: {
        ...{ CANCEL: 'canceled', REQUEST: 'pending', MANUAL: 'pending', BCODE: 'pending', EXTPEND: 'pending' },
        ...{ FAIL: 'pending', INVALID: 'failed', VERIFY: 'pending', PROCES: 'pending', PEND: 'pending' },
        ...{ DMOVE: 'pending', REVIEW: 'pending', SPLITPEND: 'pending', NEW: 'pending' },
      },
    },
    deposit: {
      entry: {
        ...{
          id: '210497',
          timestamp: '1542000001',
          withdraw_order_id: 'order_123457',
          currency: 'USDT',
          status: 'DONE',
        },
        ...{ address: TO, txid: HASH, amount: '222.62', memo: '82', chain: 'TRX' },
      },
      expected: {
        ...{ exchangeId: '210497', rawStatus: 'DONE', asset: 'USDT', amount: '222.62', fee: null, feeAsset: null },
        ...{ network: 'tron', exchangeNetwork: 'TRX', hash: HASH, tag: '82', address: TO },
        at: '2018-11-12T05:20:01.000Z',
      },
      statuses: {
        ...{ REVIEW: 'pending', PEND: 'pending', INVALID: 'failed', TRACK: 'pending', BLOCKED: 'pending' },
        ...{ DEP_CREDITED: 'pending', NEW: 'pending' },
      },
    },
  },
  // www.bitget.com/api-doc/spot/account: Get-Withdraw-Record, Get-Deposit-Record. Fees are negative. Only on Lightning
  // it is documented that the amount does not contain the fee.
  bitget: {
    withdrawal: {
      entry: {
        ...{ orderId: '1083832260799930368', tradeId: HASH, coin: 'BTC', clientOid: '123', type: 'withdraw' },
        ...{ dest: 'on_chain', size: '0.00012', fee: '-0.00003', status: 'success', toAddress: TO, fromAddress: FROM },
        ...{ confirm: '100', chain: 'lightning', tag: '83', cTime: '1653290769000', uTime: '1653290770000' },
      },
      expected: {
        ...{ exchangeId: '1083832260799930368', rawStatus: 'success', asset: 'BTC', amount: '0.00012', fee: '0.00003' },
        ...{ feeAsset: 'BTC', network: 'lightning', exchangeNetwork: 'lightning', hash: HASH, tag: '83', address: TO },
        ...{ clientRef: '123', at: '2022-05-23T07:26:09.000Z' },
      },
      statuses: bitgetStatuses,
    },
    deposit: {
      entry: {
        ...{ orderId: '1083832260799930369', tradeId: HASH, coin: 'USDT', type: 'deposit', size: '19.44' },
        ...{ dest: 'on_chain', status: 'success', toAddress: TO, fromAddress: FROM, chain: 'TRC20', confirm: '1' },
        ...{ tag: '84', cTime: '1658129720000', uTime: '1658129724000' },
      },
      expected: {
        ...{ exchangeId: '1083832260799930369', rawStatus: 'success', asset: 'USDT', amount: '19.44', fee: null },
        ...{ feeAsset: null, network: 'tron', exchangeNetwork: 'TRC20', hash: HASH, tag: '84', address: TO },
        at: '2022-07-18T07:35:20.000Z',
      },
      statuses: bitgetStatuses,
    },
  },
  // www.bitget.com/api-doc/uta/account: withdrawal/Get-Withdrawal-Records, deposit/Get-Deposit-Records
  'bitget-unified': {
    withdrawal: {
      entry: {
        ...{ orderId: '1111', recordId: HASH, coin: 'BTC', clientOid: '124', type: 'withdraw', dest: 'on_chain' },
        ...{ size: '10', fee: '1.5', status: 'success', toAddress: TO, fromAddress: FROM, chain: 'lightning' },
        ...{ confirm: '100', tag: '85', createdTime: '1653290769000', updatedTime: '1653290770000' },
      },
      expected: {
        ...{ exchangeId: '1111', rawStatus: 'success', asset: 'BTC', amount: '10', fee: '1.5', feeAsset: 'BTC' },
        ...{ network: 'lightning', exchangeNetwork: 'lightning', hash: HASH, tag: '85', address: TO, clientRef: '124' },
        at: '2022-05-23T07:26:09.000Z',
      },
      statuses: bitgetStatuses,
    },
    deposit: {
      entry: {
        ...{ orderId: '1112', recordId: HASH, coin: 'USDT', type: 'deposit', dest: 'on_chain', size: '200.5' },
        ...{ status: 'success', toAddress: TO, fromAddress: FROM, chain: 'trc20', tag: '86' },
        ...{ createdTime: '1658129720000', updatedTime: '1658129724000' },
      },
      expected: {
        ...{ exchangeId: '1112', rawStatus: 'success', asset: 'USDT', amount: '200.5', fee: null, feeAsset: null },
        ...{ network: 'tron', exchangeNetwork: 'trc20', hash: HASH, tag: '86', address: TO },
        at: '2022-07-18T07:35:20.000Z',
      },
      statuses: bitgetStatuses,
    },
  },
  // www.bitstamp.net/api: GetWithdrawalRequests, GetCryptoUserTransactions. Records have no fees and no reference.
  bitstamp: {
    withdrawal: {
      entry: {
        ...{ id: 4711, datetime: '2022-01-31 16:07:32', type: 1, currency: 'XRP', network: 'xrpl', amount: '0.00006' },
        ...{ status: 2, address: 'rE1sdh25BJQ3qFwngiTBwaq3zPGGYcrjp1?dt=1455', transaction_id: HASH },
      },
      expected: {
        ...{ exchangeId: '4711', rawStatus: '2', asset: 'XRP', amount: '0.00006', fee: null, feeAsset: null },
        ...{ network: 'ripple', exchangeNetwork: 'xrpl', hash: HASH, tag: '1455', at: '2022-01-31T16:07:32.000Z' },
        address: 'rE1sdh25BJQ3qFwngiTBwaq3zPGGYcrjp1',
      },
      statuses: { 0: 'pending', 1: 'pending', 3: 'canceled', 4: 'failed', 11: 'failed', 99: 'pending' },
    },
    deposit: {
      entry: {
        ...{ id: 4712, currency: 'XRP', network: 'xrpl', amount: '0.0003', datetime: 1643650052, txid: HASH },
        ...{ destinationAddress: 'rE1sdh25BJQ3qFwngiTBwaq3zPGGYcrjp1?dt=1456', status: 'FINALIZED' },
      },
      expected: {
        ...{ exchangeId: '4712', rawStatus: 'FINALIZED', asset: 'XRP', amount: '0.0003', fee: null, feeAsset: null },
        ...{ network: 'ripple', exchangeNetwork: 'xrpl', hash: HASH, tag: '1456', at: '2022-01-31T17:27:32.000Z' },
        address: 'rE1sdh25BJQ3qFwngiTBwaq3zPGGYcrjp1',
      },
      statuses: { REVERTED: 'failed', REJECTED: 'failed', PENDING: 'pending' },
    },
  },
  // docs.cdp.coinbase.com/coinbase-app: track-apis/transactions. The amount of a send contains its fee. `idem` is our
  // reference with another digit of the version.
  coinbase: {
    withdrawal: {
      entry: {
        ...{ id: '57ffb4ae-0c59-5430-bcd3-3f98f797a66c', type: 'send', status: 'completed' },
        ...{ amount: { amount: '-0.00133', currency: 'BTC' }, native_amount: { amount: '-0.01', currency: 'USD' } },
        ...{ description: 'a gift', created_at: '2015-03-11T13:13:35-07:00', updated_at: '2015-03-26T15:55:43-07:00' },
        ...{ resource: 'transaction', idem: 'df087dce-92a8-45cf-b112-60aad22c0976' },
        network: {
          ...{ status: 'confirmed', hash: HASH, name: 'bitcoin' },
          ...{ transaction_fee: { amount: '0.00033', currency: 'BTC' } },
          ...{ transaction_amount: { amount: '0.001', currency: 'BTC' } },
        },
        to: { resource: 'bitcoin_address', address: '1AUJ8z5RuHRTqD1eikyfUUetzGmdWLGkpT' },
      },
      expected: {
        ...{ exchangeId: '57ffb4ae-0c59-5430-bcd3-3f98f797a66c', rawStatus: 'completed', asset: 'BTC', fee: '0.00033' },
        ...{ amount: '0.001', feeAsset: 'BTC', network: 'bitcoin', exchangeNetwork: 'bitcoin', hash: HASH, tag: null },
        ...{ address: '1AUJ8z5RuHRTqD1eikyfUUetzGmdWLGkpT', clientRef: 'df087dce92a875cfb11260aad22c0976' },
        at: '2015-03-11T20:13:35.000Z',
      },
      statuses: {
        ...{ pending: 'pending', failed: 'failed', expired: 'failed', canceled: 'canceled', new: 'pending' },
        ...{ waiting_for_signature: 'pending', waiting_for_clearing: 'pending' },
      },
    },
    deposit: {
      entry: {
        ...{ id: '0031a605-241d-514d-a97b-d4b99f3225d3', type: 'receive', status: 'completed' },
        ...{ amount: { amount: '0.000142', currency: 'BTC' }, native_amount: { amount: '9.85', currency: 'USD' } },
        ...{ description: 'a gift', created_at: '2024-03-29T15:48:30Z', updated_at: '2024-03-29T15:49:30Z' },
        network: { status: 'confirmed', hash: HASH, network_name: 'bitcoin' },
        to: { resource: 'bitcoin_address', address: '1BUJ8z5RuHRTqD1eikyfUUetzGmdWLGkpT' },
      },
      expected: {
        ...{ exchangeId: '0031a605-241d-514d-a97b-d4b99f3225d3', rawStatus: 'completed', asset: 'BTC', fee: null },
        ...{
          amount: '0.000142',
          feeAsset: null,
          network: 'bitcoin',
          exchangeNetwork: 'bitcoin',
          hash: HASH,
          tag: null,
        },
        ...{ address: '1BUJ8z5RuHRTqD1eikyfUUetzGmdWLGkpT', at: '2024-03-29T15:48:30.000Z' },
      },
      statuses: { pending: 'pending', failed: 'failed', expired: 'failed', canceled: 'canceled', new: 'pending' },
    },
  },
  // developer.gemini.com/rest/fund-management: List Past Transfers
  gemini: {
    withdrawal: {
      entry: {
        ...{ type: 'Withdrawal', status: 'Complete', timestampms: 1535451930000, eid: 341167014, currency: 'ETH' },
        ...{ amount: '1', feeAmount: '0.002', feeCurrency: 'ETH', txHash: HASH, network: 'ethereum' },
        ...{ destination: '0xa63123350Acc8F5ee1b1fBd1A6717135e82dBd28', withdrawalId: '0004', purpose: 'Transfer' },
        ...{ outputIdx: 5, method: 'CryptoCapital' },
      },
      expected: {
        ...{ exchangeId: '0004', rawStatus: 'Complete', asset: 'ETH', amount: '1', fee: '0.002', feeAsset: 'ETH' },
        ...{ network: 'ethereum', exchangeNetwork: 'ethereum', hash: `0x${HASH}`, tag: null },
        ...{ address: '0xa63123350Acc8F5ee1b1fBd1A6717135e82dBd28', at: '2018-08-28T10:25:30.000Z' },
      },
      statuses: { Pending: 'pending', Advanced: 'pending', New: 'pending' },
    },
    deposit: {
      entry: {
        ...{ type: 'Deposit', status: 'Complete', timestampms: 1507913541000, eid: 320013281, currency: 'ETH' },
        ...{ amount: '36', feeAmount: '0.5', feeCurrency: 'ETH', txHash: HASH, network: 'ethereum', outputIdx: 5 },
        ...{ destination: '0xb63123350Acc8F5ee1b1fBd1A6717135e82dBd28', method: 'ACH', purpose: 'Transfer' },
      },
      expected: {
        ...{ exchangeId: '320013281', rawStatus: 'Complete', asset: 'ETH', amount: '36', fee: '0.5', feeAsset: 'ETH' },
        ...{ network: 'ethereum', exchangeNetwork: 'ethereum', hash: `0x${HASH}`, tag: null },
        ...{ address: '0xb63123350Acc8F5ee1b1fBd1A6717135e82dBd28', at: '2017-10-13T16:52:21.000Z' },
      },
      statuses: { Pending: 'pending', Advanced: 'pending', New: 'pending' },
    },
  },
  // docs.kraken.com/api-reference (spot REST 1.1.0): funding/get-status-recent-withdrawals, …-deposits. The amount is
  // what arrives. Kraken keeps no reference of ours, and its records have no tag.
  kraken: {
    withdrawal: {
      entry: {
        ...{ method: 'Tether USD (TRC20)', network: 'Tron', aclass: 'currency', asset: 'USDT', txid: HASH },
        ...{ refid: 'FTQcuak-V6Za8qrWnhzTx67yYHz8Tg', info: TO, amount: '0.72485', fee: '0.0002' },
        ...{ time: 1688014586, status: 'Success', key: 'wallet-1' },
      },
      expected: {
        ...{ exchangeId: 'FTQcuak-V6Za8qrWnhzTx67yYHz8Tg', rawStatus: 'Success', asset: 'USDT', amount: '0.72485' },
        ...{ fee: '0.0002', feeAsset: 'USDT', network: 'tron', exchangeNetwork: 'Tron', hash: HASH, tag: null },
        ...{ address: TO, at: '2023-06-29T04:56:26.000Z' },
      },
      statuses: {
        ...{ Initial: 'pending', Pending: 'pending', Settled: 'pending', Failure: 'failed', Partial: 'pending' },
      },
    },
    deposit: {
      entry: {
        ...{ method: 'Bitcoin', aclass: 'currency', asset: 'XXBT', refid: 'FTQcuak-V6Za8qrWnhzTx67yYHz8Th' },
        ...{ txid: HASH, info: '2Myd4eaAW96ojk38A2uDK4FbioCayvkEgVq', amount: '0.78125', fee: '0.0003' },
        ...{ time: 1688992722, status: 'Success' },
      },
      expected: {
        ...{ exchangeId: 'FTQcuak-V6Za8qrWnhzTx67yYHz8Th', rawStatus: 'Success', asset: 'BTC', amount: '0.78125' },
        ...{ fee: '0.0003', feeAsset: 'BTC', network: 'bitcoin', exchangeNetwork: 'Bitcoin', hash: HASH, tag: null },
        ...{ address: '2Myd4eaAW96ojk38A2uDK4FbioCayvkEgVq', at: '2023-07-10T12:38:42.000Z' },
      },
      statuses: { Pending: 'pending', Settled: 'pending', Failure: 'failed', Partial: 'pending' },
    },
  },
  // docs/sandbox.md
  sandbox: {
    withdrawal: {
      entry: {
        ...{ id: 'WABCDE-FGHIJ-KLMNOP', reference: 'quote-1', asset: 'ETH', network: 'arbitrum-one', address: TO },
        ...{ tag: '87', amount: '0.01', fee: '0.00015', status: 'confirmed', txHash: HASH, createdAt: 1795000000123 },
      },
      expected: {
        ...{ exchangeId: 'WABCDE-FGHIJ-KLMNOP', rawStatus: 'confirmed', asset: 'ETH', amount: '0.01', fee: '0.00015' },
        ...{ feeAsset: 'ETH', network: 'arbitrum', exchangeNetwork: 'arbitrum-one', hash: HASH, tag: '87' },
        ...{ address: TO, clientRef: 'quote-1', at: '2026-11-18T11:06:40.123Z' },
      },
      statuses: {
        ...{ requested: 'pending', sent: 'pending', failed: 'failed', canceled: 'canceled', sleeping: 'pending' },
      },
    },
    deposit: {
      entry: {
        ...{ id: 'DABCDE-FGHIJ-KLMNOP', asset: 'ETH', network: 'arbitrum-one', address: TO, tag: '88', amount: '1.5' },
        ...{ fee: '0.5', status: 'confirmed', txHash: HASH, createdAt: 1795000000124 },
      },
      expected: {
        ...{ exchangeId: 'DABCDE-FGHIJ-KLMNOP', rawStatus: 'confirmed', asset: 'ETH', amount: '1.5', fee: '0.5' },
        ...{ feeAsset: 'ETH', network: 'arbitrum', exchangeNetwork: 'arbitrum-one', hash: HASH, tag: '88' },
        ...{ address: TO, at: '2026-11-18T11:06:40.124Z' },
      },
      statuses: { arriving: 'pending', failed: 'failed', sleeping: 'pending' },
    },
  },
};
