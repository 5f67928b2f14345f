import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { DAY_MS } from '#platform/clock';
import { CannotOpen, SealedTables, Vault, type Secret } from '#platform/crypto';
import { withoutRules } from '#platform/testing';
import { ResendWebhooks, RESENDS_MAX } from '../deliveries/resend-webhooks.js';
import { WebhookDeliveries } from '../deliveries/webhook-deliveries.service.js';
import { Receiver } from '../testing/receiver.js';
import { WebhookHarness } from '../testing/webhook-harness.js';
import { DeleteWebhookEndpoint } from './delete-webhook-endpoint.js';
import { RotateWebhookSecret } from './rotate-webhook-secret.js';
import { UpdateWebhookEndpoint } from './update-webhook-endpoint.js';
import { WebhookEndpoints } from './webhook-endpoints.service.js';
import { WebhookSecrets } from './webhook-secrets.js';

const ACTOR = 'tests';
const HOUR_MS = 3_600_000;

interface Body {
  type: string;
  walletId: string;
  walletSequence: number;
  data: object;
}

describe('the endpoints of webhooks', () => {
  let harness: WebhookHarness;
  let receiver: Receiver;

  beforeAll(async () => {
    harness = await WebhookHarness.create({ WEBHOOK_ENDPOINTS_MAX: 3 });
  });
  afterAll(() => harness.close());
  beforeEach(async () => {
    await harness.reset();
    receiver = await Receiver.start();
  });
  afterEach(() => receiver.close());

  const bodies = (): Body[] => receiver.requests.map(({ body }) => JSON.parse(body) as Body);

  it('are at most WEBHOOK_ENDPOINTS_MAX in each project, also when they are created at the same time', async () => {
    const created = await Promise.allSettled(Array.from({ length: 6 }, () => harness.endpoint(receiver.url)));
    expect(created.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    await expect(harness.endpoint(receiver.url)).rejects.toThrow('at most 3 webhook endpoints');
    await harness.newProject();
    await harness.endpoint(receiver.url);
  });

  it('are refused with an unknown type of event or an invalid address', async () => {
    await expect(harness.endpoint(receiver.url, ['wallet.sold'])).rejects.toThrow("there is no event 'wallet.sold'");
    for (const url of ['', 'hooks', 'ftp://example.com', 'https://user@example.com', 'https://example.com/#a']) {
      await expect(harness.endpoint(url)).rejects.toThrow(/url must/);
    }
  });

  it('store no secret as text', async () => {
    const { endpoint, secret } = await harness.endpoint(receiver.url);
    const rows = await harness.db.query(`select to_json(s) from webhook_secrets s where endpoint_id = $1`, [
      endpoint.id,
    ]);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(secret.reveal().slice('whsec_'.length));
  });

  it('have secrets that are among the sealed records with which a process checks its vault keys', async () => {
    await harness.endpoint(receiver.url);
    const samples = harness.get(SealedTables);
    expect(await samples.findProblems()).toEqual([]);
    await harness.db.query(`update webhook_secrets set sealed = jsonb_set(sealed, '{keyId}', '"lost"')`);
    expect(await samples.findProblems()).toEqual([{ keyId: 'lost', kind: 'missing', tables: ['webhook_secrets'] }]);
    await harness.db.query(`delete from webhook_secrets`);
  });

  it('get signatures of both secrets during the overlap of a rotation, and of the new secret alone afterwards', async () => {
    const { endpoint, secret: old } = await harness.endpoint(receiver.url);
    const { secret: fresh } = await harness.get(RotateWebhookSecret).execute(endpoint.id, 3_600, ACTOR);
    const signaturesOf = async (): Promise<{ sent: string; by: (secret: Secret) => string }> => {
      await harness.record();
      await harness.work();
      const request = receiver.requests.at(-1);
      if (request === undefined) throw new Error('nothing was sent');
      const { headers, body } = request;
      const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
      const by = (secret: Secret): string => new Webhook(secret.reveal()).sign(String(headers['webhook-id']), at, body);
      return { sent: String(headers['webhook-signature']), by };
    };
    const during = await signaturesOf();
    expect(during.sent).toBe(`${during.by(fresh)} ${during.by(old)}`);
    harness.clock.advance(HOUR_MS);
    const after = await signaturesOf();
    expect(after.sent).toBe(after.by(fresh));
  });

  it('do not take an earlier secret back: the database refuses it, and one that the owner puts back does not sign', async () => {
    const { endpoint } = await harness.endpoint(receiver.url);
    const rowsOf = (): Promise<{ row: object }[]> =>
      harness.db.query(`select to_jsonb(s) as row from webhook_secrets s where endpoint_id = $1`, [endpoint.id]);
    const [old] = await rowsOf();
    await harness.get(RotateWebhookSecret).execute(endpoint.id, 0, ACTOR);
    const putBack = `insert into webhook_secrets select * from jsonb_populate_record(null::webhook_secrets, $1)`;
    await expect(harness.db.query(putBack, [JSON.stringify(old?.row)])).rejects.toThrow(/not the newest one/);
    await expect(
      harness.db.query(`update webhook_endpoints set secrets_sequence = 1 where id = $1`, [endpoint.id]),
    ).rejects.toThrow(/only grows/);
    await withoutRules(
      harness.ownerUrl,
      `delete from webhook_secrets where endpoint_id = '${endpoint.id}';
       ${putBack.replace('$1', `'${JSON.stringify(old?.row)}'`)}`,
    );
    const refusals: string[] = [];
    harness.get(Vault).onRefusal = (reason) => void refusals.push(reason);
    await harness.record();
    await expect(harness.work()).rejects.toThrow(/an old record was put back/);
    expect(receiver.requests).toEqual([]);
    expect(refusals).toContain('not_current');
  });

  it('do not sign with the secret of another endpoint that the owner of the table has given them', async () => {
    const { endpoint: other } = await harness.endpoint(receiver.url);
    const { endpoint } = await harness.endpoint(receiver.url);
    await withoutRules(
      harness.ownerUrl,
      `delete from webhook_secrets where endpoint_id = '${endpoint.id}';
       update webhook_secrets set endpoint_id = '${endpoint.id}' where endpoint_id = '${other.id}'`,
    );
    await expect(harness.get(WebhookSecrets).listSigning(endpoint)).rejects.toThrow(CannotOpen);
  });

  it('do not let a secret sign for longer than its rotation has allowed', async () => {
    const { endpoint } = await harness.endpoint(receiver.url);
    await harness.get(RotateWebhookSecret).execute(endpoint.id, 60, ACTOR);
    const lengthened = harness.db.query(
      `update webhook_secrets set expires_at = expires_at + interval '1 day'
        where endpoint_id = $1 and expires_at is not null`,
      [endpoint.id],
    );
    await expect(lengthened).rejects.toThrow(/not the newest one/);
  });

  it('have at most three secrets that sign', async () => {
    const { endpoint } = await harness.endpoint(receiver.url);
    const rotate = (): Promise<unknown> => harness.get(RotateWebhookSecret).execute(endpoint.id, 3_600, ACTOR);
    await Promise.all([rotate(), rotate()]);
    await expect(rotate()).rejects.toThrow('3 secrets that still sign');
    harness.clock.advance(HOUR_MS);
    await rotate();
  });

  it('can replace a leaked secret at once, also while the maximum number of secrets signs', async () => {
    const { endpoint } = await harness.endpoint(receiver.url);
    const rotate = (overlapSeconds: number) =>
      harness.get(RotateWebhookSecret).execute(endpoint.id, overlapSeconds, ACTOR);
    await rotate(7 * 86_400);
    await rotate(7 * 86_400);
    const { secret } = await rotate(0);
    await harness.record();
    await harness.work();
    const [request] = receiver.requests;
    const at = new Date(Number(request?.headers['webhook-timestamp']) * 1_000);
    const signature = new Webhook(secret.reveal()).sign(
      String(request?.headers['webhook-id']),
      at,
      request?.body ?? '',
    );
    expect(request?.headers['webhook-signature']).toBe(signature);
  });

  it('get no signature of an earlier secret after the overlap of the last rotation, even within a longer earlier overlap', async () => {
    const { endpoint } = await harness.endpoint(receiver.url);
    await harness.get(RotateWebhookSecret).execute(endpoint.id, 7 * 86_400, ACTOR);
    await harness.get(RotateWebhookSecret).execute(endpoint.id, 3_600, ACTOR);
    harness.clock.advance(HOUR_MS);
    await harness.record();
    await harness.work();
    expect(receiver.requests[0]?.headers['webhook-signature']).not.toContain(' ');
  });

  it('are disabled after days of failures, and the other endpoints of the project are informed', async () => {
    const broken = await Receiver.start();
    broken.answer(500);
    const { endpoint } = await harness.endpoint(broken.url);
    await harness.endpoint(receiver.url, ['webhook_endpoint.disabled']);
    for (let day = 0; day <= 5; day++) {
      await harness.record();
      await harness.work();
      harness.clock.advance(DAY_MS);
    }
    expect(await harness.get(WebhookEndpoints).get(endpoint.id)).toMatchObject({ disabledReason: 'failing' });
    await harness.work();
    expect(bodies()).toMatchObject([
      { type: 'webhook_endpoint.disabled', walletId: null, data: { endpointId: endpoint.id, reason: 'failing' } },
    ]);
    const sent = broken.requests.length;
    await harness.work();
    expect(broken.requests).toHaveLength(sent);
    await broken.close();
  });

  it('are not disabled when a delivery between the failures succeeds', async () => {
    const { endpoint } = await harness.endpoint(receiver.url);
    for (let day = 0; day <= 8; day++) {
      receiver.answer(day === 4 ? 200 : 500);
      await harness.record();
      await harness.work();
      harness.clock.advance(DAY_MS);
    }
    expect(await harness.get(WebhookEndpoints).get(endpoint.id)).toMatchObject({ disabledAt: null });
  });

  it('are disabled at once when they answer 410, and get their pending deliveries when they are enabled again', async () => {
    receiver.answer(410);
    const { endpoint } = await harness.endpoint(receiver.url);
    await harness.record();
    await harness.work();
    expect(await harness.get(WebhookEndpoints).get(endpoint.id)).toMatchObject({ disabledReason: 'gone' });
    harness.clock.advance(DAY_MS);
    expect(await harness.work()).toBe(0);
    receiver.answer(200);
    await harness.get(UpdateWebhookEndpoint).execute(endpoint.id, { enabled: true }, ACTOR);
    expect(await harness.work()).toBe(1);
    expect((await harness.log(endpoint.id)).delivery.state).toBe('delivered');
  });

  describe('that change while a worker delivers a backlog to them', () => {
    /** The default of WEBHOOK_ENDPOINT_CONCURRENCY. */
    const CONCURRENCY = 5;
    let moved: Receiver;

    beforeEach(async () => {
      moved = await Receiver.start();
    });
    afterEach(() => moved.close());

    const move = (endpointId: string) =>
      harness.get(UpdateWebhookEndpoint).execute(endpointId, { url: moved.url }, ACTOR);

    /** Delivers ten events. `change` runs after the worker has sent the first five, and before it gets a response. */
    const deliverDuring = async (change: () => Promise<unknown>): Promise<void> => {
      for (let number = 0; number < 2 * CONCURRENCY; number++) await harness.record(`wallet-${number}`);
      let changed: Promise<unknown> | null = null;
      receiver.behave = (response) => {
        changed ??= change();
        void changed.then(() => response.end());
      };
      await harness.work();
    };

    it('get the rest of the backlog at their new address', async () => {
      const { endpoint } = await harness.endpoint(receiver.url);
      await deliverDuring(() => move(endpoint.id));
      expect([receiver.requests.length, moved.requests.length]).toEqual([CONCURRENCY, CONCURRENCY]);
      const [last] = (await harness.deliveries(endpoint.id)).slice(-1);
      const attempts = await harness.get(WebhookDeliveries).listAttempts(last?.id ?? '');
      expect(attempts).toMatchObject([{ url: moved.url, responseStatus: 200 }]);
    });

    it('get the rest of the backlog with signatures of the new secret alone after a rotation without an overlap', async () => {
      const { endpoint, secret: old } = await harness.endpoint(receiver.url);
      await deliverDuring(() => harness.get(RotateWebhookSecret).execute(endpoint.id, 0, ACTOR));
      const isByOld = receiver.requests.map(({ headers, body }) => {
        const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
        const signature = new Webhook(old.reveal()).sign(String(headers['webhook-id']), at, body);
        return String(headers['webhook-signature']).includes(signature);
      });
      expect(isByOld).toEqual([...Array<boolean>(CONCURRENCY).fill(true), ...Array<boolean>(CONCURRENCY).fill(false)]);
    });

    it('are not disabled because their earlier address answers 410', async () => {
      const { endpoint } = await harness.endpoint(receiver.url);
      await harness.record();
      receiver.behave = (response) => {
        void move(endpoint.id).then(() => response.writeHead(410).end());
      };
      await harness.work();
      expect(await harness.get(WebhookEndpoints).get(endpoint.id)).toMatchObject({
        disabledAt: null,
        failingSince: null,
      });
    });

    it('are not disabled for the failures of their earlier address', async () => {
      receiver.answer(500);
      moved.answer(500);
      const { endpoint } = await harness.endpoint(receiver.url);
      await harness.record();
      await harness.work();
      harness.clock.advance(5 * DAY_MS);
      await move(endpoint.id);
      await harness.work();
      expect(moved.requests).toHaveLength(1);
      expect(await harness.get(WebhookEndpoints).get(endpoint.id)).toMatchObject({
        disabledAt: null,
        failingSince: harness.clock.now(),
      });
    });
  });

  it('can get events of a time range again: all, or the failed ones and those recorded while the endpoint was disabled', async () => {
    const { endpoint } = await harness.endpoint(receiver.url);
    const from = harness.clock.now();
    receiver.answer(500);
    await harness.record('failed');
    for (let next: Date | null = from; next !== null; next = (await harness.log(endpoint.id)).delivery.nextAttemptAt) {
      harness.clock.at = next.getTime();
      await harness.work();
    }
    expect((await harness.log(endpoint.id)).delivery.state).toBe('failed');
    receiver.requests.length = 0;
    receiver.answer(200);
    await harness.record('accepted');
    await harness.work();
    await harness.get(UpdateWebhookEndpoint).execute(endpoint.id, { enabled: false }, ACTOR);
    await harness.record('missed');
    await harness.work();
    await harness.get(UpdateWebhookEndpoint).execute(endpoint.id, { enabled: true }, ACTOR);
    harness.clock.advance(1);
    const range = { endpointId: endpoint.id, from, to: harness.clock.now(), actor: ACTOR };
    const resend = harness.get(ResendWebhooks);
    expect(await resend.range({ ...range, includeDelivered: false })).toEqual({ count: 2, continueFrom: null });
    await harness.work();
    const [first, ...others] = bodies().map(({ walletId }) => walletId);
    expect([first, ...others.sort()]).toEqual(['accepted', 'failed', 'missed']);
    expect(await resend.range({ ...range, includeDelivered: true })).toEqual({ count: 3, continueFrom: null });
    await harness.work();
    expect(receiver.ids.slice(3).sort()).toEqual(receiver.ids.slice(0, 3).sort());
    await expect(resend.range({ ...range, to: from, includeDelivered: true })).rejects.toThrow(
      'from must be an earlier time than to',
    );
  });

  it('get no events of a time range again whose type they do not receive', async () => {
    const { endpoint } = await harness.endpoint(receiver.url, ['wallet.deleted']);
    const from = harness.clock.now();
    await harness.record('not wanted');
    await harness.work();
    harness.clock.advance(1);
    const range = { endpointId: endpoint.id, from, to: harness.clock.now(), actor: ACTOR };
    const resent = await harness.get(ResendWebhooks).range({ ...range, includeDelivered: true });
    expect(resent).toEqual({ count: 0, continueFrom: null });
    await harness.work();
    expect(bodies()).toEqual([]);
  });

  it('get a delivery again on request, under the same id and at most RESENDS_MAX times', async () => {
    const { endpoint } = await harness.endpoint(receiver.url);
    await harness.record();
    await harness.work();
    const { delivery } = await harness.log(endpoint.id);
    const resend = harness.get(ResendWebhooks);
    expect(await resend.one(delivery.id, ACTOR)).toMatchObject({ state: 'pending', resends: 1 });
    await harness.work();
    expect(receiver.ids).toEqual([delivery.eventId, delivery.eventId]);
    for (let number = 2; number <= RESENDS_MAX; number++) await resend.one(delivery.id, ACTOR);
    await expect(resend.one(delivery.id, ACTOR)).rejects.toThrow(`sent again ${RESENDS_MAX} times`);
    await expect(resend.one(randomUUID(), ACTOR)).rejects.toThrow('Webhook delivery not found');
  });

  it('get the events of a wallet numbered without gaps in the order of the changes, even when several workers dispatch them', async () => {
    await harness.endpoint(receiver.url);
    for (let number = 1; number <= 9; number++) {
      await harness.record(number % 3 === 0 ? 'b' : 'a', 'wallet.balance.updated', { number });
      if (number % 4 === 0) await Promise.all([harness.dispatch(), harness.dispatch()]);
    }
    await harness.work();
    await harness.work();
    const numbersOf = (wallet: string): unknown[] =>
      bodies()
        .filter(({ walletId }) => walletId === wallet)
        .sort((one, other) => one.walletSequence - other.walletSequence)
        .map(({ walletSequence, data }) => [walletSequence, (data as { number: number }).number]);
    expect(numbersOf('a')).toEqual([1, 2, 4, 5, 7, 8].map((number, index) => [index + 1, number]));
    expect(numbersOf('b')).toEqual([3, 6, 9].map((number, index) => [index + 1, number]));
  });

  it('get nothing more after they are deleted, and their deliveries and secrets are deleted with them', async () => {
    const { endpoint } = await harness.endpoint(receiver.url);
    await harness.record();
    await harness.dispatch();
    await harness.get(DeleteWebhookEndpoint).execute(endpoint.id, ACTOR);
    expect(await harness.work()).toBe(0);
    for (const table of ['webhook_deliveries', 'webhook_secrets']) {
      expect(await harness.db.query(`select from ${table} where endpoint_id = $1`, [endpoint.id])).toEqual([]);
    }
    await expect(harness.get(DeleteWebhookEndpoint).execute(endpoint.id, ACTOR)).rejects.toThrow('not found');
  });
});
