import { getEventListeners } from 'node:events';
import { Causeway, isCausewayError, type CausewayOptions, type Input } from '#client';
import { until } from '#platform/testing';
import { refusal, ScriptedServer, type Scripted } from './scripted-server.js';

const BUSY: Scripted = { status: 503, body: refusal('GENERIC_INTERNAL_SERVER_ERROR'), headers: { 'retry-after': '0' } };
const IN_PROGRESS: Scripted = {
  status: 409,
  body: refusal('GENERIC_INVALID_REQUEST'),
  headers: { 'retry-after': '0' },
};
const LIMITED: Scripted = {
  status: 429,
  body: refusal('GENERIC_RATE_LIMIT_EXCEEDED'),
  headers: { 'retry-after': '0' },
};
const QUOTE = { asset: 'BTC', network: 'bitcoin', amount: '0.01', address: 'bc1q' };

/** The members of a union of texts that an editor can complete, such as `'kraken'`. The member `string` is left out. */
type Completed<Text extends string> = Text extends Text ? (string extends Text ? never : Text) : never;

describe('the TypeScript client', () => {
  const servers: ScriptedServer[] = [];
  afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

  async function withScript(script: Scripted[], options: Partial<CausewayOptions> = {}) {
    const server = await ScriptedServer.start(...script);
    servers.push(server);
    const credentials = { apiKey: 'svc_test_1', orgId: 'org-1', projectId: 'project-1' };
    const causeway = new Causeway({ baseUrl: server.url, ...credentials, pauseMaxMs: 5, ...options });
    return { causeway, received: server.received };
  }

  it('sends the credentials, and each member of the input in its documented place', async () => {
    const { causeway, received } = await withScript([{ status: 200 }]);
    await causeway.executeQuote({ walletId: 'w/1', quoteId: 'q 1', autoDeleteIfInvalid: false, twofa: '1' });
    await causeway.listTransactions({ walletId: 'w/1', limit: 3 });
    await causeway.forWallet('w/2').getWithdrawalBalance({}, { cacheControl: 'only-if-cached' });
    expect(received).toMatchObject([
      {
        method: 'PUT',
        path: '/v0/wallet/withdraw/q%201/execute?autoDeleteIfInvalid=false',
        headers: { 'x-svc-wallet-id': 'w/1', 'x-svc-api-key': 'svc_test_1', 'x-svc-org-id': 'org-1' },
        body: '{"twofa":"1"}',
      },
      { method: 'GET', path: '/v0/wallet/transactions?limit=3&walletId=w%2F1', body: '' },
      { headers: { 'x-svc-wallet-id': 'w/2', 'cache-control': 'only-if-cached' } },
    ]);
    expect(received[0]?.headers['idempotency-key']).toBeUndefined();
    expect(received[1]?.headers['x-svc-wallet-id']).toBeUndefined();
  });

  it('accepts exchanges that were added after it was built, and its types still list the known exchanges', async () => {
    const completed: Completed<Input<'connectWallet'>['exchange']>[] = ['kraken', 'okx'];
    const { causeway, received } = await withScript([{ status: 200, body: { exchange: 'added-later' } }]);
    const { exchange } = await causeway.getTickers({ exchange: 'added-later' });
    expect(exchange === 'added-later').toBe(true);
    for (const each of [...completed, 'added-later'])
      await causeway.connectWallet({ walletId: 'w/1', exchange: each, apiKey: 'key' });
    await causeway.listWallets({ exchange: 'added-later' });
    expect(received.map(({ path }) => path.replace('/v0/', ''))).toEqual([
      'market/added-later/tickers',
      ...['kraken', 'okx', 'added-later'].map((each) => `wallet/${each}/connect`),
      'wallet/list?exchange=added-later',
    ]);
  });

  it('lists the transactions of all wallets, or of the wallet that forWallet or the input names', async () => {
    const { causeway, received } = await withScript([
      { status: 200, body: { pagination: { pageCount: 1 }, transactions: [] } },
    ]);
    await causeway.forWallet('w/2').listTransactions({ limit: 1 });
    await causeway.forWallet('w/2').listTransactions({ walletId: 'w/3' });
    for await (const _ of causeway.forWallet('w/2').each('listTransactions'));
    await causeway.listTransactions();
    expect(received.map(({ path }) => path.replace('/v0/wallet/transactions', ''))).toEqual([
      '?limit=1&walletId=w%2F2',
      '?walletId=w%2F3',
      '?page=0&limit=100&walletId=w%2F2',
      '',
    ]);
  });

  it('sends the admin token only to operator routes, and the API key only to routes that require it', async () => {
    const { causeway, received } = await withScript([{ status: 200 }], { adminToken: 'secret' });
    await causeway.listOrganizations();
    await causeway.getWallet({ walletId: 'w' });
    await causeway.getTickers({ exchange: 'kraken' });
    const sent = received.map(({ headers }) => [headers.authorization, headers['x-svc-api-key']]);
    expect(sent).toEqual([
      ['Bearer secret', undefined],
      [undefined, 'svc_test_1'],
      [undefined, undefined],
    ]);
  });

  it('repeats a read after a lost response, a busy service and a rate limit', async () => {
    const { causeway, received } = await withScript(['lost', BUSY, LIMITED, { status: 200, body: { wallets: [] } }]);
    await expect(causeway.listWallets()).resolves.toEqual({ wallets: [] });
    expect(received).toHaveLength(4);
  });

  it('repeats a request with an idempotency key, always with the same key, while the outcome is not known', async () => {
    const { causeway, received } = await withScript(['lost', IN_PROGRESS, BUSY, { status: 200, body: { id: 'q' } }]);
    await expect(causeway.createQuote({ walletId: 'w', ...QUOTE })).resolves.toEqual({ id: 'q' });
    const keys = received.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(keys).size).toBe(1);
    expect(keys).toHaveLength(4);
  });

  it('uses a new idempotency key for each call, unless the caller names a key', async () => {
    const { causeway, received } = await withScript([{ status: 200 }]);
    await causeway.createQuote({ walletId: 'w', ...QUOTE });
    await causeway.createQuote({ walletId: 'w', ...QUOTE });
    await causeway.createQuote({ walletId: 'w', ...QUOTE }, { idempotencyKey: 'mine' });
    const keys = received.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(3);
    expect(keys[2]).toBe('mine');
  });

  it.each<[string, Scripted]>([
    ['a lost response', 'lost'],
    ['500', { status: 500, body: refusal('GENERIC_INTERNAL_SERVER_ERROR') }],
    ['503', BUSY],
    ['409 with Retry-After', IN_PROGRESS],
    ['502', { status: 502, body: refusal('WITHDRAWAL_PROVIDER_ERROR') }],
  ])('does not repeat an execution after %s', async (_name, response) => {
    const { causeway, received } = await withScript([response]);
    await expect(causeway.executeQuote({ walletId: 'w', quoteId: 'q' })).rejects.toThrow();
    expect(received).toHaveLength(1);
  });

  it('repeats an execution after a rate limit, because the service has begun nothing', async () => {
    const { causeway, received } = await withScript([LIMITED, { status: 200, body: { success: true } }]);
    await expect(causeway.executeQuote({ walletId: 'w', quoteId: 'q' })).resolves.toEqual({ success: true });
    expect(received).toHaveLength(2);
  });

  it('throws after the last repeat, and without a repeat when Retry-After is longer than the longest allowed pause', async () => {
    const later: Scripted = {
      status: 429,
      body: refusal('GENERIC_RATE_LIMIT_EXCEEDED'),
      headers: { 'retry-after': '60' },
    };
    const { causeway, received } = await withScript([later, BUSY]);
    const error: unknown = await causeway.listWallets().catch((caught: unknown) => caught);
    expect(isCausewayError(error, 'GENERIC_RATE_LIMIT_EXCEEDED') && error.retryAfterMs).toBe(60_000);
    expect(received).toHaveLength(1);
    await expect(causeway.listWallets()).rejects.toMatchObject({ code: 'GENERIC_INTERNAL_SERVER_ERROR', status: 503 });
    expect(received).toHaveLength(1 + 4);
  });

  it('does not repeat a read after CACHE_MISS, because a repeat would get the same response', async () => {
    const { causeway, received } = await withScript([{ status: 504, body: refusal('CACHE_MISS') }]);
    await expect(causeway.getWithdrawalBalance({ walletId: 'w' })).rejects.toMatchObject({ code: 'CACHE_MISS' });
    expect(received).toHaveLength(1);
  });

  it('throws an error whose `code` determines the type of its `result`', async () => {
    const fields = [{ field: 'asset', message: 'is required' }];
    const body = refusal('GENERIC_VALIDATION_ERROR', { fields });
    const { causeway } = await withScript([{ status: 400, body }]);
    const error: unknown = await causeway.createQuote({ walletId: 'w', ...QUOTE }).catch((caught: unknown) => caught);
    if (!isCausewayError(error)) throw error;
    // This line compiles only because the code determines the type of the result.
    if (error.code === 'WITHDRAWAL_2FA_INCOMPLETE') throw new Error(error.result.bizNo);
    expect(error.code === 'GENERIC_VALIDATION_ERROR' && error.result?.fields).toEqual(fields);
    expect([error.status, error.requestId, isCausewayError(error, 'CACHE_MISS')]).toEqual([400, 'request-1', false]);
  });

  it('throws CLIENT_UNEXPECTED_RESPONSE for a response of a proxy, and CLIENT_NO_RESPONSE after the timeout', async () => {
    const { causeway } = await withScript([{ status: 403, body: { html: true } }]);
    await expect(causeway.listWallets()).rejects.toMatchObject({ code: 'CLIENT_UNEXPECTED_RESPONSE', status: 403 });
    const slow = { fetch: (_: unknown, init?: RequestInit) => untilAborted(init?.signal), timeoutMs: 1, repeatsMax: 0 };
    const { causeway: patient } = await withScript([], slow);
    await expect(patient.listWallets()).rejects.toMatchObject({ code: 'CLIENT_NO_RESPONSE', status: null });
  });

  it('throws the reason of a signal that the caller has already aborted, and sends nothing', async () => {
    const { causeway, received } = await withScript([{ status: 200 }]);
    const signal = AbortSignal.abort(new Error('the person has left'));
    await expect(causeway.listWallets({}, { signal })).rejects.toThrow('the person has left');
    expect(received).toEqual([]);
  });

  it('throws the reason of a signal that the caller aborts during a request', async () => {
    const caller = new AbortController();
    const send = (_: unknown, init?: RequestInit): Promise<never> => {
      const ended = untilAborted(init?.signal);
      caller.abort(new Error('the person has left'));
      return ended;
    };
    const { causeway } = await withScript([], { fetch: send, repeatsMax: 0 });
    await expect(causeway.listWallets({}, { signal: caller.signal })).rejects.toThrow('the person has left');
  });

  it('throws the reason of a signal that the caller aborts during a pause, and sends nothing more', async () => {
    const later: Scripted = { ...BUSY, headers: { 'retry-after': '600' } };
    const { causeway, received } = await withScript([later, { status: 200 }], { pauseMaxMs: 600_000 });
    const caller = new AbortController();
    const call = causeway.listWallets({}, { signal: caller.signal }).catch((caught: unknown) => caught);
    // Only the pause listens to the caller's signal itself; a request has a signal that depends on it.
    await until('the pause', () => getEventListeners(caller.signal, 'abort').length > 0);
    expect(received).toHaveLength(1);
    const reason = new Error('the person has left');
    caller.abort(reason);
    expect(await call).toBe(reason);
    expect(received).toHaveLength(1);
  });

  it('yields the entries of all pages once, even when an entry moves to the next page meanwhile', async () => {
    const page = (ids: string[], number: number): Scripted => ({
      status: 200,
      body: { transactions: ids.map((id) => ({ id })), pagination: { page: number, pageCount: 3 } },
    });
    // A new transaction has moved `b` to the second page.
    const { causeway, received } = await withScript([page(['a', 'b'], 0), page(['b', 'c'], 1), page(['d'], 2)]);
    const ids: string[] = [];
    for await (const { id } of causeway.each('listTransactions', { limit: 2, asset: 'BTC' })) ids.push(id);
    expect(ids).toEqual(['a', 'b', 'c', 'd']);
    expect(received.map(({ path }) => path)).toEqual(
      [0, 1, 2].map((number) => `/v0/wallet/transactions?page=${number}&limit=2&asset=BTC`),
    );
  });

  it('throws when a list has more than 1,001 pages, the most that the service serves', async () => {
    const page = JSON.stringify({ transactions: [{ id: 'a' }], pagination: { pageCount: 5000 } });
    let pages = 0;
    const send = (): Promise<Response> => {
      pages += 1;
      return Promise.resolve(new Response(page));
    };
    const causeway = new Causeway({ baseUrl: 'https://causeway.example.com', fetch: send });
    const readAll = async (): Promise<void> => {
      for await (const _ of causeway.each('listTransactions'));
    };
    await expect(readAll()).rejects.toThrow('The list has more than 1001 pages');
    expect(pages).toBe(1001);
  });
});

function untilAborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))));
}
