import { array, assert, asyncProperty, boolean, constantFrom, dictionary, jsonValue, oneof, record } from 'fast-check';
import type { Answer } from '../support/documented-responses.js';
import { TestApp, type TestProjectWithClient, type TestWallet } from '../support/test-app.js';
import { btcQuote, quote, savedAddress, type ErrorBody, type ExecutionBody } from '../support/withdrawal-client.js';

type ExecuteAnswer = Answer<ExecutionBody & ErrorBody>;

/** Undocumented bodies, and bodies that a client may mean as a dry run, each with the field that the refusal names. */
const inexact: [string, string][] = [
  ['{"params":[{"dryRun":true}]}', 'params'],
  ['{"params":[]}', 'params'],
  ['{"params":null}', 'params'],
  ['{"params":true}', 'params'],
  ['{"params":"{\\"dryRun\\":true}"}', 'params'],
  ['{"params":{"dryrun":true}}', 'params.dryrun'],
  ['{"params":{"dry_run":true}}', 'params.dry_run'],
  ['{"params":{"dryRun":true,"later":1}}', 'params.later'],
  ['{"params":{"dryRun":null}}', 'params.dryRun'],
  ['{"params":{"dryRun":"true"}}', 'params.dryRun'],
  ['{"params":{"dryRun":1}}', 'params.dryRun'],
  ['{"params":{"dryRun":[true]}}', 'params.dryRun'],
  ['{"params":{"dryRun":{}}}', 'params.dryRun'],
  ['{"dryRun":true}', 'dryRun'],
  ['{"dryRun":false}', 'dryRun'],
  ['{"dryrun":true}', 'dryrun'],
  ['{"dry_run":true}', 'dry_run'],
  ['{"DRY-RUN":true}', 'DRY-RUN'],
  ['{"dry run":true}', 'dry run'],
  ['{"dry":true}', 'dry'],
  ['{"isDryRun":true}', 'isDryRun'],
  ['{"ｄｒｙＲｕｎ":true}', 'ｄｒｙＲｕｎ'],
  ['{"params.dryRun":true}', 'params.dryRun'],
  ['{"Params":{"dryRun":true}}', 'Params'],
  ['{"PARAMS":{}}', 'PARAMS'],
  ['{"options":{"dryRun":true}}', 'options.dryRun'],
  ['{"options":[{"deep":{"dry_run":1}}]}', 'options.0.deep.dry_run'],
  ['{"flags":["dryRun"]}', 'flags.0'],
  ['{"mode":"dry-run"}', 'mode'],
  ['{"TAG":"1000001"}', 'TAG'],
  ['{"two_fa":"123456"}', 'two_fa'],
  // The Armenian letter seh resembles `u`, the Cyrillic letter a resembles `a`, and the last `n` has an accent.
  ['{"dryR\u057dn":true}', 'dryR\u057dn'],
  ['{"dryRu\u0144":true}', 'dryRu\u0144'],
  ['{"options":[{"dryR\u057dn":true}]}', 'options.0.dryR\u057dn'],
  ['{"t\u0430g":"1000001"}', 't\u0430g'],
  ['{"params":{"dryRun":true},"params":{}}', 'body'],
  ['null', 'body'],
  ['[]', 'body'],
  ['[{"params":{"dryRun":true}}]', 'body'],
  ['"{}"', 'body'],
  ['0', 'body'],
  ['false', 'body'],
];

