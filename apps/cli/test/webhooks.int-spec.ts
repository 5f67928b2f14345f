import { randomUUID } from 'node:crypto';
import { createTestDatabase, until } from '#platform/testing';
import pg from 'pg';
import { CommandLine, type Outcome } from './command-line.js';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let cli: CommandLine;
let projectId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  const VAULT_KEYS = `test:${Buffer.alloc(32, 1).toString('base64')}`;
  cli = new CommandLine({ DATABASE_URL: database.roleUrl('cli'), VAULT_KEYS, WEBHOOK_ALLOW_PRIVATE: 'true' });
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

  it('are refused when a vault key has the id of the key that sealed the stored secrets, but other bytes', async () => {
    const VAULT_KEYS = `test:${Buffer.alloc(32, 2).toString('base64')}`;
    const args = ['webhooks', 'create', projectId, 'http://127.0.0.1:9/keys'];
    await cli.json(...args);
    const listed = await cli.json('webhooks', 'list', projectId);
    expect(await cli.run(args, { VAULT_KEYS })).toMatchObject({
      code: 1,
      err: expect.stringContaining('encrypted with other bytes under the key id test; restore') as string,
    });
    expect(await cli.json('webhooks', 'list', projectId)).toEqual(listed);
  });

  it('require --from when the id to resend is that of an endpoint, and with --to or --include-delivered', async () => {
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

  describe('that print events as they happen', () => {
    let client: pg.Client;

    beforeEach(async () => {
      client = new pg.Client(database.ownerUrl);
      await client.connect();
      await client.query(`delete from events where project_id = $1`, [projectId]);
    });
    afterEach(() => client.end());

    const insert = (id: string, { secondsAgo, isDispatched }: { secondsAgo: number; isDispatched: boolean }) =>
      client.query(
        `insert into events (id, project_id, type, subject, data, created_at, wallet_sequence, dispatched_at)
         values ($1, $2, 'wallet.created', 'w', '{"walletId": "w"}', now() - make_interval(secs => $3), 1,
                 case when $4 then now() end)`,
        [id, projectId, secondsAgo, isDispatched],
      );
    const present = { secondsAgo: 0, isDispatched: true };
    const listen = (max: number) =>
      cli.start(['webhooks', 'listen', projectId, '--from', '2026-01-01', '--max', String(max), '--json']);
    const printed = ({ out }: Outcome): { id: string; type: string }[] =>
      out
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as { id: string; type: string });
    const idsIn = (outcome: Outcome): string[] => printed(outcome).map(({ id }) => id);

    it('print each dispatched event once', async () => {
      const [first, second] = [randomUUID(), randomUUID()];
      await insert(first, present);
      const { outcome, end } = listen(2);
      await insert(second, present);
      await end;
      expect(idsIn(outcome).sort()).toEqual([first, second].sort());
      expect(printed(outcome)[0]).toMatchObject({ type: 'wallet.created', walletId: 'w', walletSequence: 1 });
    });

    it('print an event that was dispatched long after its time, because no worker ran', async () => {
      const [first, late, next, last] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
      await insert(first, present);
      await insert(late, { secondsAgo: 60, isDispatched: false });
      const { outcome, end } = listen(3);
      await until('the first event is printed', () => idsIn(outcome).includes(first));
      await client.query(`update events set dispatched_at = now() where id = $1`, [late]);
      await insert(next, present);
      await until('the next event is printed', () => idsIn(outcome).includes(next));
      // The command ends after three events. The event `last` ends it if the late event is never printed.
      await insert(last, present);
      await end;
      expect(idsIn(outcome)).toEqual([first, late, next]);
    });
  });
});
