import { createTestDatabase } from '#platform/testing';
import pg from 'pg';
import { CommandLine, type Outcome } from './command-line.js';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let cli: CommandLine;
let projectId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  const VAULT_KEYS = `test:${Buffer.alloc(32, 1).toString('base64')}`;
  cli = new CommandLine({ DATABASE_URL: database.appUrl, VAULT_KEYS, WEBHOOK_ALLOW_PRIVATE: 'true' });
  const { id } = await cli.json<{ id: string }>('orgs', 'create', 'Acme');
  projectId = (await cli.json<{ id: string }>('projects', 'create', id, 'Shop', '--mode', 'test')).id;
});

afterAll(() => database.drop());

describe('the commands about webhooks', () => {
  it('create, list and rotate an endpoint, and show each secret once', async () => {
    const url = 'http://127.0.0.1:9/hook';
    const created = await cli.json<{ id: string; secret: string }>(
      'webhooks',
      'create',
      projectId,
      url,
      '--events',
      'order.updated',
    );
    expect(created).toMatchObject({
      url,
      eventTypes: ['order.updated'],
      secret: expect.stringMatching(/^whsec_/) as string,
    });
    const listed = await cli.json('webhooks', 'list', projectId);
    expect(listed).toMatchObject([{ id: created.id }]);
    expect(JSON.stringify(listed)).not.toContain('whsec_');
    const rotated = await cli.run(['webhooks', 'rotate', created.id, '--overlap-seconds', '60']);
    expect(rotated.out).toMatch(/whsec_/);
    expect(rotated.out).not.toContain(created.secret);
    expect(rotated.out).toMatch(/The old secret signs until \S+Z/);
    expect(await cli.json('webhooks', 'deliveries', created.id, '--state', 'failed')).toEqual([]);
    expect(await cli.json('webhooks', 'resend', created.id, '--from', '2026-01-01')).toEqual({
      count: 0,
      continueFrom: null,
    });
    expect(await cli.run(['webhooks', 'create', projectId, url, '--events', 'nothing'])).toMatchObject({ code: 1 });
    expect(await cli.run(['webhooks', 'deliveries', created.id, '--state', 'lost'])).toMatchObject({ code: 2 });
  });

  it('ask for --from when the id is that of an endpoint, or an option of a time range is given', async () => {
    const { id: endpointId } = await cli.json<{ id: string }>(
      'webhooks',
      'create',
      projectId,
      'http://127.0.0.1:9/from',
    );
    const resend = (...args: string[]): Promise<Outcome> => cli.run(['webhooks', 'resend', ...args]);
    expect(await resend(endpointId)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^error: .* is an endpoint: add --from/) as string,
    });
    expect(await resend(projectId)).toMatchObject({ code: 1, err: 'error: Webhook delivery not found\n' });
    for (const option of [['--to', '2026-01-02'], ['--include-delivered']]) {
      expect(await resend(endpointId, ...option)).toMatchObject({
        code: 2,
        err: expect.stringMatching(/^error: --to and --include-delivered need --from/) as string,
      });
    }
  });

  it('print dispatched events as they happen, each once', async () => {
    const client = new pg.Client(database.ownerUrl);
    await client.connect();
    const insert = (id: string): Promise<unknown> =>
      client.query(
        `insert into events (id, project_id, type, subject, data, created_at, wallet_sequence, dispatched_at)
         values ($1, $2, 'wallet.created', 'w', '{"walletId": "w"}', now(), 1, now())`,
        [id, projectId],
      );
    const first = '0193f2a1-8a10-7c55-8d0e-2f1f0f2b7c11';
    const second = '0193f2a1-8a10-7c55-8d0e-2f1f0f2b7c12';
    await insert(first);
    const { outcome, end } = cli.start([
      'webhooks',
      'listen',
      projectId,
      '--from',
      '2026-01-01',
      '--max',
      '2',
      '--json',
    ]);
    await insert(second);
    await end;
    await client.end();
    const printed = outcome.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: string; type: string });
    expect(printed.map(({ id }) => id).sort()).toEqual([first, second]);
    expect(printed[0]).toMatchObject({ type: 'wallet.created', walletId: 'w', walletSequence: 1 });
  });
});
