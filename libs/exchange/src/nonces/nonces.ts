import { createHash } from 'node:crypto';
import type { Clock } from '#platform/clock';
import { OverBudget } from '../transport/call-queue.js';

/**
 * How long a submission keeps all others from a higher nonce at most, also when its process dies. Its connection stands
 * when it takes the nonce, so that its bytes are at the exchange long before.
 */
export const EXCLUSIVE_MS = 5_000;
/** Between two looks at a right that another call has. */
const POLL_MS = 20;

/** A nonce, with the right that no other call of ours gets a higher one until `release`, or for `EXCLUSIVE_MS`. */
export interface ExclusiveNonce {
  readonly nonce: number;
  readonly release: () => Promise<void>;
}

/** The API key that counts the nonces: wallets with the same key at the same exchange share them. */
export function nonceOwner(baseUrl: string, apiKey: string): Buffer {
  return createHash('sha256').update(`${baseUrl} ${apiKey}`).digest();
}

/**
 * The nonces of all credentials: each is higher than every one before it, whichever process took that. They follow the
 * time in milliseconds, so that a source that has forgotten everything goes on above the nonces it gave.
 */
export abstract class Nonces {
  constructor(private readonly clock: Clock) {}

  /**
   * For a call that may be repeated: its nonce can be overtaken on the way.
   * @throws OverBudget when a submission with the same key takes longer than `waitMaxMs`.
   */
  take(owner: Buffer, waitMaxMs: number): Promise<number> {
    return this.taken(owner, null, waitMaxMs);
  }

  /**
   * For a submission, which must not be overtaken.
   * @throws OverBudget when other submissions with the same key take longer than `waitMaxMs`.
   */
  async takeExclusive(owner: Buffer, waitMaxMs: number): Promise<ExclusiveNonce> {
    const holder = this.clock.newId();
    const nonce = await this.taken(owner, holder, waitMaxMs);
    // A right that cannot be given back ends by itself.
    return { nonce, release: () => this.release(owner, holder).catch(() => undefined) };
  }

  /** @param holder who gets the exclusive right with the nonce; null = no call. @returns null while another has it. */
  protected abstract tryTake(owner: Buffer, holder: string | null): Promise<number | null>;

  protected abstract release(owner: Buffer, holder: string): Promise<void>;

  private async taken(owner: Buffer, holder: string | null, waitMaxMs: number): Promise<number> {
    const began = this.clock.monotonicMs();
    for (;;) {
      const nonce = await this.tryTake(owner, holder);
      if (nonce !== null) return nonce;
      if (this.clock.monotonicMs() - began >= waitMaxMs) {
        throw new OverBudget('a submission with the same key takes too long');
      }
      await this.clock.sleep(POLL_MS);
    }
  }
}
