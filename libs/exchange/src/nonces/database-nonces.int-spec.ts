import { DataSource } from 'typeorm';
import { Clock } from '#platform/clock';
import { Database } from '#platform/database';
import { createTestDatabase, type TestDatabase } from '#platform/testing';
import { OverBudget } from '../transport/call-queue.js';
import { DatabaseNonces } from './database-nonces.js';
import { nonceOwner, spacingOwner } from './nonces.js';

const WAIT_MS = 10_000;

describe('nonces from the database', () => {
  let database: TestDatabase;
  let sources: DataSource[];
  /** The nonces of two processes, with a connection to the database each. */
  let ours: DatabaseNonces;
  let theirs: DatabaseNonces;
  let db: Database;
  let owner: Buffer;
  let keys = 0;

  beforeAll(async () => {
    database = await createTestDatabase();
    const open = (): Promise<DataSource> => new DataSource({ type: 'postgres', url: database.appUrl }).initialize();
    sources = [await open(), await open()];
    const [first, second] = sources.map((source) => new Database(source));
    if (first === undefined || second === undefined) throw new Error('two connections were opened');
    db = first;
    ours = new DatabaseNonces(first, new Clock());
    theirs = new DatabaseNonces(second, new Clock());
  });
  beforeEach(() => {
    owner = nonceOwner('https://api.kraken.com', `key ${++keys}`);
  });
  afterAll(async () => {
    for (const source of sources) await source.destroy();
    await database.drop();
  });

  const setRow = (changes: string): Promise<unknown> =>
    db.query(`update exchange_nonces set ${changes} where owner = $1`, [owner]);

  it('are the time in milliseconds, and rise with every call of every process', async () => {
    const before = Date.now();
    const taken: number[] = [];
    const take = async (nonces: DatabaseNonces): Promise<void> => {
      for (let calls = 0; calls < 100; calls++) taken.push(await nonces.take(owner, WAIT_MS));
    };
    await Promise.all([take(ours), take(theirs), take(ours)]);
    expect(new Set(taken).size).toBe(300);
    expect(Math.min(...taken)).toBeGreaterThanOrEqual(before - 1_000);
    // Each call waits for the previous one, so each nonce is above the previous nonce.
    const next = [await ours.take(owner, WAIT_MS), await theirs.take(owner, WAIT_MS), await ours.take(owner, WAIT_MS)];
    expect(next).toEqual([...next].sort((a, b) => a - b));
    expect(next[0]).toBeGreaterThan(Math.max(...taken));
  });

  it('are at least the time, however low the stored nonce is', async () => {
    await ours.take(owner, WAIT_MS);
    await setRow('last = 5');
    const before = Date.now();
    // The clocks of the test and of the database may differ a little.
    expect(await theirs.take(owner, WAIT_MS)).toBeGreaterThanOrEqual(before - 1_000);
    await setRow('last = 5');
    const exclusive = await ours.takeExclusive(owner, WAIT_MS);
    expect(exclusive.nonce).toBeGreaterThanOrEqual(before - 1_000);
  });

  it('rise although the clock of the database was set back', async () => {
    await ours.take(owner, WAIT_MS);
    const ahead = Date.now() + 3_600_000;
    await setRow(`last = ${ahead}`);
    expect(await theirs.take(owner, WAIT_MS)).toBe(ahead + 1);
    expect(await ours.take(owner, WAIT_MS)).toBe(ahead + 2);
  });

  it('wait for a submission that holds the exclusive right, and continue above its nonce', async () => {
    const exclusive = await ours.takeExclusive(owner, WAIT_MS);
    let isTaken = false;
    const waiting = theirs.take(owner, WAIT_MS).then((nonce) => {
      isTaken = true;
      return nonce;
    });
    await expect(theirs.take(owner, 0)).rejects.toThrow('takes too long');
    expect(isTaken).toBe(false);
    await exclusive.release();
    expect(await waiting).toBeGreaterThan(exclusive.nonce);
  });

  it('are exclusive to one submission of a key at a time, and do not delay submissions with other keys', async () => {
    const first = await ours.takeExclusive(owner, WAIT_MS);
    await expect(theirs.takeExclusive(owner, 0)).rejects.toThrow('takes too long');
    const other = await theirs.takeExclusive(nonceOwner('https://api.kraken.com', 'another key'), 0);
    await first.release();
    const second = await theirs.takeExclusive(owner, WAIT_MS);
    expect(second.nonce).toBeGreaterThan(first.nonce);
    // A holder whose own right has ended cannot release the right of another holder.
    await first.release();
    await expect(ours.take(owner, 0)).rejects.toThrow('takes too long');
    await second.release();
    await other.release();
  });

  it.each([
    ['the process with the exclusive right has died', `exclusive_until = clock_timestamp() - interval '1 ms'`],
    [
      'the exclusive right ends impossibly late, because the clock was set back',
      `exclusive_until = now() + interval '1 hour'`,
    ],
  ])('continue when %s', async (_what, changes) => {
    const { nonce } = await ours.takeExclusive(owner, WAIT_MS);
    await setRow(changes);
    expect(await theirs.take(owner, 0)).toBeGreaterThan(nonce);
  });

  it('continue at the current time after the table was emptied', async () => {
    await ours.take(owner, WAIT_MS);
    await db.query(`delete from exchange_nonces`);
    const [now] = await db.query<{ ms: number }>(
      `select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as ms`,
    );
    expect(await ours.take(owner, WAIT_MS)).toBeGreaterThanOrEqual(now?.ms ?? Infinity);
  });

  it('of a key are deleted after a day without use, when another key is stored', async () => {
    await ours.take(owner, WAIT_MS);
    await setRow(`last = ${Date.now() - 86_500_000}`);
    await ours.take(nonceOwner('https://api.kraken.com', 'a new key'), WAIT_MS);
    expect(await db.query(`select from exchange_nonces where owner = $1`, [owner])).toEqual([]);
  });

  describe('with the right to send once in a period', () => {
    const PERIOD_MS = 11_000;
    const takeFor = (nonces: DatabaseNonces): Promise<void> => nonces.takeForPeriod(owner, PERIOD_MS);

    it('give it to one call of all processes, and report the remaining time to the others', async () => {
      const calls = await Promise.allSettled([takeFor(ours), takeFor(theirs), takeFor(ours), takeFor(theirs)]);
      expect(calls.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      await setRow(`exclusive_until = clock_timestamp() + interval '4 s'`);
      const error: unknown = await takeFor(theirs).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(OverBudget);
      const { retryAfterMs = 0 } = error as OverBudget;
      expect(retryAfterMs).toBeLessThanOrEqual(4_000);
      expect(retryAfterMs).toBeGreaterThan(0);
    });

    it('give it to another account or for another coin meanwhile', async () => {
      await takeFor(ours);
      const others = [spacingOwner('https://api.bybit.com', '2', ['BTC', 'BTC'])];
      others.push(spacingOwner('https://api.bybit.com', '1', ['USDT', 'ETH']));
      for (const other of others) await theirs.takeForPeriod(other, PERIOD_MS);
    });

    it.each([
      ['its period is over', `exclusive_until = clock_timestamp() - interval '1 ms'`],
      ['it ends impossibly late, because the clock was set back', `exclusive_until = now() + interval '1 hour'`],
    ])('give it again when %s', async (_what, changes) => {
      await takeFor(ours);
      await setRow(changes);
      await takeFor(theirs);
    });
  });
});

it('spacingOwner differs for another account, another address, and other counted values', () => {
  const owners = [
    spacingOwner('https://api.bybit.com', '1', ['BTC', 'BTC']),
    spacingOwner('https://api.bybit.nl', '1', ['BTC', 'BTC']),
    spacingOwner('https://api.bybit.com', '2', ['BTC', 'BTC']),
    spacingOwner('https://api.bybit.com', '1', ['USDT', 'ETH']),
    spacingOwner('https://api.bybit.com', '1', ['USDT', 'TRX']),
    nonceOwner('https://api.bybit.com', '1'),
  ];
  expect(new Set(owners.map((owner) => owner.toString('hex'))).size).toBe(owners.length);
});

it('nonceOwner is the same for all wallets with one key at one address, and differs for another key or address', () => {
  const owner = nonceOwner('https://api.kraken.com', 'key');
  expect(nonceOwner('https://api.kraken.com', 'key')).toEqual(owner);
  expect(nonceOwner('https://sandbox.example', 'key')).not.toEqual(owner);
  expect(nonceOwner('https://api.kraken.com', 'other')).not.toEqual(owner);
});
