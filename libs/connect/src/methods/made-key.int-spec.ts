import type { ProjectIdentity } from '#access';
import { AuthorizationError, type Authorized } from '#exchange';
import { Secret } from '#platform/crypto';
import { authorizedAs, fails } from '#wallet/testing';
import { SetConnectProject } from '../projects/set-connect-project.js';
import { createConnectBed, type ConnectBed } from '../testing/connect-harness.js';

const PAGE = 'https://shop.example';
const LEASE_MS = 60_000;

describe('a key that the exchange makes for an attempt', () => {
  let bed: ConnectBed;
  let project: ProjectIdentity;
  let made: number;
  let discarded: string[];
  let slept: number[];

  beforeAll(async () => {
    bed = await createConnectBed();
    bed.clock.sleep = (ms) => {
      slept.push(ms);
      bed.clock.advance(ms);
      return Promise.resolve();
    };
  });
  afterAll(() => bed.close());
  beforeEach(async () => {
    project = await bed.fresh();
    [made, discarded, slept] = [0, [], []];
    bed.script.finish = () => {
      made += 1;
      const madeKey = { name: 'Causeway 1a2b3c4d', accessToken: new Secret('token') };
      return Promise.resolve<Authorized>({ ...authorizedAs('made', null), madeKey });
    };
    bed.script.discard = (_target, { madeKey }) => {
      discarded.push(madeKey?.name ?? 'none');
      return Promise.resolve();
    };
  });

  /** How often the exchange is asked; it answers after `failures`. */
  const answersAfter = (failures: number, failure: () => never = fails('unavailable')) => {
    const { keyInfo } = bed.exchanges;
    const asked = { count: 0 };
    bed.exchanges.keyInfo = (target) => {
      asked.count += 1;
      return asked.count > failures ? keyInfo(target) : failure();
    };
    return asked;
  };
  const toldOf = async (idem: string) =>
    await bed.db.query<{ body: unknown }>(`select body from topic_messages where topic = $1`, [idem]);

  it('is not made where the wallet is at another exchange', async () => {
    const opened = await bed.open(project, 'taken');
    await bed.db.query(
      `insert into wallets (id, project_id, external_id, exchange, created_at, updated_at) values ($1, $2, 'taken', 'okx', now(), now())`,
      [bed.clock.newId(), project.id],
    );
    expect(await bed.authorize(opened)).toMatchObject({ code: 'GENERIC_INVALID_REQUEST' });
    expect(made).toBe(0);
  });

  it('is not made for a page whose wallet is there by now', async () => {
    await bed
      .get(SetConnectProject)
      .execute(project.id, { browserConnects: true, origins: [PAGE], returnUrls: [] }, 't');
    const opened = await bed.open(project, 'new', PAGE);
    expect(await bed.authorize(await bed.open(project, 'new'))).toBeNull();
    expect(await bed.authorize(opened)).toMatchObject({ code: 'GENERIC_INVALID_REQUEST' });
    expect(made).toBe(1);
  });

  it('is tried again when the exchange is away for a moment', async () => {
    const asked = answersAfter(3);
    const opened = await bed.open(project);
    expect(await bed.authorize(opened)).toBeNull();
    expect([made, asked.count, slept.length]).toEqual([1, 4, 3]);
    expect(await bed.toldOf(opened.idem)).toEqual([true]);
    expect(discarded).toEqual([]);
  });

  it('is deleted when the exchange stays away, and nobody has to', async () => {
    const asked = answersAfter(100);
    const opened = await bed.open(project);
    expect(await bed.authorize(opened)).toMatchObject({ code: 'WITHDRAWAL_PROVIDER_ERROR' });
    expect([asked.count, discarded]).toEqual([4, ['Causeway 1a2b3c4d']]);
    expect(JSON.stringify(await toldOf(opened.idem))).not.toContain('keyName');
  });

  it('is not tried again after a definite refusal', async () => {
    const asked = answersAfter(100, fails('permission_missing'));
    await bed.authorize(await bed.open(project));
    expect([asked.count, slept]).toEqual([1, []]);
  });

  it('is not tried again when the lease is over', async () => {
    const asked = answersAfter(100, () => {
      bed.clock.advance(LEASE_MS);
      return fails('unavailable')();
    });
    await bed.authorize(await bed.open(project));
    expect([asked.count, slept]).toEqual([1, []]);
  });

  it('is named to its owner and the application where it could not be deleted', async () => {
    answersAfter(100);
    bed.script.discard = () => Promise.reject(new AuthorizationError('unavailable', 'kraken', 'away'));
    const opened = await bed.open(project);
    const error = { type: 'WITHDRAWAL_PROVIDER_ERROR', result: { keyName: 'Causeway 1a2b3c4d' } };
    expect(await bed.authorize(opened)).toMatchObject({ code: error.type, details: { result: error.result } });
    expect(await bed.sessionOf(opened.idem)).toMatchObject({ state: 'opened', error });
    expect(await toldOf(opened.idem)).toMatchObject([{ body: { success: false, error } }]);
  });
});
