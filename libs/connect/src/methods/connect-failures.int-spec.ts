import type { ProjectIdentity } from '#access';
import { AuthorizationError } from '#exchange';
import { Secret } from '#platform/crypto';
import { RateLimitExceeded } from '#platform/errors';
import { fails } from '#wallet/testing';
import { noConnectSettings } from '../projects/connect-projects.service.js';
import { SetConnectProject } from '../projects/set-connect-project.js';
import { createConnectHarness, type ConnectHarness, type OpenedByBrowser } from '../testing/connect-harness.js';
import { SubmitKey } from './pasted-key.js';

/** Limit of failed connects of one project at one exchange per minute, if each has failed at another client. */
const FAILURES = 30;
const PAGE = 'https://shop.example';

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

  const pasteFrom = async (address: string, { token, browser, idem }: OpenedByBrowser): Promise<string> => {
    const key = { apiKey: new Secret(`key of ${idem}`), apiSecret: new Secret('secret') };
    await harness.get(SubmitKey).execute(token, { browser, address }, key);
    return idem;
  };
  const paste = async (): Promise<string> => pasteFrom('192.0.2.1', await harness.open(project));
  const openKeyless = (): Promise<OpenedByBrowser> => harness.open(project, undefined, PAGE);

  it('block further pasted keys before the exchange is called; a blocked key costs the owner no attempt', async () => {
    harness.exchanges.keyInfo = fails('credentials_invalid');
    for (let index = 0; index < FAILURES; index += 1) await paste();
    expect(harness.exchanges.opened).toHaveLength(FAILURES);
    const idem = await paste();
    expect(harness.exchanges.opened).toHaveLength(FAILURES);
    expect(await harness.sessionOf(idem)).toMatchObject({
      state: 'opened',
      attempts: 0,
      error: { type: 'GENERIC_RATE_LIMIT_EXCEEDED' },
    });
    expect(await harness.publishedOf(idem)).toEqual(['GENERIC_RATE_LIMIT_EXCEEDED']);
  });

  it('of clients without an API key do not block the sessions that an API key has begun', async () => {
    const settings = { ...noConnectSettings, browserConnects: true, origins: [PAGE] };
    await harness.get(SetConnectProject).execute(project.id, settings, 'tests');
    harness.exchanges.keyInfo = fails('credentials_invalid');
    for (let index = 0; index < FAILURES; index += 1) await pasteFrom(`192.0.2.${index}`, await openKeyless());
    const keyless = await pasteFrom('198.51.100.1', await openKeyless());
    expect(await harness.sessionOf(keyless)).toMatchObject({ error: { type: 'GENERIC_RATE_LIMIT_EXCEEDED' } });
    expect(harness.exchanges.opened).toHaveLength(FAILURES);
    const begunWithKey = await paste();
    expect(await harness.sessionOf(begunWithKey)).toMatchObject({ error: { type: 'WALLET_INVALID_CREDENTIALS' } });
  });

  it('of all networks in the /48 of an IPv6 address count together', async () => {
    const settings = { ...noConnectSettings, browserConnects: true, origins: [PAGE] };
    await harness.get(SetConnectProject).execute(project.id, settings, 'tests');
    harness.exchanges.keyInfo = fails('credentials_invalid');
    for (const network of ['1', '2', 'ff', 'ffff']) await pasteFrom(`2001:db8:1:${network}::1`, await openKeyless());
    const fifth = await pasteFrom('2001:db8:1:3::1', await openKeyless());
    expect(await harness.sessionOf(fifth)).toMatchObject({ error: { type: 'GENERIC_RATE_LIMIT_EXCEEDED' } });
    const elsewhere = await pasteFrom('2001:db8:2::1', await openKeyless());
    expect(await harness.sessionOf(elsewhere)).toMatchObject({ error: { type: 'WALLET_INVALID_CREDENTIALS' } });
  });

  it('block further authorization codes before the exchange is called', async () => {
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
