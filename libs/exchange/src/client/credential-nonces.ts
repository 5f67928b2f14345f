import { OverBudget } from '../transport/call-queue.js';
import type { ExclusiveNonce, Nonces } from '../nonces/nonces.js';

/** Taking a nonce failed, and nothing was sent to the exchange. */
export class NonceNotTaken extends Error {
  constructor(cause: unknown) {
    super('no nonce could be taken', { cause });
  }
}

/** Takes the nonces of one credential. */
export class CredentialNonces {
  constructor(
    private readonly nonces: Nonces,
    private readonly owner: Buffer,
    private readonly waitMaxMs: number,
  ) {}

  /**
   * Takes a nonce for a read.
   * @throws OverBudget when a submission with the same key takes too long, else NonceNotTaken.
   */
  forRead(): Promise<number> {
    return this.nonces.take(this.owner, this.waitMaxMs).catch(rethrow);
  }

  /** Like `forRead`, and keeps other processes from taking a nonce of this credential until this nonce is released. */
  forSubmission(): Promise<ExclusiveNonce> {
    return this.nonces.takeExclusive(this.owner, this.waitMaxMs).catch(rethrow);
  }
}

function rethrow(error: unknown): never {
  throw error instanceof OverBudget ? error : new NonceNotTaken(error);
}
