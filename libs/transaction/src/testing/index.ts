/**
 * transaction/testing: responses of chain APIs as in their documentation, which a stub serves over real sockets; and
 * the history sync with parts that a test provides.
 */
export { esploraTransaction, JsonRpcNode, type EsploraFacts, type EvmTransfer } from './chain-documentation.js';
export { historySyncPorts, syncOver, type HistorySyncPorts } from './history-sync.js';
