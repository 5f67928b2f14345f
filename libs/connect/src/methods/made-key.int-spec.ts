import type { ProjectIdentity } from '#access';
import { AuthorizationError, type Authorized } from '#exchange';
import { Secret } from '#platform/crypto';
import { authorizedAs, fails } from '#wallet/testing';
import { noConnectSettings } from '../projects/connect-projects.service.js';
import { SetConnectProject } from '../projects/set-connect-project.js';
import { createConnectHarness, type ConnectHarness } from '../testing/connect-harness.js';

const PAGE = 'https://shop.example';
const LEASE_MS = 60_000;

describe('a key that the exchange creates for an attempt', () => {
  let harness: ConnectHarness;
  let project: ProjectIdentity;
  let made: number;
  let discarded: string[];
  let slept: number[];

  beforeAll(async () => {
    harness = await createConnectHarness();
    harness.clock.sleep = (ms) => {
      slept.push(ms);
      harness.clock.advance(ms);
      return Promise.resolve();
    };
  });
  afterAll(() => harness.close());
  beforeEach(async () => {
    project = await harness.fresh();
    [made, discarded, slept] = [0, [], []];
    harness.script.finish = () => {
      made += 1;
      const madeKey = { name: 'Causeway 1a2b3c4d', accessToken: new Secret('token') };
      return Promise.resolve<Authorized>({ ...authorizedAs('made', null), madeKey });
    };
    harness.script.discard = (_target, { madeKey }) => {
      discarded.push(madeKey?.name ?? 'none');
      return Promise.resolve();
    };
  });

  /** Makes the first `failures` calls of `keyInfo` fail. Returns an object that counts the calls. */
  const answersAfter = (failures: number, failure: () => never = fails('unavailable')) => {
    const { keyInfo } = harness.exchanges;
    const asked = { count: 0 };
    harness.exchanges.keyInfo = (target) => {
      asked.count += 1;
      return asked.count > failures ? keyInfo(target) : failure();
    };
    return asked;
  };
  const publishedOf = async (idem: string) =>
    await harness.db.query<{ body: unknown }>(`select body from topic_messages where topic = $1`, [idem]);

  it('is not created when the wallet belongs to another exchange', async () => {
    const opened = await harness.open(project, 'taken');
    await harness.db.query(
      `insert into wallets (id, project_id, external_id, exchange, created_at, updated_at) values ($1, $2, 'taken', 'okx', now(), now())`,
      [harness.clock.newId(), project.id],
    );
    expect(await harness.authorize(opened)).toMatchObject({ code: 'GENERIC_INVALID_REQUEST' });
    expect(made).toBe(0);
  });

  it('is not created for a keyless client whose wallet exists by now', async () => {
    await harness
      .get(SetConnectProject)
      .execute(project.id, { ...noConnectSettings, browserConnects: true, origins: [PAGE] }, 't');
    const opened = await harness.open(project, 'new', PAGE);
    expect(await harness.authorize(await harness.open(project, 'new'))).toBeNull();
    expect(await harness.authorize(opened)).toMatchObject({ code: 'GENERIC_INVALID_REQUEST' });
    expect(made).toBe(1);
  });

  it('is tested again until a short outage of the exchange is over', async () => {
    const asked = answersAfter(3);
    const opened = await harness.open(project);
    expect(await harness.authorize(opened)).toBeNull();
    expect([made, asked.count, slept.length]).toEqual([1, 4, 3]);
    expect(await harness.publishedOf(opened.idem)).toEqual([true]);
    expect(discarded).toEqual([]);
  });

  it('is deleted when the outage lasts too long', async () => {
    const asked = answersAfter(100);
    const opened = await harness.open(project);
    expect(await harness.authorize(opened)).toMatchObject({ code: 'WITHDRAWAL_PROVIDER_ERROR' });
    expect([asked.count, discarded]).toEqual([4, ['Causeway 1a2b3c4d']]);
    expect(JSON.stringify(await publishedOf(opened.idem))).not.toContain('keyName');
  });

  it('is tested only once when the exchange definitely refuses it', async () => {
    const asked = answersAfter(100, fails('permission_missing'));
    await harness.authorize(await harness.open(project));
    expect([asked.count, slept]).toEqual([1, []]);
  });

  it('is not tested again after the end of the lease', async () => {
    const asked = answersAfter(100, () => {
      harness.clock.advance(LEASE_MS);
      return fails('unavailable')();
    });
    await harness.authorize(await harness.open(project));
    expect([asked.count, slept]).toEqual([1, []]);
  });

  it('is reported by its name to its owner and to the application when it could not be deleted', async () => {
    answersAfter(100);
    harness.script.discard = () => Promise.reject(new AuthorizationError('unavailable', 'kraken', 'away'));
    const opened = await harness.open(project);
    const error = { type: 'WITHDRAWAL_PROVIDER_ERROR', result: { keyName: 'Causeway 1a2b3c4d' } };
    expect(await harness.authorize(opened)).toMatchObject({ code: error.type, details: { result: error.result } });
    expect(await harness.sessionOf(opened.idem)).toMatchObject({ state: 'opened', error });
    expect(await publishedOf(opened.idem)).toMatchObject([
      { body: { success: false, code: error.type, result: error.result } },
    ]);
  });
});
