import { Inject, Injectable } from '@nestjs/common';
import type { ProjectContext } from '#access';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { assertOutsideTransaction } from '#platform/database';
import { logFailedWork } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';
import { Metrics } from '#platform/metrics';
import type { Transaction } from '../history/transaction.entity.js';
import { Transactions } from '../history/transactions.service.js';
import type { Chain, ChainQuestion, ChainTransfer } from './chain.js';
import { Chains } from './chains.js';
import { EnrichmentApiError, EnrichmentNetworkNotSupported, EnrichmentTimeout } from './enrichment.errors.js';
import { EnrichmentStore } from './enrichment-store.js';

/** Longest time by which a block may be ahead of our clock. Nodes accept blocks that are up to two hours ahead. */
const AHEAD_MAX_MS = 7_200_000;

/** Reads hash, sender and block of a transaction from its chain. It only adds to what the exchange has reported. */
@Injectable()
export class EnrichTransaction {
  private readonly count;

  constructor(
    private readonly store: EnrichmentStore,
    private readonly chains: Chains,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.count = metrics.counter({
      name: 'causeway_enrichments_total',
      help: 'Look-ups of transactions at chain APIs, by outcome.',
      labels: ['network', 'outcome'],
    });
  }

  /**
   * Makes a look-up for a caller.
   * @returns the transaction with all facts known after it.
   * @throws NotFound, EnrichmentNetworkNotSupported, EnrichmentTimeout, EnrichmentApiError
   */
  async now(project: Pick<ProjectContext, 'id'>, id: string): Promise<Transaction> {
    const transaction = await this.transactions.get(project, id);
    const chain = this.chains.find(transaction.network);
    if (chain === null) throw new EnrichmentNetworkNotSupported(transaction.network);
    const question = questionOf(transaction);
    if (question === null || !chain.canFind(question)) return transaction;
    if (!(await this.store.claim(transaction.id, { isAttempt: false }))) return transaction;
    await this.ask(chain, transaction, question);
    return this.transactions.get(project, id);
  }

  /**
   * Makes a look-up for the worker when the row is due. Repeated runs do no harm: the second run finds that the chain
   * was just queried, and does nothing.
   */
  async whenDue(id: string): Promise<void> {
    const transaction = await this.store.find(id);
    const chain = transaction === null ? null : this.chains.find(transaction.network);
    if (transaction === null || chain === null) return;
    const question = questionOf(transaction);
    if (question === null || !chain.canFind(question)) return this.store.postpone(id, null);
    const searchAt = this.searchAt(transaction);
    if (searchAt > this.clock.now()) return this.store.postpone(id, searchAt);
    if (!(await this.store.claim(id, { isAttempt: true }))) return;
    await this.ask(chain, transaction, question).catch((error: unknown) => {
      if (!(error instanceof EnrichmentTimeout || error instanceof EnrichmentApiError)) throw error;
      const facts = { network: transaction.network };
      logFailedWork(this.logger, error, 'a look-up at a chain failed; a later job tries again', facts);
    });
  }

  /**
   * Returns when the chain may be queried. Before the chain is searched, the exchange has some time to report a hash.
   */
  private searchAt({ hash, createdAt }: Transaction): Date {
    const graceMs = hash === null ? this.config.constants.ENRICHMENT_SEARCH_AFTER_SECONDS * 1_000 : 0;
    return new Date(createdAt.getTime() + graceMs);
  }

  private async ask(chain: Chain, transaction: Transaction, question: ChainQuestion): Promise<void> {
    assertOutsideTransaction('a call to a chain');
    const { network } = transaction;
    try {
      const found = await chain.find(question);
      this.refuseFuture(network, found);
      const isCertain = transaction.hash !== null || found === null || !(await this.store.hasDuplicate(transaction));
      if (found !== null && isCertain) await this.store.record(transaction, found);
      this.count.inc({ network, outcome: isCertain ? outcomeOf(found) : 'ambiguous' });
    } catch (error) {
      this.count.inc({ network, outcome: error instanceof EnrichmentTimeout ? 'timeout' : 'error' });
      throw error;
    }
  }

  private refuseFuture(network: string, found: ChainTransfer | null): void {
    const aheadMs = (found?.block?.at.getTime() ?? 0) - this.clock.now().getTime();
    if (aheadMs > AHEAD_MAX_MS) throw new EnrichmentApiError(network, new Error('the block is in the future'));
  }
}

/** Returns null when there is nothing to query: the facts are known, or the transaction will never be on a chain. */
function questionOf({ hash, addressTo, amount, occurredAt, ...row }: Transaction): ChainQuestion | null {
  if (row.confirmedAt !== null || row.supersededBy !== null) return null;
  if (row.status === 'failed' || row.status === 'canceled') return null;
  return { hash, addressTo, amount, at: occurredAt };
}

function outcomeOf(found: ChainTransfer | null): string {
  if (found === null) return 'not_found';
  if (found.isReverted) return 'reverted';
  return found.block === null ? 'pending' : 'confirmed';
}
