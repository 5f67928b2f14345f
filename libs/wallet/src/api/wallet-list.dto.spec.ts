import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import fc from 'fast-check';
import { Amount } from '#money';
import type { WalletWithBalances } from '../reading/get-wallet.js';
import { ListWalletsQuery, toListResponse, wantsBalances } from './wallet-list.dto.js';

const invalid = (query: Record<string, unknown>): string[] =>
  validateSync(plainToInstance(ListWalletsQuery, query), { stopAtFirstError: true }).map(({ property }) => property);
const parsed = (query: Record<string, unknown>): ListWalletsQuery => {
  expect(invalid(query)).toEqual([]);
  return plainToInstance(ListWalletsQuery, query);
};

describe('the query of the wallet listing', () => {
  it('reads the text null as no filter', () => {
    expect(parsed({ exchange: 'null', invalidApi: 'null' })).toMatchObject({ page: 0, limit: 10 });
    expect(parsed({ exchange: 'null' }).exchange).toBeUndefined();
    expect(parsed({ invalidApi: 'null' }).invalidApi).toBeUndefined();
  });

  it('reads invalidApi as true or false', () => {
    expect(parsed({ invalidApi: 'true' }).invalidApi).toBe(true);
    expect(parsed({ invalidApi: 'false' }).invalidApi).toBe(false);
  });

  it.each([
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31T10:20', '2026-01-31T10:20:00.000Z'],
    ['2026-01-31T10:20:30.5', '2026-01-31T10:20:30.500Z'],
    ['2026-01-31T10:20:30Z', '2026-01-31T10:20:30.000Z'],
    ['2026-01-31T00:20:30+02:00', '2026-01-30T22:20:30.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ])('reads the date %s as %s', (text, expected) => {
    expect(parsed({ createdSince: text }).createdSince?.toISOString()).toBe(expected);
  });

  it.each([
    'yesterday',
    '2026-02-30',
    '2026-13-01',
    '2026-01-31T25:00',
    '2026-W05-6',
    '1769817600',
    '',
    '+002026-01-01',
    // PostgreSQL cannot read the year 0, nor JavaScript's spelling of the year 10000.
    '0000-12-31T23:59:59.999Z',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T24:00:00Z',
    '9999-12-31T23:59:59-00:01',
  ])('refuses %j as a date in each of the four date parameters', (text) => {
    for (const name of ['createdSince', 'createdBefore', 'lastSyncSince', 'lastSyncBefore']) {
      expect(invalid({ [name]: text })).toEqual([name]);
    }
  });

  it('reads every time from the year 1 to the year 9999 in the format of toISOString', () => {
    const times = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(times, (time) => {
        expect(parsed({ lastSyncBefore: time.toISOString() }).lastSyncBefore).toEqual(time);
      }),
    );
  });

  it.each([
    ['invalidApi', 'yes'],
    ['invalidApi', '1'],
    ['fields', 'exchange,secret'],
    ['fields', ''],
    ['fields', '__proto__'],
    ['exchange', 'x'.repeat(65)],
    ['page', '-1'],
    ['page', '1001'],
    ['limit', '0'],
    ['limit', '1001'],
    ['limit', '1.5'],
  ])('refuses %s=%j, and names the parameter', (name, value) => {
    expect(invalid({ [name]: value })).toEqual([name]);
  });

  it.each(['exchange', 'createdSince', 'invalidApi', 'fields', 'page', 'limit'])('refuses %s given twice', (name) => {
    const value =
      { exchange: 'kraken', createdSince: '2026-01-31', invalidApi: 'true', fields: 'exchange' }[name] ?? '1';
    expect(invalid({ [name]: [value, value] })).toEqual([name]);
  });

  it('includes balances unless the fields leave them out', () => {
    expect(wantsBalances(parsed({}))).toBe(true);
    expect(wantsBalances(parsed({ fields: 'exchange, balances' }))).toBe(true);
    expect(wantsBalances(parsed({ fields: 'exchange' }))).toBe(false);
  });
});

describe('the response of the wallet listing', () => {
  const entry: WalletWithBalances = {
    unread: [],
    wallet: {
      id: 'internal',
      projectId: 'project',
      externalId: 'mine',
      exchange: 'kraken',
      invalidApi: false,
      createdAt: new Date('2026-01-01'),
      updatedAt: new Date('2026-01-02'),
      lastSyncAt: null,
      nextSyncAt: new Date(0),
      syncFailures: 0,
      historyTracked: false,
      syncProgress: null,
      credentialsSequence: 0,
      deletedAt: null,
    },
    balances: [{ asset: 'BTC', free: Amount.of('1'), used: Amount.of('0.5'), total: Amount.of('1.5') }],
  };

  it('has every field of the interface, the totals as numbers, and one value for both id and walletId', () => {
    const [wallet] = toListResponse({ entries: [entry], totalCount: 1 }, parsed({}), ['203.0.113.10']).wallets;
    expect(wallet).toEqual({
      id: 'mine',
      walletId: 'mine',
      exchange: 'kraken',
      projectId: 'project',
      balances: { BTC: 1.5 },
      ipPool: ['203.0.113.10'],
      invalidApi: false,
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-02T00:00:00.000Z',
      lastSyncAt: null,
      exact: { balances: { BTC: '1.5' } },
    });
  });

  it('has the exact totals to the last digit, even when only the field exact is requested', () => {
    const balance = { asset: 'ETH', free: Amount.zero, used: Amount.zero, total: Amount.of('1.000000000000000001') };
    const query = parsed({ fields: 'exact' });
    const owed = { asset: 'USD', total: Amount.zero };
    const page = { entries: [{ ...entry, balances: [balance, owed] }], totalCount: 1 };
    const [wallet] = toListResponse(page, query, []).wallets;
    expect(wantsBalances(query)).toBe(true);
    expect(wallet).toEqual({ id: 'mine', walletId: 'mine', exact: { balances: { ETH: '1.000000000000000001' } } });
  });

  it('has only the requested fields, and always the identifiers', () => {
    const query = parsed({ fields: 'exchange,lastSyncAt' });
    const [wallet] = toListResponse({ entries: [entry], totalCount: 1 }, query, []).wallets;
    expect(wallet).toEqual({ id: 'mine', walletId: 'mine', exchange: 'kraken', lastSyncAt: null });
  });

  it('counts the pages', () => {
    const { pagination } = toListResponse({ entries: [entry], totalCount: 21 }, parsed({ page: '2', limit: '10' }), []);
    expect(pagination).toEqual({ totalCount: 21, page: 2, limit: 10, pageCount: 3 });
  });
});
