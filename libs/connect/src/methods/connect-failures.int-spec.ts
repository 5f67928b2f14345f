import type { ProjectIdentity } from '#access';
import { AuthorizationError } from '#exchange';
import { Secret } from '#platform/crypto';
import { RateLimitExceeded } from '#platform/errors';
import { fails } from '#wallet/testing';
import { createConnectHarness, type ConnectHarness } from '../testing/connect-harness.js';
import { SubmitKey } from './pasted-key.js';

/** Limit of failed connects of one project at one exchange per minute. */
const FAILURES = 10;

describe('failed connects on the hosted page', () => {
  let harness: ConnectHarness;
  let project: ProjectIdentity;

  beforeAll(async () => {
    harness = await createConnectHarness();
  });
  afterAll(() => harness.close());
  beforeEach(async () => {
    project = await harness.fresh();
  });

  const paste = async (index: number): Promise<string> => {
    const { token, browser, idem } = await harness.open(project);
    const key = { apiKey: new Secret(`key-${index}`), apiSecret: new Secret('secret') };
    await harness.get(SubmitKey).execute(token, browser, key);
    return idem;
  };

  it('block further pasted keys before the exchange is asked, and cost the owner no attempt', async () => {
    harness.exchanges.keyInfo = fails('credentials_invalid');
    for (let index = 0; index < FAILURES; index += 1) await paste(index);
    expect(harness.exchanges.opened).toHaveLength(FAILURES);
    const idem = await paste(FAILURES);
    expect(harness.exchanges.opened).toHaveLength(FAILURES);
    expect(await harness.sessionOf(idem)).toMatchObject({
      state: 'opened',
      attempts: 0,
      error: { type: 'GENERIC_RATE_LIMIT_EXCEEDED' },
    });
    expect(await harness.publishedOf(idem)).toEqual(['GENERIC_RATE_LIMIT_EXCEEDED']);
  });

  it('block further authorization codes before the exchange is asked', async () => {
    let asked = 0;
    harness.script.finish = () => {
      asked += 1;
      return Promise.reject(new AuthorizationError('exchange_failed', 'kraken', 'invalid_grant'));
    };
    for (let time = 0; time < FAILURES; time += 1) await harness.authorize(await harness.open(project));
    expect(asked).toBe(FAILURES);
    expect(await harness.authorize(await harness.open(project))).toBeInstanceOf(RateLimitExceeded);
    expect(asked).toBe(FAILURES);
  });
});
