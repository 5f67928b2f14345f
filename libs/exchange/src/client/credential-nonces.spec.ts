import { Clock } from '#platform/clock';
import { nonceOwner, Nonces } from '../nonces/nonces.js';
import { OverBudget } from '../transport/call-queue.js';
import { CredentialNonces, NonceNotTaken } from './credential-nonces.js';

/** Nonces that cannot be taken. */
class FailingNonces extends Nonces {
  constructor(private readonly error: Error) {
    super(new Clock());
  }

  protected tryTake = (): Promise<never> => Promise.reject(this.error);
  protected leftMs = (): Promise<number> => Promise.resolve(0);
  protected release = (): Promise<void> => Promise.resolve();
}

const failing = (error: Error): CredentialNonces =>
  new CredentialNonces(new FailingNonces(error), nonceOwner('https://api.kraken.com', 'key'), 10);

describe('the nonces of a credential', () => {
  // The caller of a read may try again later, and a submission was not sent.
  it('report that a submission with the same key takes too long as our own limit', async () => {
    const error = new OverBudget('a submission with the same key takes too long');
    await expect(failing(error).forRead()).rejects.toBe(error);
    await expect(failing(error).forSubmission()).rejects.toBe(error);
  });

  it('report every other failure as a nonce that was not taken, with its cause', async () => {
    const cause = new Error('the database cannot be reached');
    for (const failed of [failing(cause).forRead(), failing(cause).forSubmission()])
      await expect(failed).rejects.toMatchObject({ constructor: NonceNotTaken, cause });
  });
});
