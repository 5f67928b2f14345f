import { RevokeApiKey, type ProjectIdentity } from '#access';
import { ConnectWallet } from '#wallet';
import { authorizedAs } from '#wallet/testing';
import { SetConnectProject } from '../projects/set-connect-project.js';
import { createConnectBed, type ConnectBed, type OpenedByBrowser } from '../testing/connect-harness.js';
import { SweepSessions } from './sweep-sessions.js';

const LEASE_MS = 60_000;
const PAGE = 'https://shop.example';

describe('what a session ends with', () => {
  let bed: ConnectBed;
  let project: ProjectIdentity;

  beforeAll(async () => {
    bed = await createConnectBed();
  });
  afterAll(() => bed.close());
  beforeEach(async () => {
    project = await bed.fresh();
  });

  const credentials = () =>
    bed.db.query<{ id: string }>(
      `select c.sealed->>'id' as id from wallet_credentials c join wallets w on w.id = c.wallet_id where w.project_id = $1`,
      [project.id],
    );
  const expectRefused = async ({ idem }: OpenedByBrowser, { finished = false } = {}): Promise<void> => {
    expect(await bed.sessionOf(idem)).toMatchObject({ state: 'failed', error: { type: 'GENERIC_INVALID_REQUEST' } });
    expect(await bed.toldOf(idem)).toEqual(['GENERIC_INVALID_REQUEST']);
    // What was refused before cost no authorization.
    expect(bed.authorizations.revoked).toEqual(finished ? ['refresh-finished'] : []);
  };
  const keyOf = async ({ idem }: OpenedByBrowser): Promise<string> => {
    const [row] = await bed.db.query<{ id: string }>(`select api_key_id as id from connect_sessions where idem = $1`, [
      idem,
    ]);
    return row?.id ?? 'none';
  };

  it('replaces nothing when the API key that asked for it was revoked meanwhile', async () => {
    expect(await bed.authorize(await bed.open(project, 'there'))).toBeNull();
    const before = await credentials();
    const opened = await bed.open(project, 'there');
    await bed.get(RevokeApiKey).execute(await keyOf(opened), 'tests');
    expect(await bed.authorize(opened)).toBeInstanceOf(Error);
    expect(await credentials()).toEqual(before);
    await expectRefused(opened);
  });

  it('replaces nothing when that key is revoked while the exchange is asked', async () => {
    expect(await bed.authorize(await bed.open(project, 'there'))).toBeNull();
    const before = await credentials();
    const opened = await bed.open(project, 'there');
    const key = await keyOf(opened);
    bed.script.finish = async () => {
      await bed.get(RevokeApiKey).execute(key, 'tests');
      return authorizedAs('finished');
    };
    expect(await bed.authorize(opened)).toBeInstanceOf(Error);
    expect(await credentials()).toEqual(before);
    await expectRefused(opened, { finished: true });
  });

  it('connects nothing when that key has expired', async () => {
    const opened = await bed.open(project);
    const expired = [await keyOf(opened), bed.clock.now()];
    await bed.db.query(`update api_keys set expires_at = $2 where id = $1`, expired);
    await bed.authorize(opened);
    expect(await credentials()).toEqual([]);
    await expectRefused(opened);
  });

  describe('without an API key', () => {
    const allow = (browserConnects: boolean, origins: string[]) =>
      bed.get(SetConnectProject).execute(project.id, { browserConnects, origins, returnUrls: [] }, 'tests');

    it('is a wallet while the project lets the page do it', async () => {
      await allow(true, [PAGE]);
      expect(await bed.authorize(await bed.open(project, 'of-a-page', PAGE))).toBeNull();
      expect(await credentials()).toHaveLength(1);
    });

    it.each<[string, boolean, string[]]>([
      ['pages may not begin any more', false, [PAGE]],
      ['this page is not registered any more', true, ['https://other.example']],
    ])('is nothing when %s', async (_, browserConnects, origins) => {
      await allow(true, [PAGE]);
      const opened = await bed.open(project, 'of-a-page', PAGE);
      await allow(browserConnects, origins);
      await bed.authorize(opened);
      expect(await credentials()).toEqual([]);
      await expectRefused(opened);
    });
  });

  it('is its wallet, whatever could not be read after it was stored', async () => {
    const connectWallet = bed.get(ConnectWallet);
    const real = connectWallet.execute.bind(connectWallet);
    const thenFails: typeof real = async (...args) => {
      await real(...args);
      throw new Error('the connection to the database was lost');
    };
    const opened = await bed.open(project);
    Object.assign(connectWallet, { execute: thenFails });
    const error = await bed.authorize(opened).finally(() => Object.assign(connectWallet, { execute: real }));
    expect(error).toBeNull();
    expect(await bed.sessionOf(opened.idem)).toEqual({ state: 'connected', attempts: 0, error: null });
    expect(await bed.toldOf(opened.idem)).toEqual([true]);
    expect(bed.authorizations.revoked).toEqual([]);
    expect(await credentials()).toHaveLength(1);
  });

  it('is no success of an attempt that came too late, though another one has connected', async () => {
    const opened = await bed.open(project);
    const { asked, answer } = bed.holdFinish();
    const late = bed.authorize(opened);
    await asked;
    bed.clock.advance(LEASE_MS + 1);
    await bed.get(SweepSessions).execute();
    bed.script.reset();
    expect(await bed.authorize(opened)).toBeNull();
    answer(authorizedAs('late'));
    expect(await late).toBeInstanceOf(Error);
    expect(bed.authorizations.revoked).toEqual(['refresh-late']);
    expect(await bed.sessionOf(opened.idem)).toMatchObject({ state: 'connected' });
  });
});
