import { RevokeApiKey, type ProjectIdentity } from '#access';
import { ConnectWallet } from '#wallet';
import { authorizedAs } from '#wallet/testing';
import { noConnectSettings } from '../projects/connect-projects.service.js';
import { SetConnectProject } from '../projects/set-connect-project.js';
import { createConnectHarness, type ConnectHarness, type OpenedByBrowser } from '../testing/connect-harness.js';
import { SweepSessions } from './sweep-sessions.js';

const LEASE_MS = 60_000;
const PAGE = 'https://shop.example';

describe('a connect session at the end of its authorization', () => {
  let harness: ConnectHarness;
  let project: ProjectIdentity;

  beforeAll(async () => {
    harness = await createConnectHarness();
  });
  afterAll(() => harness.close());
  beforeEach(async () => {
    project = await harness.fresh();
  });

  const credentials = () =>
    harness.db.query<{ id: string }>(
      `select c.sealed->>'id' as id from wallet_credentials c join wallets w on w.id = c.wallet_id where w.project_id = $1`,
      [project.id],
    );
  const expectRefused = async ({ idem }: OpenedByBrowser, { finished = false } = {}): Promise<void> => {
    expect(await harness.sessionOf(idem)).toMatchObject({
      state: 'failed',
      error: { type: 'GENERIC_INVALID_REQUEST' },
    });
    expect(await harness.publishedOf(idem)).toEqual(['GENERIC_INVALID_REQUEST']);
    // A refusal before the authorization leaves nothing to revoke.
    expect(harness.authorizations.revoked).toEqual(finished ? ['refresh-finished'] : []);
  };
  const keyOf = async ({ idem }: OpenedByBrowser): Promise<string> => {
    const [row] = await harness.db.query<{ id: string }>(
      `select api_key_id as id from connect_sessions where idem = $1`,
      [idem],
    );
    return row?.id ?? 'none';
  };

  it('replaces no credentials when the API key with which an application opened it was revoked', async () => {
    expect(await harness.authorize(await harness.open(project, 'there'))).toBeNull();
    const before = await credentials();
    const opened = await harness.open(project, 'there');
    await harness.get(RevokeApiKey).execute(await keyOf(opened), 'tests');
    expect(await harness.authorize(opened)).toBeInstanceOf(Error);
    expect(await credentials()).toEqual(before);
    await expectRefused(opened);
  });

  it('replaces no credentials when the application’s API key is revoked during the call to the exchange', async () => {
    expect(await harness.authorize(await harness.open(project, 'there'))).toBeNull();
    const before = await credentials();
    const opened = await harness.open(project, 'there');
    const key = await keyOf(opened);
    harness.script.finish = async () => {
      await harness.get(RevokeApiKey).execute(key, 'tests');
      return authorizedAs('finished');
    };
    expect(await harness.authorize(opened)).toBeInstanceOf(Error);
    expect(await credentials()).toEqual(before);
    await expectRefused(opened, { finished: true });
  });

  it('connects no wallet when the application’s API key has expired', async () => {
    const opened = await harness.open(project);
    const expired = [await keyOf(opened), harness.clock.now()];
    await harness.db.query(`update api_keys set expires_at = $2 where id = $1`, expired);
    await harness.authorize(opened);
    expect(await credentials()).toEqual([]);
    await expectRefused(opened);
  });

  describe('that began without an API key', () => {
    const allow = (browserConnects: boolean, origins: string[]) =>
      harness.get(SetConnectProject).execute(project.id, { ...noConnectSettings, browserConnects, origins }, 'tests');

    it('connects a wallet while the project allows the page', async () => {
      await allow(true, [PAGE]);
      expect(await harness.authorize(await harness.open(project, 'of-a-page', PAGE))).toBeNull();
      expect(await credentials()).toHaveLength(1);
    });

    it.each<[string, boolean, string[]]>([
      ['pages may no longer begin sessions', false, [PAGE]],
      ['this page is no longer registered', true, ['https://other.example']],
    ])('connects no wallet when %s', async (_, browserConnects, origins) => {
      await allow(true, [PAGE]);
      const opened = await harness.open(project, 'of-a-page', PAGE);
      await allow(browserConnects, origins);
      await harness.authorize(opened);
      expect(await credentials()).toEqual([]);
      await expectRefused(opened);
    });
  });

  it('keeps the connected wallet when an error follows the commit of the connect', async () => {
    const connectWallet = harness.get(ConnectWallet);
    const real = connectWallet.execute.bind(connectWallet);
    const thenFails: typeof real = async (...args) => {
      await real(...args);
      throw new Error('the connection to the database was lost');
    };
    const opened = await harness.open(project);
    Object.assign(connectWallet, { execute: thenFails });
    const error = await harness.authorize(opened).finally(() => Object.assign(connectWallet, { execute: real }));
    expect(error).toBeNull();
    expect(await harness.sessionOf(opened.idem)).toEqual({ state: 'connected', attempts: 0, error: null });
    expect(await harness.publishedOf(opened.idem)).toEqual([true]);
    expect(harness.authorizations.revoked).toEqual([]);
    expect(await credentials()).toHaveLength(1);
  });

  it('does not count a late attempt as successful when another attempt has connected', async () => {
    const opened = await harness.open(project);
    const { asked, answer } = harness.holdFinish();
    const late = harness.authorize(opened);
    await asked;
    harness.clock.advance(LEASE_MS + 1);
    await harness.get(SweepSessions).execute();
    harness.script.reset();
    expect(await harness.authorize(opened)).toBeNull();
    answer(authorizedAs('late'));
    expect(await late).toBeInstanceOf(Error);
    expect(harness.authorizations.revoked).toEqual(['refresh-late']);
    expect(await harness.sessionOf(opened.idem)).toMatchObject({ state: 'connected' });
  });
});
