import type { ProjectIdentity } from '#access';
import { AuthorizationError } from '#exchange';
import { Secret } from '#platform/crypto';
import { RateLimitExceeded } from '#platform/errors';
import { fails } from '#wallet/testing';
import { createConnectBed, type ConnectBed } from '../testing/connect-harness.js';
import { SubmitKey } from './pasted-key.js';

/** Failed connects of a project at an exchange in a minute. */
const FAILURES = 10;

describe('failed connects on the hosted page', () => {
  let bed: ConnectBed;
  let project: ProjectIdentity;

  beforeAll(async () => {
    bed = await createConnectBed();
  });
  afterAll(() => bed.close());
  beforeEach(async () => {
    project = await bed.fresh();
  });

  const paste = async (index: number): Promise<string> => {
    const { token, browser, idem } = await bed.open(project);
    const key = { apiKey: new Secret(`key-${index}`), apiSecret: new Secret('secret') };
    await bed.get(SubmitKey).execute(token, browser, key);
    return idem;
  };

  it('keep pasted keys from the exchange once too many were refused, and cost the owner no attempt', async () => {
    bed.exchanges.keyInfo = fails('credentials_invalid');
    for (let index = 0; index < FAILURES; index += 1) await paste(index);
    expect(bed.exchanges.opened).toHaveLength(FAILURES);
    const idem = await paste(FAILURES);
    expect(bed.exchanges.opened).toHaveLength(FAILURES);
    expect(await bed.sessionOf(idem)).toMatchObject({
      state: 'opened',
      attempts: 0,
      error: { type: 'GENERIC_RATE_LIMIT_EXCEEDED' },
    });
    expect(await bed.toldOf(idem)).toEqual(['GENERIC_RATE_LIMIT_EXCEEDED']);
  });

  it('keep codes of an authorization from the exchange once too many brought no token', async () => {
    let asked = 0;
    bed.script.finish = () => {
      asked += 1;
      return Promise.reject(new AuthorizationError('exchange_failed', 'kraken', 'invalid_grant'));
    };
    for (let time = 0; time < FAILURES; time += 1) await bed.authorize(await bed.open(project));
    expect(asked).toBe(FAILURES);
    expect(await bed.authorize(await bed.open(project))).toBeInstanceOf(RateLimitExceeded);
    expect(asked).toBe(FAILURES);
  });
});