describe('an execution request', () => {
  let app: TestApp;
  let project: TestProjectWithClient;
  let wallet: TestWallet;

  beforeAll(async () => {
    app = await TestApp.create({ overrides: { WITHDRAWAL_DRY_RUN_RATE_PER_MINUTE: 10_000 } });
    project = await app.project();
  });
  beforeEach(async () => {
    wallet = await app.wallet(project);
  });
  afterAll(() => app.close());

  const send = (id: string, body?: string, suffix = '', headers: Record<string, string> = {}): Promise<ExecuteAnswer> =>
    wallet.http.put(`/v0/wallet/withdraw/${id}/execute${suffix}`, { body, headers });
  const facts = ({ status, body }: ExecuteAnswer) => [status, body.type, body.result.fields?.map(({ field }) => field)];
  const expectNothingSent = async (): Promise<void> => {
    expect(await app.sandbox.countCalls(wallet.account, 'Withdraw')).toBe(0);
    expect(await app.sandbox.withdrawals(wallet.account)).toEqual([]);
  };

  it('is refused with the name of the wrong field, and moves no money, when its body is ambiguous or undocumented', async () => {
    const { id } = await btcQuote(wallet);
    for (const [body, field] of inexact) {
      const answer = await send(id, body);
      expect([body, ...facts(answer)]).toEqual([body, 400, 'GENERIC_VALIDATION_ERROR', [field]]);
      expect(answer.body.error).toContain(field);
    }
    await expectNothingSent();
    expect((await send(id, '{}')).status).toBe(200);
  });

  it.each([
    'dryRun=true',
    'dry_run',
    'DRYRUN=1',
    'params.dryRun=true',
    'params%5BdryRun%5D=true',
    'params=%7B%22dryRun%22:true%7D',
    'dryR%D5%BDn=true',
  ])('is refused for a dry run in the query: %s', async (query) => {
    const { id } = await btcQuote(wallet);
    const [name = ''] = decodeURIComponent(query).split('=');
    expect(facts(await send(id, '{}', `?${query}`))).toEqual([400, 'GENERIC_VALIDATION_ERROR', [name]]);
    expect(facts(await send(id, undefined, `?${query}`))).toEqual([400, 'GENERIC_VALIDATION_ERROR', [name]]);
    await expectNothingSent();
  });

  it.each([
    ['tag=5', 'tag'],
    ['memo=5', 'tag'],
    ['twofa=123456', 'twofa'],
    ['email_code=1&bizNo=2', 'emailCode', 'bizNo'],
    ['params=1', 'params'],
  ])('is refused when its query has a parameter that belongs in the body: %s', async (query, ...members) => {
    const { id } = await btcQuote(wallet);
    const answer = await send(id, '{}', `?${query}`);
    const names = query.split('&').map((part) => part.split('=')[0]);
    expect(facts(answer)).toEqual([400, 'GENERIC_VALIDATION_ERROR', names]);
    for (const member of members) expect(answer.body.error).toContain(`send ${member} in the body`);
    await expectNothingSent();
    expect((await send(id, '{}', '?autoDeleteIfInvalid=false&later=1')).status).toBe(200);
  });

  it('is refused for a dry run in a header', async () => {
    const { id } = await btcQuote(wallet);
    const answer = await send(id, '{}', '', { 'X-Dry-Run': 'true' });
    expect(facts(answer)).toEqual([400, 'GENERIC_VALIDATION_ERROR', ['x-dry-run']]);
    await expectNothingSent();
  });

  it('is refused when its content type is not JSON, and the error names the header to send', async () => {
    const { id } = await btcQuote(wallet);
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', '']) {
      const answer = await send(id, '{"params":{"dryRun":true}}', '', { 'content-type': type });
      expect(facts(answer)).toEqual([400, 'GENERIC_VALIDATION_ERROR', ['content-type']]);
      expect(answer.body.error).toContain('content-type: application/json');
    }
    await expectNothingSent();
  });

  it('with an ambiguous body is refused after the check of credentials and scopes, and leaves its Idempotency-Key free', async () => {
    const { id } = await btcQuote(wallet);
    const body = { dryRun: true };
    const path = `/v0/wallet/withdraw/${id}/execute`;
    const reader = await app.project({ scopes: ['read'] });
    expect((await app.http.put(path, { body })).status).toBe(401);
    expect((await reader.http.put(path, { body })).status).toBe(403);
    const keyed = wallet.http.with({ 'idempotency-key': id });
    expect((await keyed.put(path, { body })).status).toBe(400);
    await expectNothingSent();
    expect((await keyed.put(path, { body: {} })).status).toBe(200);
  });

  it('is executed although it has unknown members or empty codes', async () => {
    for (const body of [
      '{"later":{"a":[1]},"comment":"Miete für März"}',
      '{"twofa":null,"emailCode":"","bizNo":null}',
      '{"params":{}}',
    ]) {
      const { id } = await btcQuote(wallet);
      expect([body, (await send(id, body)).status]).toEqual([body, 200]);
    }
  });

  it('is refused when it sends the tag as Tag or memo, and is executed when it sends tag', async () => {
    const address = savedAddress(wallet, 'XRP', 'Ripple XRP');
    const { body: quoted } = await quote(wallet, { asset: 'XRP', amount: '50', address });
    expect(facts(await send(quoted.id, '{"Tag":"1000001"}'))).toEqual([400, 'GENERIC_VALIDATION_ERROR', ['Tag']]);
    expect(facts(await send(quoted.id, '{"memo":"1000001"}'))).toEqual([400, 'GENERIC_VALIDATION_ERROR', ['memo']]);
    await expectNothingSent();
    expect((await send(quoted.id, '{"tag":"1000001"}')).status).toBe(200);
  });

  it('with a random JSON body moves money only when the body is documented and requests no dry run', async () => {
    const names = [
      'params',
      'Params',
      'param',
      'dryRun',
      'dryrun',
      'dry_run',
      'DRY-RUN',
      'dryR\u057dn',
      'tag',
      'later',
    ];
    const near = constantFrom(...names);
    const value = oneof(jsonValue({ maxDepth: 2 }), boolean(), constantFrom(null, 'true', {}, [], 'dryRun'));
    const params = oneof(
      { weight: 1, arbitrary: value },
      { weight: 2, arbitrary: dictionary(near, value, { maxKeys: 2 }) },
      { weight: 2, arbitrary: record({ dryRun: value }, { requiredKeys: [] }) },
    );
    const members = oneof(
      record({ params }, { requiredKeys: [] }),
      dictionary(near, oneof(value, params), { maxKeys: 3 }),
      record({ params, tag: value, twofa: value, bizNo: value, later: value }, { requiredKeys: [] }),
    );
    const bodies = oneof(
      { weight: 1, arbitrary: value },
      { weight: 1, arbitrary: array(members, { maxLength: 2 }) },
      { weight: 6, arbitrary: members },
    );
    let id = (await btcQuote(wallet, '0.001')).id;
    let booked = 0;
    await assert(
      asyncProperty(bodies, async (body) => {
        const answer = await send(id, JSON.stringify(body));
        const isBooked = (await app.sandbox.withdrawals(wallet.account)).length > booked;
        if (!isDocumented(body)) expect(facts(answer).slice(0, 2)).toEqual([400, 'GENERIC_VALIDATION_ERROR']);
        if (isBooked) expect(isDocumented(body) && !isDryRun(body)).toBe(true);
        if (!isBooked) return;
        booked += 1;
        id = (await btcQuote(wallet, '0.001')).id;
      }),
      { numRuns: 150 },
    );
    // Without this check, a service that never pays would pass the test.
    expect(booked).toBeGreaterThan(10);
  }, 300_000);
});

