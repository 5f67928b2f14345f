import { ProviderError } from '#exchange';
import { InvalidRequest } from '#platform/errors';

/** What the restored database has forgotten of this wallet must be asked of its exchange first; a call before may have paid. */
export class DatabaseRestored extends ProviderError {
  constructor() {
    const message =
      'The database was restored, and the wallet is not yet compared with its exchange; this call sent nothing, but an earlier one may have';
    super(message, { reason: 'database_restored' });
  }
}

/** The exchange shows an equal withdrawal that the restored database does not know: this one could pay it twice. */
export class UnsettledRecord extends InvalidRequest {
  constructor(exchangeTransactionId: string) {
    super('The exchange shows a withdrawal of the same amount to the same address that an operator has not settled', {
      status: 409,
      details: { result: { transactionId: null, exchangeTransactionId } },
    });
  }
}
