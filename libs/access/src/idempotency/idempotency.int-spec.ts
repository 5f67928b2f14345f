import { randomUUID } from 'node:crypto';
import { Body, Controller, Get, Post, Put, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import pg from 'pg';
import { loadConfig, testOverrides } from '#platform/config';
import { Database } from '#platform/database';
import {
  Conflict,
  DomainError,
  errorCodes,
  NotFound,
  RateLimitExceeded,
  Unauthorized,
  ValidationFailed,
} from '#platform/errors';
import { PeriodicTasks } from '#platform/lifecycle';
import { createTestDatabase } from '#platform/testing';
import { AnyKey, Public } from '../guard/access-rule.decorators.js';
import { InsufficientPermissions } from '../guard/access.errors.js';
import { createAccessApp, send, type AccessApp, type Answer } from '../testing/access-app.js';
import { createProject, type TestProject } from '../testing/index.js';
import { ExpiredResponses } from './expired-responses.js';
import { TakesIdempotencyKey } from './takes-idempotency-key.decorator.js';

/** A request to the test controller `probe` that waits until the test responds to it. */
interface Held {
  answer: (result: object) => void;
  fail: (error: Error) => void;
}

/** The requests that the controller `probe` has got, in order of arrival. */
let calls: unknown[] = [];
let held: Held[] = [];
let onHeld: (() => void) | null = null;
/** The error that the controller `probe` throws. */
let refusal = new DomainError('GENERIC_UNAUTHORIZED', 'refused');

@Controller('probe')
class RepeatsController {
  @Post('count')
  @TakesIdempotencyKey()
  @AnyKey()
  count(@Body() body: object): object {
    calls.push(body);
    return { z: calls.length, a: 'é😀\u0000\ud800', nested: { b: [1, null], a: '1e3' } };
  }

  @Get('count')
  @AnyKey()
  countGet(): object {
    calls.push(null);
    return { calls: calls.length };
  }

  @Put('count')
  @TakesIdempotencyKey()
  @AnyKey()
  countPut(): object {
    calls.push(null);
    return {};
  }

  @Put('held')
  @TakesIdempotencyKey()
  @AnyKey()
  hold(@Req() request: FastifyRequest): Promise<object> {
    calls.push(request.body);
    return new Promise((answer, fail) => {
      held.push({ answer, fail });
      onHeld?.();
    });
  }

  @Post('refused')
  @TakesIdempotencyKey()
  @AnyKey()
  refuse(): never {
    calls.push(null);
    throw refusal;
  }

  @Post('changing')
  @TakesIdempotencyKey({ refusalsMayChange: true })
  @AnyKey()
  refuseForNow(): never {
    return this.refuse();
  }

  @Post('open')
  @Public()
  open(): object {
    calls.push(null);
    return { calls: calls.length };
  }
}

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let api: AccessApp;
let project: TestProject;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await createAccessApp(database.appUrl, { controllers: [RepeatsController] });
  project = await createProject(api.app);
  db = api.app.get(Database, { strict: false });
});
beforeEach(() => {
  calls = [];
  held = [];
});
// A request that a failed test left waiting would keep the application from closing.
afterEach(() => held.forEach(({ answer }) => answer({})));
afterAll(async () => {
  await api.app.close();
  await database.drop();
});

const call = (path: string, key: string, body: unknown = {}): Promise<Answer> =>
  send(
    `${api.url}/probe/${path}`,
    { ...project.headers, 'idempotency-key': key },
    body,
    path === 'held' ? 'PUT' : 'POST',
  );
const isReplayed = ({ headers }: Answer): boolean => headers['idempotent-replayed'] === 'true';

/** Sends a request that waits in the controller `probe`. */
async function begin(key: string): Promise<{ answered: Promise<Answer>; held: Held }> {
  const arrived = new Promise<void>((resolve) => (onHeld = resolve));
  const answered = call('held', key);
  await arrived;
  const last = held.at(-1);
  if (last === undefined) throw new Error('nothing is held');
  return { answered, held: last };
}

