import { v7 } from 'uuid';
import pg from 'pg';
import { createTestDatabase, until } from '#platform/testing';
import { CommandLine } from './command-line.js';

interface Created {
  id: string;
}

describe('wallets on the command line', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let db: pg.Client;
  let cli: CommandLine;
  let project: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    db = new pg.Client(database.appUrl);
    await db.connect();
    const VAULT_KEYS = `test:${Buffer.alloc(32, 1).toString('base64')}`;
    cli = new CommandLine({ DATABASE_URL: database.roleUrl('cli'), VAULT_KEYS });
    const { id } = await cli.json<Created>('orgs', 'create', 'Acme');
    project = (await cli.json<Created>('projects', 'create', id, 'Shop', '--mode', 'test')).id;
  });
  afterAll(async () => {
    await db.end();
    await database.drop();
  });

  const connect = async (externalWalletId: string, progress: object | null): Promise<void> => {
    await db.query(
      `insert into wallets (id, project_id, external_id, exchange, sync_progress) values ($1, $2, $3, 'kraken', $4)`,
      [v7(), project, externalWalletId, progress],
    );
  };
  const reading = { state: 'reading', records: 4200, reachedAt: '2024-03-01T10:00:00.000Z', fraction: 0.423 };
  const complete = { state: 'complete', records: 12345, reachedAt: '2019-02-01T10:00:00.000Z', fraction: 1 };

  it('are listed for a project, with the progress of reading their history', async () => {
    await connect('fresh', null);
    await connect('under-way', reading);
    await connect('done', complete);
    const { out } = await cli.run(['wallets', 'list', '--project', project]);
    const lines = out.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^WALLET +EXCHANGE +KEY +CONNECTED +LAST SYNC +HISTORY$/);
    expect(lines[1]).toMatch(/^done +kraken +valid +\S+Z +- +complete$/);
    expect(lines[2]).toMatch(/^under-way .* 42\.3 %$/);
    expect(lines[3]).toMatch(/^fresh .* not begun$/);
    expect(await cli.json('wallets', 'list', '--project', project, '--limit', '1')).toMatchObject([
      { externalId: 'done', syncProgress: complete },
    ]);
  });

  it('are shown with a progress bar', async () => {
    const { out } = await cli.run(['wallets', 'show', project, 'under-way']);
    expect(out).toMatch(/^WALLET\n +id +under-way\n +exchange +kraken\n/);
    expect(out).toContain('history [############..................]  42.3 %  4,200 records, back to 2024-03-01\n');
    expect(await cli.json('wallets', 'show', project, 'done')).toMatchObject({ externalId: 'done', balances: [] });
    expect((await cli.run(['wallets', 'show', project, 'fresh'])).out).toMatch(/ 0\.0 % +not begun\n$/);
  });

  it.each([
    [
      'line by line',
      false,
      /^history .* 42\.3 % .*\nhistory .* 100\.0 % .*12,345 records, back to 2019-02-01, complete\n$/m,
    ],
    ['in place on a terminal', true, /\rhistory [^\n]* 42\.3 % [^\n]*<\rhistory [^\n]* 100\.0 % [^\n]*, complete<\n$/],
  ])('are watched until their history is complete, %s', async (_how, isTerminal, expected) => {
    const externalWalletId = `watched-${isTerminal}`;
    await connect(externalWalletId, reading);
    const watching = cli.start(['wallets', 'show', project, externalWalletId, '--watch'], {}, isTerminal);
    await until('the progress is shown', () => watching.outcome.out.includes('42.3'));
    await db.query(`update wallets set sync_progress = $2 where external_id = $1`, [externalWalletId, complete]);
    await watching.end;
    expect(watching.outcome).toMatchObject({ code: 0, err: '' });
    // The control sequence that erases the rest of a line.
    expect(watching.outcome.out.replaceAll('\x1b[K', '<')).toMatch(expected);
  });

  it('are exported as one JSON document, and erased only with their id as a confirmation', async () => {
    await connect('leaving', complete);
    const exported = await cli.run(['wallets', 'export', project, 'leaving']);
    expect(exported).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(exported.out)).toMatchObject({
      format: 'causeway.wallet-export/1',
      projectId: project,
      walletId: 'leaving',
      identity: null,
      tables: { wallets: [{ external_id: 'leaving', deleted_at: null }], orders: [] },
    });
    expect((await cli.run(['wallets', 'erase', project, 'leaving'])).code).toBe(2);
    expect(await cli.run(['wallets', 'erase', project, 'leaving', '--confirm', 'done'])).toMatchObject({ code: 1 });
    expect(await cli.json('wallets', 'show', project, 'leaving')).toMatchObject({ externalId: 'leaving' });
    const left = await cli.json<{ table: string; left: number }[]>(
      ...(['wallets', 'erase', project, 'leaving', '--confirm', 'leaving'] as const),
    );
    expect(left.filter(({ left: rows }) => rows > 0).map(({ table }) => table)).toEqual(
      expect.arrayContaining(['wallets', 'audit_entries']),
    );
    expect(await cli.run(['wallets', 'show', project, 'leaving'])).toMatchObject({ code: 1 });
    expect(await cli.run(['wallets', 'export', project, 'nobody'])).toMatchObject({ code: 1, err: /not found/i });
  });

  it('are reported as not found when they do not exist', async () => {
    expect(await cli.run(['wallets', 'show', project, 'nobody'])).toMatchObject({ code: 1, err: /not found/i });
    expect((await cli.run(['wallets', 'list'])).code).toBe(2);
  });
});
