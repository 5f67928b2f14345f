import { Amount } from '#money';
import { ExchangeError } from '../port/exchange-error.js';
import type { AccountReading } from './other-accounts.js';
import { namesOf, readSubAccounts, SUB_ACCOUNTS_MAX } from './sub-accounts.js';

const error = (kind: ExchangeError['kind'], reason?: string) =>
  new ExchangeError(kind, 'okx', 'a text', { rawCode: '1', reason });
const holding: AccountReading = { balances: [{ asset: 'BTC', free: Amount.of('2'), used: Amount.of('1') }] };
const named = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `s${index}` }));

describe('the sub-accounts of an owner', () => {
  it('are read up to the bound, and the further ones are named together', async () => {
    const read: string[] = [];
    const { balances, unread } = await readSubAccounts(named(SUB_ACCOUNTS_MAX + 5), async ({ name }) => {
      read.push(name);
      return holding;
    });
    expect(read).toEqual(named(SUB_ACCOUNTS_MAX).map(({ name }) => name));
    expect(balances.map(({ account, kind }) => [account, kind])).toEqual(
      read.map((name) => [`sub-account ${name}`, 'sub_account']),
    );
    expect(unread).toEqual([{ account: 'further sub-accounts', reason: 'not_served' }]);
    expect((await readSubAccounts(named(SUB_ACCOUNTS_MAX), async () => holding)).unread).toEqual([]);
  });

  it('are named one by one when the exchange refuses to show them', async () => {
    const refusals: Record<string, ExchangeError> = {
      s0: error('permission_missing'),
      s1: error('refused'),
      s2: error('unavailable', 'unlisted_error'),
    };
    const { balances, unread } = await readSubAccounts(named(4), async ({ name }) => {
      if (refusals[name] !== undefined) throw refusals[name];
      return holding;
    });
    expect(balances.map(({ account }) => account)).toEqual(['sub-account s3']);
    expect(unread?.map(({ account, reason }) => `${account}: ${reason}`)).toEqual([
      ...['sub-account s0: permission_missing', 'sub-account s1: refused', 'sub-account s2: refused'],
    ]);
  });

  it.each(['unavailable', 'rate_limited'] as const)('are not read in part when a call is %s', async (kind) => {
    const reading = readSubAccounts(named(3), async ({ name }) => {
      if (name === 's2') throw error(kind);
      return holding;
    });
    await expect(reading).rejects.toMatchObject({ kind });
  });

  it('are named by their ids where the exchange masks their name, lists it twice, or does not list it', async () => {
    const list = [
      { id: '1', name: 'one' },
      { id: '2', name: 'm***' },
      { id: '3', name: 'same' },
      { id: '4', name: 'same' },
    ];
    const nameOf = await namesOf(Promise.resolve(list));
    expect(['1', '2', '3', '4', '5'].map(nameOf)).toEqual(['one', '2', '3', '4', '5']);
    expect((await namesOf(Promise.reject(error('permission_missing'))))('1')).toBe('1');
    await expect(namesOf(Promise.reject(error('unavailable')))).rejects.toMatchObject({ kind: 'unavailable' });
  });
});
