import type { ProjectIdentity } from '#access';
import { AuthorizationError, type QrLoginState } from '#exchange';
import { DAY_MS } from '#platform/clock';
import { CannotOpen } from '#platform/crypto';
import { NotFound } from '#platform/errors';
import { Topics } from '#platform/events';
import { withoutRules } from '#platform/testing';
import { authorizedAs } from '#wallet/testing';
import { createConnectHarness, type ConnectHarness } from '../testing/connect-harness.js';
import { BeginOAuth } from '../methods/begin-oauth.js';
import { CancelSession } from './cancel-session.js';
import { SessionMoved } from './connect.errors.js';
import { BeginQr } from '../methods/begin-qr.js';
import { ReadQr } from '../methods/read-qr.js';
import { SessionLifecycle } from './session-lifecycle.js';
import { SessionStore, type ConnectSession } from './session-store.js';
import { ExpiredSessions } from './expired-sessions.js';
import { SweepSessions } from './sweep-sessions.js';

const LEASE_MS = 60_000;
const SESSION_MS = 900_000;

describe('connect sessions', () => {
  let harness: ConnectHarness;
  let project: ProjectIdentity;

  beforeAll(async () => {
    harness = await createConnectHarness();
  });
  afterAll(() => harness.close());
  beforeEach(async () => {
    project = await harness.fresh();
  });

  const countWallets = async () =>
    (await harness.db.query(`select from wallets where project_id = $1`, [project.id])).length;
  const readSession = async (idem: string): Promise<ConnectSession> => {
    const found = await harness.get(SessionStore).findByIdem(project.organizationId, idem);
    if (found === null) throw new Error('no such session');
    return found;
  };

  it('connect the account and publish the success', async () => {
    const opened = await harness.open(project);
    expect(await harness.authorize(opened)).toBeNull();
    expect(await harness.sessionOf(opened.idem)).toEqual({ state: 'connected', attempts: 0, error: null });
    expect(await harness.publishedOf(opened.idem)).toEqual([true]);
  });

  it('do not open the sealed data of another session of the project', async () => {
    const [other, own] = [await harness.open(project), await harness.open(project)];
    for (const { token, browser } of [other, own]) await harness.get(BeginOAuth).execute(token, browser);
    const open = async () => harness.get(SessionStore).unseal(await readSession(own.idem));
    await expect(open()).resolves.toMatchObject({ state: harness.script.states.at(-1) });
    await withoutRules(
      harness.database.ownerUrl,
      `update connect_sessions set sealed = other.sealed from connect_sessions other
        where connect_sessions.idem = '${own.idem}' and other.idem = '${other.idem}'`,
    );
    await expect(open()).rejects.toThrow(CannotOpen);
  });

  it('connect an account whose identity cannot be read', async () => {
    harness.exchanges.capabilities = () => ({ identity: { read: () => Promise.reject(new Error('not now')) } });
    const opened = await harness.open(project);
    expect(await harness.authorize(opened)).toBeNull();
    expect(await countWallets()).toBe(1);
    expect(await harness.db.query(`select from wallet_identities`)).toEqual([]);
  });

  it('use the identity that came with the authorization, and do not request it from the exchange again', async () => {
    const identity = { fullName: 'Ada Lovelace', email: null, iban: null, country: 'GB' };
    let asked = 0;
    const read = () => {
      asked += 1;
      return Promise.resolve({ ...identity, fullName: null });
    };
    harness.exchanges.capabilities = () => ({ identity: { read } });
    harness.script.finish = () => Promise.resolve({ ...authorizedAs('finished'), identity });
    expect(await harness.authorize(await harness.open(project, 'of-ada'))).toBeNull();
    const rows = await harness.db.query(
      `select from wallet_identities i join wallets w on w.id = i.wallet_id where w.project_id = $1`,
      [project.id],
    );
    expect(rows).toHaveLength(1);
    expect(asked).toBe(0);
  });

  it('store nothing when a part of the connection cannot be stored, and revoke the unused authorization', async () => {
    // The database does not accept a NUL character, so storing the grant fails.
    harness.script.finish = () => Promise.resolve({ ...authorizedAs('finished'), scopes: ['\u0000'] });
    const opened = await harness.open(project);
    expect(await harness.authorize(opened)).toBeInstanceOf(Error);
    expect(await countWallets()).toBe(0);
    expect(harness.authorizations.revoked).toEqual(['refresh-finished']);
    // Internal details are not published.
    expect(await harness.sessionOf(opened.idem)).toMatchObject({
      state: 'opened',
      attempts: 1,
      error: { type: 'GENERIC_INTERNAL_SERVER_ERROR', error: 'Internal server error' },
    });
    expect(await harness.publishedOf(opened.idem)).toEqual(['GENERIC_INTERNAL_SERVER_ERROR']);
  });

  it('end an attempt whose lease is over, and revoke an authorization that arrives later', async () => {
    const opened = await harness.open(project);
    const { asked, answer } = harness.holdFinish();
    const slow = harness.authorize(opened);
    await asked;
    harness.clock.advance(LEASE_MS + 1);
    await harness.get(SweepSessions).execute();
    expect(await harness.sessionOf(opened.idem)).toMatchObject({ state: 'opened', attempts: 1 });
    answer(authorizedAs('late'));
    expect(await slow).toBeInstanceOf(SessionMoved);
    expect(await countWallets()).toBe(0);
    expect(harness.authorizations.revoked).toEqual(['refresh-late']);
    expect(await harness.publishedOf(opened.idem)).toEqual(['OAUTH_AUTHORIZATION_FAILED']);
    harness.script.reset();
    expect(await harness.authorize(opened)).toBeNull();
    expect(await countWallets()).toBe(1);
  });

  it('allow only one of several concurrent changes from the same state', async () => {
    const { idem } = await harness.open(project);
    const seen = await readSession(idem);
    const leaseUntil = new Date(harness.clock.now().getTime() + LEASE_MS);
    const store = harness.get(SessionStore);
    const moves = await Promise.all(
      [1, 2, 3, 4].map(() => store.move(seen, { state: 'connecting', method: 'key', leaseUntil })),
    );
    expect(moves.filter((moved) => moved !== null)).toHaveLength(1);
  });

  it('know the last state of an authorization as spent, and not an earlier one', async () => {
    const store = harness.get(SessionStore);
    const { idem } = await harness.open(project);
    const states = ['first', 'second'].map((text) => Buffer.alloc(32, text));
    for (const stateHash of states) {
      const seen = await readSession(idem);
      await store.move(seen, { state: 'authorizing', stateHash, sealed: await store.seal(seen, {}) });
    }
    await store.move(await readSession(idem), { state: 'opened' });
    const [first, second] = await Promise.all(states.map((state) => store.find('spent_state_hash', state)));
    expect([first?.idem, second?.idem]).toEqual([undefined, idem]);
    expect(await store.find('state_hash', Buffer.alloc(32, 'second'))).toBeNull();
  });

  it('count an attempt, and show no internal details, when an authorization cannot begin', async () => {
    const { idem, token, browser } = await harness.open(project);
    const failure = new AuthorizationError('unavailable', 'kraken', 'secret detail');
    harness.script.begin = () => Promise.reject(failure);
    await expect(harness.get(BeginOAuth).execute(token, browser)).rejects.toMatchObject({
      code: 'OAUTH_TOKEN_EXCHANGE_FAILED',
    });
    expect(await harness.sessionOf(idem)).toMatchObject({ state: 'opened', attempts: 1 });
    expect(JSON.stringify(await harness.sessionOf(idem))).not.toContain('secret detail');
  });

  it('poll the exchange for a QR login once a second, also while it gives no response', async () => {
    const { idem, token, browser } = await harness.open(project);
    await harness.get(BeginQr).execute(token, browser);
    let asked = 0;
    harness.script.readQr = () => {
      asked += 1;
      return Promise.reject(new AuthorizationError('unavailable', 'kraken', 'not now'));
    };
    harness.clock.advance(1_001);
    for (let look = 0; look < 5; look++) {
      const seen = { state: 'scanning', qrStatus: 'waiting', qrCodeExpiresAt: expect.any(Number) as number };
      expect(await harness.get(ReadQr).execute(token, browser)).toEqual(seen);
    }
    expect(asked).toBe(1);
    harness.clock.advance(1_001);
    await harness.get(ReadQr).execute(token, browser);
    expect(asked).toBe(2);
    expect(await harness.publishedOf(idem)).toEqual(['available']);
  });

  it('publish each status of a QR login once', async () => {
    const { idem, token, browser } = await harness.open(project);
    await harness.get(BeginQr).execute(token, browser);
    const authorized = authorizedAs('scanned');
    const states: QrLoginState[] = [{ status: 'scanned' }, { status: 'scanned' }, { status: 'confirmed', authorized }];
    harness.script.readQr = () => Promise.resolve(states.shift() ?? { status: 'expired' });
    for (let look = 0; look < 3; look++) {
      harness.clock.advance(1_001);
      await harness.get(ReadQr).execute(token, browser);
    }
    expect(await harness.publishedOf(idem)).toEqual(['available', 'scanned', 'confirmed', true]);
  });

  it('have no link when their row was inserted with the hash of a chosen token', async () => {
    const { idem } = await harness.begin(project);
    await harness.db.query(
      `insert into connect_sessions select (jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid(),
         'idem', 'the idem of an attacker', 'token_hash', sha256('chosen')))).* from connect_sessions s where idem = $1`,
      [idem],
    );
    await expect(harness.get(SessionLifecycle).find('chosen')).rejects.toThrow(NotFound);
  });

  it('end when they are cancelled', async () => {
    const { idem, token, browser } = await harness.open(project);
    await harness.get(CancelSession).execute(token, browser);
    expect(await harness.sessionOf(idem)).toMatchObject({
      state: 'failed',
      error: { type: 'OAUTH_AUTHORIZATION_FAILED' },
    });
    const [message] = await harness.db.query(`select body from topic_messages where topic = $1`, [idem]);
    expect(message).toMatchObject({ body: { type: 'oauth2', success: false, result: { reason: 'cancelled' } } });
    await expect(harness.get(CancelSession).execute(token, browser)).rejects.toThrow(SessionMoved);
    await expect(harness.get(BeginOAuth).execute(token, browser)).rejects.toThrow(SessionMoved);
    expect(await harness.publishedOf(idem)).toEqual(['OAUTH_AUTHORIZATION_FAILED']);
  });

  it('are ended after their expiry, also when another session cannot be ended', async () => {
    const stuck = await harness.begin(project);
    const other = await harness.begin(project);
    harness.clock.advance(SESSION_MS + 1);
    const topics = harness.get(Topics);
    const real = topics.publish.bind(topics);
    const publish: typeof real = (tx, message) =>
      message.topic === stuck.idem ? Promise.reject(new Error('not this one')) : real(tx, message);
    Object.assign(topics, { publish });
    await harness
      .get(SweepSessions)
      .execute()
      .finally(() => Object.assign(topics, { publish: real }));
    expect(await harness.sessionOf(stuck.idem)).toMatchObject({ state: 'created' });
    expect(await harness.sessionOf(other.idem)).toMatchObject({ state: 'failed' });
  });

  it('are ended only once by several workers, and deleted a week later', async () => {
    const begun = await harness.begin(project);
    const opened = await harness.open(project);
    const done = await harness.open(project);
    await harness.authorize(done);
    harness.clock.advance(SESSION_MS + 1);
    await Promise.all([1, 2, 3].map(() => harness.get(SweepSessions).execute()));
    for (const { idem } of [begun, opened]) {
      expect(await harness.sessionOf(idem)).toMatchObject({
        state: 'failed',
        error: { type: 'OAUTH_AUTHORIZATION_FAILED' },
      });
      expect(await harness.publishedOf(idem)).toEqual(['OAUTH_AUTHORIZATION_FAILED']);
    }
    expect(await harness.sessionOf(done.idem)).toMatchObject({ state: 'connected' });
    harness.clock.advance(7 * DAY_MS);
    const young = await harness.begin(project);
    await harness.get(ExpiredSessions).delete();
    expect(await harness.db.query(`select idem from connect_sessions where project_id = $1`, [project.id])).toEqual([
      { idem: young.idem },
    ]);
  });
});
