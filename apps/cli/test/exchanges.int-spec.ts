import { createTestDatabase } from '#platform/testing';
import pg from 'pg';
import { CommandLine } from './command-line.js';

describe('the commands for exchanges', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let owner: pg.Client;
  let cli: CommandLine;

  beforeAll(async () => {
    database = await createTestDatabase();
    owner = new pg.Client(database.ownerUrl);
    await owner.connect();
    cli = new CommandLine({ DATABASE_URL: database.roleUrl('cli') });
  });
  beforeEach(() =>
    owner.query(
      `delete from exchange_pauses;
       insert into exchange_pauses values
         ('binance', 'https://api.binance.com', 'address', '', '', 'ban', 418, now(), now() + interval '3 days'),
         ('binance', 'https://api.binance.com', 'credential', 'w:1', '', 'retry_after', 429, now(), now() + interval '1 minute'),
         ('okx', 'https://www.okx.com', 'endpoint', 'w:2', 'GET balances', 'used_up', 200, now(), now() + interval '2 minutes'),
         ('okx', 'https://www.okx.com', 'address', '', '', 'ban', 403, now() - interval '2 days', now() - interval '1 day')`,
    ),
  );
  afterAll(async () => {
    await owner.end();
    await database.drop();
  });

  it('list the pauses that are not over, with reason, reach and end', async () => {
    expect(await cli.json('exchanges', 'status')).toMatchObject([
      { exchange: 'binance', of: 'address', credentialId: null, endpoint: null, reason: 'ban', status: 418 },
      { exchange: 'okx', of: 'endpoint', credentialId: 'w:2', endpoint: 'GET balances', reason: 'used_up' },
      { exchange: 'binance', of: 'credential', credentialId: 'w:1', reason: 'retry_after', status: 429 },
    ]);
    const { out } = await cli.run(['exchanges', 'status']);
    const [head, first] = out.split('\n');
    expect(head).toMatch(/^EXCHANGE +SITE +REACH +ENDPOINT +CREDENTIAL +REASON +SINCE +UNTIL$/);
    expect(first).toMatch(/^binance +https:\/\/api\.binance\.com +address +- +- +ban \(HTTP 418\) +\S+Z +\S+Z$/);
  });

  it('end the pauses of one exchange and of no other, notify the processes, and audit it in every organization', async () => {
    const organizations = [
      await cli.json<{ id: string }>('orgs', 'create', 'One'),
      await cli.json<{ id: string }>('orgs', 'create', 'Two'),
    ];
    const heard: string[] = [];
    owner.on('notification', ({ channel }) => heard.push(channel));
    await owner.query('listen exchange_pauses');
    const ended = await cli.json('exchanges', 'resume', 'binance');
    expect(ended).toMatchObject([
      { of: 'address', reason: 'ban' },
      { of: 'credential', reason: 'retry_after' },
    ]);
    expect(await cli.json('exchanges', 'status')).toMatchObject([{ exchange: 'okx' }]);
    for (const { id } of organizations) {
      const [entry] = await cli.json<object[]>('audit', 'list', id);
      expect(entry).toMatchObject({
        action: 'exchange.resumed',
        subject: 'binance',
        projectId: null,
        details: { pauses: '2', reach: 'address', reason: 'ban' },
      });
    }
    await owner.query('select 1');
    expect(heard).toContain('exchange_pauses');
    expect(await cli.json('exchanges', 'resume', 'binance')).toEqual([]);
  });

  it('refuse an exchange that does not exist', async () => {
    const { code, err } = await cli.run(['exchanges', 'resume', 'mtgox']);
    expect([code, err]).toEqual([2, expect.stringContaining('use one of')]);
  });
});
