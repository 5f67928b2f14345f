/**
 * transaction/testing: chain APIs that respond as their documentation shows, on a stub at the other end of a real
 * socket; and the history sync with parts that a test provides.
 */
export { esploraTransaction, JsonRpcNode, type EsploraFacts, type EvmTransfer } from './chain-documentation.js';
export { historySyncPorts, syncOver, type HistorySyncPorts } from './history-sync.js';
