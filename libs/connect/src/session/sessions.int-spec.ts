import type { ProjectIdentity } from '#access';
import { AuthorizationError, type QrLoginState } from '#exchange';
import { Topics } from '#platform/events';
import { authorizedAs } from '#wallet/testing';
import { createConnectBed, type ConnectBed } from '../testing/connect-harness.js';
import { BeginOAuth } from '../methods/begin-oauth.js';
import { CancelSession } from './cancel-session.js';
import { StepOutOfTurn } from './connect.errors.js';
import { BeginQr, ReadQr } from '../methods/qr-login.js';
import { SessionStore, type ConnectSession } from './session-store.js';
import { SweepSessions } from './sweep-sessions.js';

const LEASE_MS = 60_000;
const SESSION_MS = 900_000;
const DAY_MS = 86_400_000;

describe('connect sessions', () => {
  let bed: ConnectBed;
  let project: ProjectIdentity;

  beforeAll(async () => {
    bed = await createConnectBed();
  });
  afterAll(() => bed.close());
  beforeEach(async () => {
    project = await bed.fresh();
  });

  const countWallets = async () =>
    (await bed.db.query(`select from wallets where project_id = $1`, [project.id])).length;
  const readSession = async (idem: string): Promise<ConnectSession> => {
    const found = await bed.get(SessionStore).findByIdem(project.organizationId, idem);
    if (found === null) throw new Error('no such session');
    return found;
  };

  it('connect, and tell of it', async () => {
    const opened = await bed.open(project);
    expect(await bed.authorize(opened)).toBeNull();
    expect(await bed.sessionOf(opened.idem)).toEqual({ state: 'connected', attempts: 0, error: null });
    expect(await bed.toldOf(opened.idem)).toEqual([true]);
  });

  it('connect without an identity that the exchange does not tell', async () => {
    bed.exchanges.capabilities = () => ({ identity: { read: () => Promise.reject(new Error('not now')) } });
    const opened = await bed.open(project);
    expect(await bed.authorize(opened)).toBeNull();
    expect(await countWallets()).toBe(1);
    expect(await bed.db.query(`select from wallet_identities`)).toEqual([]);
  });

  it('connect with the identity that came with the authorization, and ask for no other', async () => {
    const identity = { fullName: 'Ada Lovelace', email: null, iban: null, country: 'GB' };
    let asked = 0;
    const read = () => {
      asked += 1;
      return Promise.resolve({ ...identity, fullName: null });
    };
    bed.exchanges.capabilities = () => ({ identity: { read } });
    bed.script.finish = () => Promise.resolve({ ...authorizedAs('finished'), identity });
    expect(await bed.authorize(await bed.open(project, 'of-ada'))).toBeNull();
    const rows = await bed.db.query(
      `select from wallet_identities i join wallets w on w.id = i.wallet_id where w.project_id = $1`,
      [project.id],
    );
    expect(rows).toHaveLength(1);
    expect(asked).toBe(0);
  });

  it('store all of a connection or nothing, and give back what is of no use', async () => {
    // No database takes it.
    bed.script.finish = () => Promise.resolve({ ...authorizedAs('finished'), scopes: ['\u0000'] });
    const opened = await bed.open(project);
    expect(await bed.authorize(opened)).toBeInstanceOf(Error);
    expect(await countWallets()).toBe(0);
    expect(bed.authorizations.revoked).toEqual(['refresh-finished']);
    // What happened inside is not told.
    expect(await bed.sessionOf(opened.idem)).toMatchObject({
      state: 'opened',
      attempts: 1,
      error: { type: 'GENERIC_INTERNAL_SERVER_ERROR', error: 'Internal server error' },
    });
    expect(await bed.toldOf(opened.idem)).toEqual(['GENERIC_INTERNAL_SERVER_ERROR']);
  });

  it('that were given up for dead do not come back to life', async () => {
    const opened = await bed.open(project);
    const { asked, answer } = bed.holdFinish();
    const slow = bed.authorize(opened);
    await asked;
    bed.clock.advance(LEASE_MS + 1);
    await bed.get(SweepSessions).execute();
    expect(await bed.sessionOf(opened.idem)).toMatchObject({ state: 'opened', attempts: 1 });
    answer(authorizedAs('late'));
    expect(await slow).toBeInstanceOf(StepOutOfTurn);
    expect(await countWallets()).toBe(0);
    expect(bed.authorizations.revoked).toEqual(['refresh-late']);
    expect(await bed.toldOf(opened.idem)).toEqual(['OAUTH_AUTHORIZATION_FAILED']);
    bed.script.reset();
    expect(await bed.authorize(opened)).toBeNull();
    expect(await countWallets()).toBe(1);
  });

  it('make one move of two that were seen from the same place', async () => {
    const { idem } = await bed.open(project);
    const seen = await readSession(idem);
    const leaseUntil = new Date(bed.clock.now().getTime() + LEASE_MS);
    const store = bed.get(SessionStore);
    const moves = await Promise.all(
      [1, 2, 3, 4].map(() => store.move(seen, { state: 'connecting', way: 'key', leaseUntil })),
    );
    expect(moves.filter((moved) => moved !== null)).toHaveLength(1);
  });

  it('tell why an exchange cannot be asked', async () => {
    const { idem, token, browser } = await bed.open(project);
    const failure = new AuthorizationError('unavailable', 'kraken', 'secret detail');
    bed.script.begin = () => Promise.reject(failure);
    await expect(bed.get(BeginOAuth).execute(token, browser)).rejects.toMatchObject({
      code: 'OAUTH_TOKEN_EXCHANGE_FAILED',
    });
    expect(await bed.sessionOf(idem)).toMatchObject({ state: 'opened', attempts: 1 });
    expect(JSON.stringify(await bed.sessionOf(idem))).not.toContain('secret detail');
  });

  it('ask the exchange for a QR login once a second, and wait while it does not say', async () => {
    const { idem, token, browser } = await bed.open(project);
    await bed.get(BeginQr).execute(token, browser);
    let asked = 0;
    bed.script.readQr = () => {
      asked += 1;
      return Promise.reject(new AuthorizationError('unavailable', 'kraken', 'not now'));
    };
    bed.clock.advance(1_001);
    for (let look = 0; look < 5; look++) {
      expect(await bed.get(ReadQr).execute(token, browser)).toEqual({ state: 'scanning', qrStatus: 'waiting' });
    }
    expect(asked).toBe(1);
    bed.clock.advance(1_001);
    await bed.get(ReadQr).execute(token, browser);
    expect(asked).toBe(2);
    expect(await bed.toldOf(idem)).toEqual(['waiting']);
  });

  it('of a QR login are told of each status once', async () => {
    const { idem, token, browser } = await bed.open(project);
    await bed.get(BeginQr).execute(token, browser);
    const authorized = authorizedAs('scanned');
    const states: QrLoginState[] = [{ status: 'scanned' }, { status: 'scanned' }, { status: 'confirmed', authorized }];
    bed.script.readQr = () => Promise.resolve(states.shift() ?? { status: 'expired' });
    for (let look = 0; look < 3; look++) {
      bed.clock.advance(1_001);
      await bed.get(ReadQr).execute(token, browser);
    }
    expect(await bed.toldOf(idem)).toEqual(['waiting', 'scanned', true]);
  });

  it('that are cancelled are over', async () => {
    const { idem, token, browser } = await bed.open(project);
    await bed.get(CancelSession).execute(token, browser);
    expect(await bed.sessionOf(idem)).toMatchObject({ state: 'failed', error: { type: 'OAUTH_AUTHORIZATION_FAILED' } });
    await expect(bed.get(CancelSession).execute(token, browser)).rejects.toThrow(StepOutOfTurn);
    await expect(bed.get(BeginOAuth).execute(token, browser)).rejects.toThrow(StepOutOfTurn);
    expect(await bed.toldOf(idem)).toEqual(['OAUTH_AUTHORIZATION_FAILED']);
  });

  it('that nobody finished are ended, though one of them cannot be', async () => {
    const stuck = await bed.begin(project);
    const other = await bed.begin(project);
    bed.clock.advance(SESSION_MS + 1);
    const topics = bed.get(Topics);
    const real = topics.publish.bind(topics);
    const publish: typeof real = (tx, message) =>
      message.topic === stuck.idem ? Promise.reject(new Error('not this one')) : real(tx, message);
    Object.assign(topics, { publish });
    await bed
      .get(SweepSessions)
      .execute()
      .finally(() => Object.assign(topics, { publish: real }));
    expect(await bed.sessionOf(stuck.idem)).toMatchObject({ state: 'created' });
    expect(await bed.sessionOf(other.idem)).toMatchObject({ state: 'failed' });
  });

  it('that nobody finished are ended once by several workers, and deleted in the end', async () => {
    const begun = await bed.begin(project);
    const opened = await bed.open(project);
    const done = await bed.open(project);
    await bed.authorize(done);
    bed.clock.advance(SESSION_MS + 1);
    await Promise.all([1, 2, 3].map(() => bed.get(SweepSessions).execute()));
    for (const { idem } of [begun, opened]) {
      expect(await bed.sessionOf(idem)).toMatchObject({
        state: 'failed',
        error: { type: 'OAUTH_AUTHORIZATION_FAILED' },
      });
      expect(await bed.toldOf(idem)).toEqual(['OAUTH_AUTHORIZATION_FAILED']);
    }
    expect(await bed.sessionOf(done.idem)).toMatchObject({ state: 'connected' });
    bed.clock.advance(7 * DAY_MS);
    const young = await bed.begin(project);
    await bed.get(SweepSessions).execute();
    expect(await bed.db.query(`select idem from connect_sessions where project_id = $1`, [project.id])).toEqual([
      { idem: young.idem },
    ]);
  });
});
