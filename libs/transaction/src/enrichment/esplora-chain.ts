import { z } from 'zod';
import { addressMatches, canonicalAddress, type Network } from '#exchange';
import { Amount } from '#money';
import { ChainCalls, type ChainEndpoint } from './chain-calls.js';
import type { Chain, ChainQuestion, ChainTransfer } from './chain.js';

const TXID = /^[0-9a-f]{64}$/i;
const UNITS_PER_COIN = Amount.of('1e8');
/** Number of confirmed transactions on one page of an address. */
const PAGE_SIZE = 25;

const output = z.object({
  scriptpubkey_address: z
    .string()
    .regex(/^[\x21-\x7e]{1,128}$/)
    .optional(),
  // The value in the smallest unit; at most 2^53 - 1, so that it is exact.
  value: z.int().nonnegative(),
});
const transaction = z.object({
  txid: z.string().regex(TXID),
  vin: z.array(z.object({ prevout: output.nullish() })),
  vout: z.array(output),
  status: z.discriminatedUnion('confirmed', [
    z.object({ confirmed: z.literal(true), block_height: z.int().nonnegative(), block_time: z.int().positive() }),
    z.object({ confirmed: z.literal(false) }),
  ]),
});
type EsploraTransaction = z.infer<typeof transaction>;

/** Limits of a search for a transfer without a known hash. */
export interface SearchLimits {
  /** Longest time between the transfer and its block. */
  readonly windowMs: number;
  /** Maximum number of pages of an address that are read. */
  readonly pages: number;
}

/** A bitcoin-like chain behind Esplora (github.com/Blockstream/esplora, API.md). */
export class EsploraChain implements Chain {
  constructor(
    private readonly endpoint: ChainEndpoint,
    private readonly network: Network,
    private readonly search: SearchLimits,
  ) {}

  canFind({ hash, addressTo }: ChainQuestion): boolean {
    if (hash !== null) return TXID.test(hash);
    return addressTo !== null && addressMatches(this.network.addressRegex, addressTo);
  }

  async find(question: ChainQuestion): Promise<ChainTransfer | null> {
    const calls = new ChainCalls(this.endpoint);
    const { hash } = question;
    const found = hash === null ? await this.searchFor(question, calls) : await this.read(hash, question, calls);
    return found === null ? null : toTransfer(found);
  }

  private async read(
    hash: string,
    { addressTo }: ChainQuestion,
    calls: ChainCalls,
  ): Promise<EsploraTransaction | null> {
    const answer = await calls.get(`/tx/${hash.toLowerCase()}`);
    // A 404 with an HTML page does not come from Esplora, so it is an error.
    if (answer.status === 404 && !answer.body.trimStart().startsWith('<')) return null;
    return calls.read(answer, (body) => {
      const found = transaction.parse(body);
      if (found.txid.toLowerCase() !== hash.toLowerCase()) throw new Error('the response is about another transaction');
      if (addressTo !== null && paidTo(found, addressTo).length === 0)
        throw new Error('the transaction does not pay the expected address');
      return found;
    });
  }

  /**
   * Returns the confirmed transaction that pays `amount` to `addressTo` near the time `at`; null unless exactly one
   * transaction does.
   */
  private async searchFor(
    { addressTo, amount, at }: ChainQuestion,
    calls: ChainCalls,
  ): Promise<EsploraTransaction | null> {
    const units = toUnits(amount);
    if (addressTo === null || units === null) return null;
    const paying: EsploraTransaction[] = [];
    const oldest = at.getTime() - this.search.windowMs;
    let path = `/address/${encodeURIComponent(addressTo)}/txs`;
    for (let pages = 0; pages < this.search.pages; pages++) {
      const page = calls.read(await calls.get(path), (body) => z.array(transaction).parse(body));
      for (const one of page) {
        const outputs = paidTo(one, addressTo).filter(({ value }) => BigInt(value) === units);
        if (this.isNear(one, at)) paying.push(...outputs.map(() => one));
      }
      const confirmed = page.flatMap(({ txid, status }) => (status.confirmed ? [{ txid, at: status.block_time }] : []));
      const last = confirmed.at(-1);
      if (last === undefined || confirmed.length < PAGE_SIZE || last.at * 1_000 < oldest) return theOnly(paying);
      path = `/address/${encodeURIComponent(addressTo)}/txs/chain/${last.txid}`;
    }
    // The pages that were not read may contain another transaction that fits.
    return null;
  }

  private isNear({ status }: EsploraTransaction, at: Date): boolean {
    return !status.confirmed || Math.abs(status.block_time * 1_000 - at.getTime()) <= this.search.windowMs;
  }
}

/**
 * Returns the transaction if `paying` contains exactly one and it is confirmed. An unconfirmed transaction may still be
 * replaced by one with another hash.
 */
function theOnly(paying: readonly EsploraTransaction[]): EsploraTransaction | null {
  const [one, another] = paying;
  return one !== undefined && another === undefined && one.status.confirmed ? one : null;
}

function paidTo({ vout }: EsploraTransaction, address: string): EsploraTransaction['vout'] {
  const wanted = canonicalAddress(address);
  return vout.filter(({ scriptpubkey_address: to }) => to !== undefined && canonicalAddress(to) === wanted);
}

function toTransfer({ txid, vin, status }: EsploraTransaction): ChainTransfer {
  const senders = new Set(vin.map(({ prevout }) => prevout?.scriptpubkey_address ?? null));
  const [sender = null] = senders;
  return {
    hash: txid.toLowerCase(),
    addressFrom: senders.size === 1 ? sender : null,
    block: status.confirmed ? { height: status.block_height, at: new Date(status.block_time * 1_000) } : null,
    isReverted: false,
  };
}

/**
 * Converts the amount into the smallest unit; null when it is not a whole number of units, so that no transaction on
 * the chain can pay it.
 */
function toUnits(amount: Amount): bigint | null {
  const units = amount.times(UNITS_PER_COIN);
  return units.decimalPlaces() === 0 ? BigInt(units.toString()) : null;
}
