import { ProviderError } from '#exchange';
import { InvalidRequest } from '#platform/errors';

/** The database was restored, and this wallet is not yet compared with its exchange: an earlier call may have paid. */
export class DatabaseRestored extends ProviderError {
  constructor() {
    const message =
      'The database was restored, and the wallet is not yet compared with its exchange; this call sent nothing, but an earlier call may have';
    super(message, { reason: 'database_restored' });
  }
}

/** The exchange shows an equal withdrawal that the restored database does not know, so this one could pay twice. */
export class UnsettledRecord extends InvalidRequest {
  constructor(exchangeTransactionId: string) {
    super('The exchange shows a withdrawal of the same amount to the same address; an operator must check it first', {
      status: 409,
      details: { result: { transactionId: null, exchangeTransactionId } },
    });
  }
}
