import type { CallOptions, Input } from './call.js';
import { Connect } from './connect.js';
import { Operations } from './generated/operations.js';
import { eachEntry, type Entry, type ListId } from './pages.js';
import { Transport, type CausewayOptions } from './transport.js';
import { Withdrawals } from './withdrawals.js';

/** The client of one installation. Each operation of the service is a method; the groups below do whole tasks. */
export class Causeway extends Operations {
  /** Whole withdrawals, with their verification. */
  readonly withdrawals: Withdrawals;
  /** Accounts that are connected by their owners. */
  readonly connect: Connect;

  constructor(private readonly options: CausewayOptions) {
    const transport = new Transport(options);
    super(transport);
    this.withdrawals = new Withdrawals(this);
    this.connect = new Connect(this, transport);
  }

  /** Returns this client for one wallet: its requests need no `walletId`. */
  forWallet(walletId: string): Causeway {
    return new Causeway({ ...this.options, walletId });
  }

  /**
   * Yields every entry of a list, and reads the pages as they are needed:
   *
   *     for await (const transaction of causeway.each('listTransactions', { asset: 'BTC' })) …
   */
  each<Id extends ListId>(
    list: Id,
    ...[input, options]: object extends Input<Id> ? [Input<Id>?, CallOptions?] : [Input<Id>, CallOptions?]
  ): AsyncGenerator<Entry<Id>, void, undefined> {
    return eachEntry(this, list, (input ?? {}) as Input<Id>, options);
  }
}
