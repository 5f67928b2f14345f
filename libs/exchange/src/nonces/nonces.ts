import { createHash } from 'node:crypto';
import type { Clock } from '#platform/clock';
import { OverBudget } from '../transport/call-queue.js';

/**
 * Longest time that a submission blocks higher nonces, even if its process dies. A submission takes its nonce when its
 * connection is open, so its bytes reach the exchange long before this time ends.
 */
export const EXCLUSIVE_MS = 5_000;
/** Interval of retries while another call holds the exclusive right. */
const POLL_MS = 20;

/** A nonce with an exclusive right: no other call gets a higher nonce until `release`, for at most `EXCLUSIVE_MS`. */
export interface ExclusiveNonce {
  readonly nonce: number;
  readonly release: () => Promise<void>;
}

/**
 * Identifies the withdrawals that an exchange counts together, such as those of one coin on one chain.
 * @param account the exchange's id of the account, or the API key where the exchange reports no id
 */
export function spacingOwner(baseUrl: string, account: string, counted: readonly string[]): Buffer {
  return createHash('sha256')
    .update(JSON.stringify(['spacing', baseUrl, account, ...counted]))
    .digest();
}

/** Identifies the API key whose nonces are counted. Wallets with the same key at the same exchange share the nonces. */
export function nonceOwner(baseUrl: string, apiKey: string): Buffer {
  return createHash('sha256').update(`${baseUrl} ${apiKey}`).digest();
}

/**
 * Gives nonces to the calls of API keys. Each nonce of a key is higher than all earlier ones, in all processes. It is
 * at least the time in epoch milliseconds, so that nonces still rise after the stored ones are lost.
 */
export abstract class Nonces {
  constructor(private readonly clock: Clock) {}

  /**
   * Takes a nonce for a call that may be repeated. If a call with a higher nonce reaches the exchange first, the
   * exchange refuses this call.
   * @throws OverBudget when a submission with the same API key takes longer than `waitMaxMs`.
   */
  take(owner: Buffer, waitMaxMs: number): Promise<number> {
    return this.taken(owner, null, waitMaxMs);
  }

  /**
   * Takes a nonce for a submission. No other call of the key gets a higher nonce until the submission releases it.
   * @throws OverBudget when other submissions with the same key take longer than `waitMaxMs`.
   */
  async takeExclusive(owner: Buffer, waitMaxMs: number): Promise<ExclusiveNonce> {
    const holder = this.clock.newId();
    const nonce = await this.taken(owner, holder, waitMaxMs);
    // If the release fails, the right still ends after EXCLUSIVE_MS.
    return { nonce, release: () => this.release(owner, holder).catch(() => undefined) };
  }

  /**
   * Takes an exclusive right that no call releases: it ends after `periodMs`. So at most one call of all processes gets
   * it in each period.
   * @throws OverBudget with the remaining time, while an earlier call holds the right.
   */
  async takeForPeriod(owner: Buffer, periodMs: number): Promise<void> {
    if ((await this.tryTake(owner, this.clock.newId(), periodMs)) !== null) return;
    throw new OverBudget('the exchange counts an equal call that is too recent', await this.leftMs(owner, periodMs));
  }

  /**
   * @param holder the id of the call that gets the exclusive right; null = the call needs no exclusive right.
   * @param exclusiveMs the time until the right ends if no call releases it.
   * @returns null while another call holds the right.
   */
  protected abstract tryTake(owner: Buffer, holder: string | null, exclusiveMs: number): Promise<number | null>;

  /** The remaining time of the exclusive right; 0 = it has ended. At most `exclusiveMs`. */
  protected abstract leftMs(owner: Buffer, exclusiveMs: number): Promise<number>;

  protected abstract release(owner: Buffer, holder: string): Promise<void>;

  private async taken(owner: Buffer, holder: string | null, waitMaxMs: number): Promise<number> {
    const began = this.clock.monotonicMs();
    for (;;) {
      const nonce = await this.tryTake(owner, holder, EXCLUSIVE_MS);
      if (nonce !== null) return nonce;
      if (this.clock.monotonicMs() - began >= waitMaxMs) {
        throw new OverBudget('a submission with the same key takes too long');
      }
      await this.clock.sleep(POLL_MS);
    }
  }
}