const NAMES = ['twofa', 'emailCode', 'smsCode', 'bizNo', 'tag', 'params'];
const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown, pattern: RegExp): boolean =>
  value === undefined || value === null || (typeof value === 'string' && pattern.test(value));

/** Returns true for the bodies that docs/withdrawing.md describes; written independently of the service. */
function isDocumented(body: unknown): boolean {
  if (!isObject(body)) return false;
  const { twofa, emailCode, smsCode, bizNo, tag, params, ...others } = body;
  const codes = [twofa, emailCode, smsCode].every((code) => isText(code, /^[\x20-\x7e]{0,128}$/));
  const isTag = isText(tag, /^[!-~]([ -~]{0,254}[!-~])?$/);
  const isParams =
    params === undefined ||
    (isObject(params) && Object.entries(params).every(([name, it]) => name === 'dryRun' && typeof it === 'boolean'));
  return codes && isText(bizNo, /^\P{Cc}{0,128}$/u) && isTag && isParams && isIgnored(others, true);
}

/**
 * Returns true when the API may ignore `value`: no name or text in it is similar to a documented member or to `dryRun`,
 * or contains an invalid character, and every name is ASCII.
 */
function isIgnored(value: unknown, isTop = false): boolean {
  if (typeof value === 'string') return !plain(value).includes('dryrun') && !/[\p{Cc}\p{Cs}]/u.test(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, member]) => {
    const isMeant = plain(name) === 'dry' || (isTop && NAMES.some((known) => plain(known) === plain(name)));
    const isAscii = /^\p{ASCII}*$/u.test(name);
    return isAscii && !isMeant && name !== '__proto__' && isIgnored(name) && isIgnored(member);
  });
}

function isDryRun(body: unknown): boolean {
  return isObject(body) && isObject(body.params) && body.params.dryRun === true;
}