describe('a response under an Idempotency-Key', () => {
  it('is repeated byte by byte, whatever it contains', async () => {
    const headers = { ...project.headers, 'idempotency-key': randomUUID(), 'content-type': 'application/json' };
    const texts: string[] = [];
    for (let time = 0; time < 2; time += 1) {
      const answer = await fetch(`${api.url}/probe/count`, { method: 'POST', headers, body: '{}' });
      texts.push(await answer.text());
    }
    expect(texts[0]).toContain('"z":1,"a":"é😀\\u0000\\ud800","nested":{"b":[1,null],"a":"1e3"}');
    expect(texts[1]).toBe(texts[0]);
    expect(calls).toHaveLength(1);
  });

  it('is not stored for a public route', async () => {
    const key = randomUUID();
    expect((await call('open', key)).body).toEqual({ calls: 1 });
    expect((await call('open', key)).body).toEqual({ calls: 2 });
  });

  it('is not stored for a GET request, which ignores even a malformed key and leaves the key free', async () => {
    const read = (key: string) => send(`${api.url}/probe/count`, { ...project.headers, 'idempotency-key': key });
    const key = randomUUID();
    expect((await read(key)).body).toEqual({ calls: 1 });
    expect((await read(key)).body).toEqual({ calls: 2 });
    expect((await read('a\u00e9')).body).toEqual({ calls: 3 });
    const post = await call('count', key);
    expect([post.status, post.body.z, isReplayed(post)]).toEqual([201, 4, false]);
  });

  it('is repeated only for the same method; a request with another method gets 422', async () => {
    const key = randomUUID();
    await call('count', key);
    const put = await send(`${api.url}/probe/count`, { ...project.headers, 'idempotency-key': key }, {}, 'PUT');
    expect([put.status, put.body.type, calls.length]).toEqual([422, 'GENERIC_INVALID_REQUEST', 1]);
  });

  it('is repeated only for the same wallet; a request for another wallet gets 422', async () => {
    const key = randomUUID();
    const forWallet = (wallet: string): Promise<Answer> =>
      send(`${api.url}/probe/count`, { ...project.headers, 'idempotency-key': key, 'x-svc-wallet-id': wallet }, {});
    expect((await forWallet('one')).status).toBe(201);
    expect(isReplayed(await forWallet('one'))).toBe(true);
    const other = await forWallet('other');
    expect([other.status, other.body.type, calls.length]).toEqual([422, 'GENERIC_INVALID_REQUEST', 1]);
  });

  it('is not repeated for another project, whose equal key is a key of its own', async () => {
    const key = randomUUID();
    const stranger = await createProject(api.app);
    const answers = [];
    for (const { headers } of [project, stranger, project, stranger])
      answers.push(await send(`${api.url}/probe/count`, { ...headers, 'idempotency-key': key }, {}));
    expect(answers.map((answer) => [answer.body.z, isReplayed(answer)])).toEqual([
      [1, false],
      [2, false],
      [1, true],
      [2, true],
    ]);
  });

  it('is stored without the payload of the request', async () => {
    const key = randomUUID();
    await call('count', key, { apiSecret: 'canary-4711', twofa: '482913' });
    const [row] = await db.query<{ text: string }>(
      `select row_to_json(a)::text as text from idempotent_responses a where key = $1`,
      [key],
    );
    expect(row?.text).not.toMatch(/canary|482913|63616e617279/);
  });

  it.each([
    new Unauthorized(),
    new InsufficientPermissions(['read']),
    new DomainError('OAUTH_INSUFFICIENT_SCOPE', 'refused'),
  ])(
    'is not stored when it reports missing access, because the caller may have the access at the repeat: $code',
    async (error) => {
      refusal = error;
      const key = randomUUID();
      for (let time = 1; time <= 2; time += 1) {
        const answer = await call('refused', key);
        expect([answer.status, isReplayed(answer), calls.length]).toEqual([error.status, false, time]);
      }
    },
  );

  it.each([
    ['a conflict with a concurrent request', new Conflict('in progress'), false],
    ['a rate limit', new RateLimitExceeded(1), false],
    ['an invalid parameter', new ValidationFailed([{ field: 'amount', message: 'amount is required' }]), false],
    ['a final refusal', new DomainError('WITHDRAWAL_INVALID_ADDRESS', 'refused'), true],
  ])('is stored for a refusal only if it is final: %s', async (_name, error, isStored) => {
    refusal = error;
    const key = randomUUID();
    const answers = [await call('refused', key), await call('refused', key)];
    expect(answers.map(({ status }) => status)).toEqual([error.status, error.status]);
    expect([answers.map(isReplayed), calls.length]).toEqual([[false, isStored], isStored ? 1 : 2]);
  });

  it('is stored for a refusal of each status unless it is temporary, reports missing access or an invalid parameter', async () => {
    const isFinal = ([code, { status }]: (typeof codes)[number]): boolean =>
      status < 500 && ![401, 403, 429].includes(status) && code !== 'GENERIC_VALIDATION_ERROR';
    // One code of each status.
    const codes = [...new Map(Object.entries(errorCodes).map((each) => [each[1].status, each])).values()];
    const stored = [];
    for (const [code] of codes) {
      refusal = new DomainError(code as keyof typeof errorCodes, 'refused');
      const key = randomUUID();
      await call('refused', key);
      if (isReplayed(await call('refused', key))) stored.push(code);
    }
    expect(stored).toEqual(codes.filter(isFinal).map(([code]) => code));
  });

  it('is not stored for a refusal of a route whose refusals may change', async () => {
    refusal = new DomainError('WITHDRAWAL_INVALID_ADDRESS', 'refused');
    const key = randomUUID();
    for (let time = 1; time <= 2; time += 1)
      expect([isReplayed(await call('changing', key)), calls.length]).toEqual([false, time]);
  });

  it('is not stored after a fault of ours, and the key is free again', async () => {
    const key = randomUUID();
    const first = await begin(key);
    first.held.fail(new Error('a fault of ours'));
    expect((await first.answered).status).toBe(500);
    const second = await begin(key);
    second.held.answer({ done: true });
    expect((await second.answered).body).toEqual({ done: true });
  });

  it('is repeated until the key expires; from then on the key is free for any request', async () => {
    const key = randomUUID();
    await call('count', key);
    api.clock.advance(86_400_000 - 5_000);
    expect(isReplayed(await call('count', key))).toBe(true);
    api.clock.advance(5_000);
    const other = await call('count', key, { other: true });
    expect([other.status, isReplayed(other), calls.length]).toEqual([201, false, 2]);
  });

  it.each(['', 'a\u00e9', 'x'.repeat(256)])(
    'is not stored under the malformed key %j, which is refused',
    async (key) => {
      const refused = await call('count', key);
      expect([refused.status, refused.body.type, calls.length]).toEqual([400, 'GENERIC_VALIDATION_ERROR', 0]);
    },
  );

  it('is stored under a key of 255 characters', async () => {
    const key = randomUUID().padEnd(255, 'x');
    expect((await call('count', key)).status).toBe(201);
    expect(isReplayed(await call('count', key))).toBe(true);
  });

  it('is still sent when it cannot be stored', async () => {
    const { answered, held: first } = await begin(randomUUID());
    const owner = new pg.Client(database.ownerUrl);
    await owner.connect();
    await owner.query('alter table idempotent_responses rename to answers_away');
    first.answer({ done: true });
    expect(await answered).toMatchObject({ status: 200, body: { done: true } });
    await owner.query('alter table answers_away rename to idempotent_responses');
    await owner.end();
  });
});

