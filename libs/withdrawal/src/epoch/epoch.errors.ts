import { ProviderError } from '#exchange';
import { Conflict } from '#platform/errors';

/** The database was restored, and this wallet is not yet compared with its exchange: an earlier call may have paid. */
export class DatabaseRestored extends ProviderError {
  constructor() {
    const message =
      'The database was restored, and the wallet is not yet compared with its exchange. This call sent nothing, but an earlier call may have sent the withdrawal; repeat this call with the same quote in some minutes';
    super(message, { reason: 'database_restored' });
  }
}

/**
 * The exchange shows an equal withdrawal that the restored database does not contain, so an execution could pay twice.
 */
export class UnsettledRecord extends Conflict {
  constructor(exchangeTransactionId: string) {
    super(
      'The exchange shows a withdrawal of the same amount to the same address, which the restored database does not contain; an operator must check it first',
      { result: { transactionId: null, exchangeTransactionId } },
    );
  }
}

/**
 * The database was restored after the quote was created, so an execution of the quote may be missing in it. A new quote
 * could pay twice.
 */
export class ExecutionMayBeLost extends Conflict {
  constructor() {
    super(
      'The database was restored after this quote was created, so an execution of the quote may be missing in it. This call sent nothing; look for the withdrawal in the history of the account at the exchange before you request a new quote',
      { result: { reason: 'database_restored', transactionId: null } },
    );
  }
}
