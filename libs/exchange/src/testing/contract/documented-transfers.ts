import type { DocumentedTransfers } from './documented-transfer.js';
import { moreTransfers } from './documented-transfers-more.js';

const HASH = '35bf0e588a42b25c71a9d45abe7308cabdeec6b7b423910b9bd4743d3a9a9efa';

/** By the name of the contract. The pages are those that the contract names. */
export const documentedTransfers: Readonly<Record<string, DocumentedTransfers>> = {
  ...moreTransfers,
  // developers.binance.com/docs/wallet/capital: withdraw-history, deposite-history
  binance: {
    withdrawal: {
      entry: {
        ...{ id: 'b6ae22b3aa844210a7041aee7589627c', amount: '8.91000000', transactionFee: '0.004', coin: 'USDT' },
        ...{ status: 6, address: '0x94df8b352de7f46f64b01d3666bf6e936e44ce60', addressTag: '1917', network: 'ETH' },
        ...{ txId: `0x${HASH}`, applyTime: '2019-10-12 11:12:02', transferType: 0, confirmNo: 3, walletType: 1 },
        ...{ withdrawOrderId: 'WITHDRAWtest123', info: 'information', txKey: 'key' },
        completeTime: '2019-10-12 16:52:41',
      },
      expected: {
        ...{ exchangeId: 'b6ae22b3aa844210a7041aee7589627c', rawStatus: '6', asset: 'USDT', amount: '8.91' },
        ...{ fee: '0.004', feeAsset: 'USDT', network: 'ethereum', exchangeNetwork: 'ETH', tag: '1917' },
        ...{ address: '0x94df8b352de7f46f64b01d3666bf6e936e44ce60', hash: `0x${HASH}` },
        ...{ clientRef: 'WITHDRAWtest123', at: '2019-10-12T11:12:02.000Z' },
      },
      statuses: { 0: 'pending', 1: 'canceled', 2: 'pending', 3: 'failed', 4: 'pending', 5: 'failed', 99: 'pending' },
    },
    deposit: {
      entry: {
        ...{ id: '769800519366885376', amount: '0.001', coin: 'USDC', network: 'BSC', status: 1 },
        ...{ address: '0x9ac1e0b2', addressTag: '101764890', txId: HASH, insertTime: 1661493146000 },
        ...{ completeTime: 1661493147000, transferType: 0, confirmTimes: '1/1', unlockConfirm: 2, walletType: 3 },
        ...{ travelRuleStatus: 0, sourceAddress: '0x7bd2' },
      },
      expected: {
        ...{ exchangeId: '769800519366885376', rawStatus: '1', asset: 'USDC', amount: '0.001', fee: null },
        // Explorers write the hashes of EVM chains with 0x.
        ...{ feeAsset: null, network: 'bsc', exchangeNetwork: 'BSC', hash: `0x${HASH}` },
        ...{ address: '0x9ac1e0b2', tag: '101764890', at: '2022-08-26T05:52:26.000Z' },
      },
      statuses: { 0: 'pending', 2: 'failed', 6: 'pending', 7: 'pending', 8: 'pending', 99: 'pending' },
    },
  },
  // www.okx.com/docs-v5/en: #funding-account-rest-api-get-withdrawal-history, …-get-deposit-history
  okx: {
    withdrawal: {
      entry: {
        ...{ note: 'a note', chain: 'ETH-Ethereum', fee: '0.007', feeCcy: 'ETH', ccy: 'ETH', clientId: 'client1' },
        ...{ toAddrType: '1', amt: '0.029809', txId: `0x${HASH}`, from: '156359', areaCodeFrom: '86', tag: '77' },
        ...{ to: '0xa30d1fab7CF18C7B6C579', areaCodeTo: '87', state: '2', ts: '1655251200000', wdId: '15447421' },
        nonTradableAsset: false,
      },
      expected: {
        ...{ exchangeId: '15447421', rawStatus: '2', asset: 'ETH', amount: '0.029809', fee: '0.007', tag: '77' },
        ...{ feeAsset: 'ETH', network: 'ethereum', exchangeNetwork: 'ETH-Ethereum', hash: `0x${HASH}` },
        ...{ address: '0xa30d1fab7CF18C7B6C579', clientRef: 'client1', at: '2022-06-15T00:00:00.000Z' },
      },
      statuses: {
        ...{
          '-3': 'pending',
          '-2': 'canceled',
          '-1': 'failed',
          0: 'pending',
          1: 'pending',
          4: 'pending',
          5: 'pending',
        },
        ...{ 6: 'pending', 7: 'pending', 8: 'pending', 9: 'pending', 10: 'pending', 12: 'pending', 15: 'pending' },
        ...{ 16: 'pending', 17: 'pending', 19: 'pending', 99: 'pending' },
      },
    },
    deposit: {
      entry: {
        ...{ actualDepBlkConfirm: '4', amt: '1.5', areaCodeFrom: '', ccy: 'USDT', chain: 'USDT-TRC20', from: '' },
        ...{ depId: '88165462', fromWdId: '9', state: '2', to: 'TN4hGjVXMzy9b4N1aGizqs', ts: '1674038705000' },
        ...{ txId: HASH, tag: '78' },
      },
      expected: {
        ...{ exchangeId: '88165462', rawStatus: '2', asset: 'USDT', amount: '1.5', fee: null, feeAsset: null },
        ...{ network: 'tron', exchangeNetwork: 'USDT-TRC20', hash: HASH, tag: '78' },
        ...{ address: 'TN4hGjVXMzy9b4N1aGizqs', at: '2023-01-18T10:45:05.000Z' },
      },
      statuses: {
        ...{ 0: 'pending', 1: 'pending', 8: 'pending', 11: 'pending', 12: 'pending', 13: 'pending', 14: 'pending' },
        ...{ 17: 'pending', 99: 'pending' },
      },
    },
  },
  // github.com/bybit-exchange/docs, 24 July 2026: docs/v5/asset/withdraw/withdraw-record.mdx,
  // docs/v5/asset/deposit/deposit-record.mdx, docs/v5/enum.mdx. It is not documented whether an amount has its fee.
  bybit: {
    withdrawal: {
      entry: {
        ...{ coin: 'USDT', chain: 'ETH', amount: '77', txID: `0x${HASH}`, status: 'success', tag: '79' },
        ...{ toAddress: '0x99ced129603abc771c0dabe935c326ff6c86645d', withdrawFee: '10', createTime: '1670922217000' },
        ...{ updateTime: '1670922218000', withdrawId: '9197', withdrawType: 0 },
      },
      expected: {
        ...{ exchangeId: '9197', rawStatus: 'success', asset: 'USDT', amount: '77', fee: null, feeAsset: null },
        ...{ network: 'ethereum', exchangeNetwork: 'ETH', hash: `0x${HASH}`, tag: '79' },
        ...{ address: '0x99ced129603abc771c0dabe935c326ff6c86645d', at: '2022-12-13T09:03:37.000Z' },
      },
      statuses: {
        ...{ SecurityCheck: 'pending', Pending: 'pending', BlockchainConfirmed: 'pending', CancelByUser: 'canceled' },
        ...{ MoreInformationRequired: 'pending', Reject: 'failed', Fail: 'failed', Unknown: 'pending', New: 'pending' },
      },
    },
    deposit: {
      entry: {
        ...{ id: '160237231', coin: 'USDT', chain: 'ETH', amount: '10000', txID: `0x${HASH}`, status: 3, tag: '80' },
        ...{ toAddress: '0x5e3b', depositFee: '', successAt: '1672134274000', confirmations: '12', txIndex: '1' },
        ...{ blockHash: '0xbb', batchReleaseLimit: '-1', depositType: '0', fromAddress: '0xf0' },
      },
      expected: {
        ...{ exchangeId: '160237231', rawStatus: '3', asset: 'USDT', amount: '10000', fee: null, feeAsset: null },
        ...{ network: 'ethereum', exchangeNetwork: 'ETH', hash: `0x${HASH}`, tag: '80' },
        ...{ address: '0x5e3b', at: '2022-12-27T09:44:34.000Z' },
      },
      statuses: {
        ...{ 0: 'pending', 1: 'pending', 2: 'pending', 4: 'failed', 7: 'pending', 70011: 'failed', 70012: 'ok' },
        ...{ 70013: 'pending', 10011: 'pending', 10012: 'pending', 99: 'pending' },
      },
    },
  },
  // www.kucoin.com/docs-new/rest: account-info/withdrawals/get-withdrawal-history, …/deposit/get-deposit-history.
  // Deposits have no id, so their id consists of values that never change.
  kucoin: {
    withdrawal: {
      entry: {
        ...{ id: '5c2dc64e03aa675aa263f1ac', currency: 'USDT', chain: 'trx', status: 'SUCCESS', isInner: false },
        ...{ address: 'rNFugeoj3ZN8Wv6xhuLegUBBPXKCyWLRkB', memo: '1919537769', amount: '20.5', fee: '0.2' },
        ...{ walletTxId: HASH, createdAt: 1546503758000, updatedAt: 1546504603000, remark: 'test', arrears: false },
      },
      expected: {
        ...{ exchangeId: '5c2dc64e03aa675aa263f1ac', rawStatus: 'SUCCESS', asset: 'USDT', amount: '20.5', fee: '0.2' },
        ...{ feeAsset: 'USDT', network: 'tron', exchangeNetwork: 'trx', hash: HASH, tag: '1919537769' },
        ...{ address: 'rNFugeoj3ZN8Wv6xhuLegUBBPXKCyWLRkB', clientRef: 'test', at: '2019-01-03T08:22:38.000Z' },
      },
      statuses: {
        ...{ REVIEW: 'pending', PROCESSING: 'pending', WALLET_PROCESSING: 'pending', FAILURE: 'failed' },
        THAWED: 'pending',
      },
    },
    deposit: {
      entry: {
        ...{ currency: 'XRP', chain: 'xrp', status: 'SUCCESS', address: 'rNFugeoj', memo: '1919537770' },
        ...{ isInner: false, amount: '20.6', fee: '0.3', walletTxId: `${HASH}@e8902757998fc352e6c9d8890d18a71c` },
        ...{ createdAt: 1666600519000, updatedAt: 1666600549000, remark: 'Deposit', arrears: false },
      },
      expected: {
        exchangeId: `XRP ${HASH}@e8902757998fc352e6c9d8890d18a71c rNFugeoj 1919537770 20.6 1666600519000`,
        ...{ rawStatus: 'SUCCESS', asset: 'XRP', amount: '20.6', fee: null, feeAsset: null, network: 'ripple' },
        ...{ exchangeNetwork: 'xrp', hash: HASH, tag: '1919537770', address: 'rNFugeoj' },
        at: '2022-10-24T08:35:19.000Z',
      },
      statuses: { PROCESSING: 'pending', FAILURE: 'failed', THAWED: 'pending' },
    },
  },
};
