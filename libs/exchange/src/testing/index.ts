/**
 * exchange/testing: real sessions with a stub exchange behind a real socket, for failures that the sandbox exchange
 * does not simulate, and Kraken's documented responses.
 */
export { createAuthorizations, createExchanges } from './create-exchanges.js';
export { ExchangeHarness } from './exchange-harness.js';
export { documented, refusal, result, speakKraken } from './kraken-documentation.js';
export { DatabaseNonces } from '../nonces/database-nonces.js';
export type { Nonces } from '../nonces/nonces.js';
export { exchanges as declaredExchanges } from '../registry/exchanges.js';
export { MemoryNonces } from '../nonces/memory-nonces.js';
export { StubExchange, type Behaviour, type ReceivedCall } from './stub-exchange.js';
export { ContractStub } from './contract/contract-stub.js';
export type { Reply, SampleOrder } from './contract/exchange-contract.js';
export { orderContracts } from './order-contracts.js';
export { contractSubjects } from './contract/contract-subjects.js';
export { documentedFailures, type FailureName } from './contract/documented-failures.js';