describe('a request that does not end in time', () => {
  const LOCK_MS = 120_000;

  it('loses its key to an equal request after a while, and its late response is not stored', async () => {
    for (const end of ['answer', 'refusal', 'fault'] as const) {
      const key = randomUUID();
      const dead = await begin(key);
      const early = await call('held', key);
      expect([early.status, early.body.type, early.headers['retry-after']]).toEqual([
        409,
        'GENERIC_INVALID_REQUEST',
        '1',
      ]);
      api.clock.advance(LOCK_MS);
      const next = await begin(key);
      next.held.answer({ by: 'the second' });
      expect((await next.answered).body).toEqual({ by: 'the second' });

      if (end === 'answer') dead.held.answer({ by: 'the first' });
      else dead.held.fail(end === 'refusal' ? new NotFound('Thing') : new Error('fault'));
      expect((await dead.answered).status).toBe({ answer: 200, refusal: 404, fault: 500 }[end]);
      const repeat = await call('held', key);
      expect([isReplayed(repeat), repeat.body]).toEqual([true, { by: 'the second' }]);
    }
  });

  it('does not take its key back by a late response while the second request runs', async () => {
    const key = randomUUID();
    const dead = await begin(key);
    api.clock.advance(LOCK_MS - 30_000);
    expect((await call('held', key)).status).toBe(409);
    api.clock.advance(30_000);
    const next = await begin(key);
    dead.held.answer({ by: 'the first' });
    await dead.answered;
    expect((await call('held', key)).status).toBe(409);
    next.held.answer({ by: 'the second' });
    await next.answered;
    expect((await call('held', key)).body).toEqual({ by: 'the second' });
  });

  it('does not lose its key to a request with another payload', async () => {
    const key = randomUUID();
    const dead = await begin(key);
    api.clock.advance(LOCK_MS);
    const other = await call('held', key, { other: true });
    expect([other.status, other.body.type]).toEqual([422, 'GENERIC_INVALID_REQUEST']);
    dead.held.fail(new Error('gone'));
    expect((await dead.answered).status).toBe(500);
  });
});

describe('expired responses', () => {
  it('are deleted batch by batch, and all others stay', async () => {
    const config = loadConfig(testOverrides({ RETENTION_BATCH: 2 }));
    const expired = new ExpiredResponses(db, api.clock, config, api.app.get(PeriodicTasks, { strict: false }));
    for (let count = 0; count < 5; count += 1) await call('count', `old ${count}`);
    api.clock.advance(86_400_000);
    await call('count', 'young');
    expect(await expired.delete()).toBeGreaterThanOrEqual(5);
    const left = await db.query<{ key: string }>('select key from idempotent_responses');
    expect(left).toEqual([{ key: 'young' }]);
    expect(await expired.delete()).toBe(0);
  });
});
