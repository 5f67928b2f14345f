import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DAY_MS } from '#platform/clock';
import { PartnerClient } from '../../test/partner.js';
import { TestSandbox, type OpenedAccount } from '../../test/sandbox.js';

interface Row {
  refid: string;
  time: number;
  amount: string;
  asset: string;
  status: string;
  txid: string;
}
type Pages = Record<string, Row[]> & { next_cursor: string | null };

describe('a history that the control API makes', () => {
  let sandbox: TestSandbox;
  let account: OpenedAccount;
  beforeEach(async () => {
    sandbox = await TestSandbox.start();
    account = await sandbox.open({ balances: { BTC: '5' } });
  });
  afterEach(() => sandbox.close());

  const order = (change: object = {}) => {
    const to = sandbox.clock.now.getTime();
    return { deposits: 700, withdrawals: 500, from: to - 100 * DAY_MS, to, ...change };
  };
  const make = (change: object = {}, { accountId }: Pick<OpenedAccount, 'accountId'> = account) =>
    sandbox.control('POST', `accounts/${accountId}/history`, order(change));
  const readAll = async (client: ReturnType<TestSandbox['ccxt']>, endpoint: string, name: string): Promise<Row[]> => {
    const rows: Row[] = [];
    for (let cursor: string | null = 'true'; cursor !== null;) {
      const { result } = (await client.request(endpoint, 'private', 'POST', { cursor, limit: 200 })) as {
        result: Pages;
      };
      rows.push(...(result[name] ?? []));
      cursor = result.next_cursor;
    }
    return rows;
  };

  it('consists of the requested number of settled records, newest first, spread evenly up to the requested end', async () => {
    expect(await make()).toEqual({ status: 200, body: { deposits: 700, withdrawals: 500 } });
    const client = sandbox.ccxt(account);
    const deposits = await readAll(client, 'DepositStatus', 'deposits');
    const withdrawals = await readAll(client, 'WithdrawStatus', 'withdrawals');
    expect([deposits.length, withdrawals.length]).toEqual([700, 500]);
    for (const rows of [deposits, withdrawals]) {
      expect(new Set(rows.map(({ refid }) => refid)).size).toBe(rows.length);
      expect(new Set(rows.map(({ txid }) => txid)).size).toBe(rows.length);
      expect(new Set(rows.map(({ asset }) => asset)).size).toBe(8);
      expect(rows.every(({ status }) => status === 'Success')).toBe(true);
      const times = rows.map(({ time }) => time);
      expect(times).toEqual([...times].sort((a, b) => b - a));
      expect(times[0]).toBe(order().to / 1000);
      const gaps = times.slice(1).map((time, index) => (times[index] ?? 0) - time);
      expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThanOrEqual(2);
    }
  });

  it('leaves the balances unchanged', async () => {
    await make({ asset: 'BTC' });
    const { balances, entries } = await sandbox.ledger(account);
    expect(balances['BTC']?.total).toBe('5');
    expect(Object.keys(balances)).toEqual(['BTC']);
    expect(entries).toHaveLength(1 + 1 + 700 + 500 + 1);
  });

  it('is one line of the ledger file, and is unchanged after a restart', async () => {
    const directory = mkdtempSync(path.join(tmpdir(), 'sandbox-history-'));
    const ledgerFile = path.join(directory, 'ledger.jsonl');
    const before = await TestSandbox.start({ ledgerFile });
    const opened = await before.open({});
    const lines = () => readFileSync(ledgerFile, 'utf8').split('\n').length;
    const linesBefore = lines();
    await before.control('POST', `accounts/${opened.accountId}/history`, order());
    expect(lines()).toBe(linesBefore + 1);
    const left = await before.ledger(opened);
    await before.close();
    const after = await TestSandbox.start({ ledgerFile });
    expect(await after.ledger(opened)).toEqual(left);
    expect(left.withdrawals).toHaveLength(500);
    await after.close();
    rmSync(directory, { recursive: true });
  });

  it.each([
    [{ from: 2, to: 1 }],
    [{ to: Date.parse('2027-01-01') }],
    [{ deposits: 500_001 }],
    [{ deposits: 300_000, withdrawals: 300_000 }],
    [{ asset: 'NOPE' }],
    [{ asset: 'DASH' }],
  ])('is refused when the request contains %j', async (change) => {
    expect((await make(change)).status).toBe(422);
    expect((await sandbox.ledger(account)).withdrawals).toEqual([]);
  });

  it('is also listed by the partner API, which can limit the list to a period', async () => {
    const client = await PartnerClient.open(sandbox);
    await make({ withdrawals: 100, deposits: 300, asset: 'XRP' }, client.account);
    const { from, to } = order();
    const middle = (from + to) / 2;
    const list = async (name: string, query: string) => {
      const { body } = await client.call<Record<string, unknown>>('GET', `/${name}?limit=500&${query}`);
      return body[name] as { id: string; createdAt: number; tag: string | null }[];
    };
    expect(await list('deposits', `since=${middle + 1}`)).toHaveLength(150);
    expect(await list('deposits', `until=${middle}`)).toHaveLength(150);
    const withdrawals = await list('withdrawals', `since=${from}&until=${middle}&asset=XRP`);
    expect(withdrawals).toHaveLength(50);
    expect(withdrawals.every(({ createdAt, tag }) => createdAt <= middle && tag === '1000001')).toBe(true);
    expect(await client.balance('XRP')).toBe('1000');
    expect((await client.withdraw()).status).toBe(201);
  });
});
