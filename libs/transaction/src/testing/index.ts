/**
 * transaction/testing: chain APIs that answer as their documentation shows, on a stub at the other end of a real socket;
 * and the sync of histories with parts that a test owns.
 */
export { esploraTransaction, JsonRpcNode, type EsploraFacts, type EvmTransfer } from './chain-documentation.js';
export { historySyncPorts, syncOver, type HistorySyncPorts } from './history-sync.js';
