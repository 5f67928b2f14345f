/**
 * transaction/testing: chain APIs that answer as their documentation shows, on a stub at the other end of a real socket.
 */
export { esploraTransaction, JsonRpcNode, type EsploraFacts, type EvmTransfer } from './chain-documentation.js';
