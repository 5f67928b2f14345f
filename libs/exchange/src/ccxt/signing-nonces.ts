import { OverBudget } from '../transport/call-queue.js';
import type { ExclusiveNonce, Nonces } from '../nonces/nonces.js';

/**
 * Keeps the nonce with which each ccxt instance signs its next request. ccxt reads the nonce synchronously while it
 * signs, so the nonce is taken in advance. `CallQueue` runs the calls of one instance one after the other.
 */
export class SigningNonces {
  private readonly next = new WeakMap<object, number>();

  give(instance: object, nonce: number): void {
    this.next.set(instance, nonce);
  }

  /** Returns the nonce and removes it. @throws when no nonce was taken for this request */
  use(instance: object): number {
    const nonce = this.next.get(instance);
    if (nonce === undefined) throw new Error('no nonce was taken for this request');
    this.next.delete(instance);
    return nonce;
  }
}

/** Taking a nonce failed, and nothing was sent to the exchange. */
export class NonceNotTaken extends Error {
  constructor(cause: unknown) {
    super('no nonce could be taken', { cause });
  }
}

/** Takes the nonces of one credential for the instance that signs its calls. */
export class CredentialNonces {
  constructor(
    private readonly nonces: Nonces,
    private readonly signing: SigningNonces,
    private readonly credential: { owner: Buffer; instance: object; waitMaxMs: number },
  ) {}

  /**
   * Takes a nonce for a read.
   * @throws OverBudget when a submission with the same key takes too long, else NonceNotTaken.
   */
  async forRead(): Promise<void> {
    const { owner, instance, waitMaxMs } = this.credential;
    this.signing.give(instance, await this.nonces.take(owner, waitMaxMs).catch(rethrow));
  }

  /** Like `forRead`, and keeps other processes from taking a nonce of this credential until this nonce is released. */
  async forSubmission(): Promise<ExclusiveNonce> {
    const { owner, instance, waitMaxMs } = this.credential;
    const exclusive = await this.nonces.takeExclusive(owner, waitMaxMs).catch(rethrow);
    this.signing.give(instance, exclusive.nonce);
    return exclusive;
  }
}

function rethrow(error: unknown): never {
  throw error instanceof OverBudget ? error : new NonceNotTaken(error);
}
