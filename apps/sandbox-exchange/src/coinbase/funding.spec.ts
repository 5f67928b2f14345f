import { OAuthApp } from '../../test/oauth.js';
import { TestSandbox } from '../../test/sandbox.js';

interface Answer {
  status: number;
  body: { data?: Record<string, unknown>[]; errors?: { id: string }[]; [name: string]: unknown };
}

const IDEM = '9316dd16-0c05-4c3d-8e4f-5a6b7c8d9e0f';
const TO = '1AUJ8z5RuHRTqD1eikyfUUetzGmdWLGkpT';
const SEND = { type: 'send', to: TO, amount: '0.5', currency: 'BTC', network: 'bitcoin', idem: IDEM };
const scopes = [
  ...['wallet:accounts:read', 'wallet:transactions:read', 'wallet:transactions:send'],
  ...['wallet:addresses:read', 'wallet:addresses:create', 'wallet:buys:read', 'wallet:buys:create'],
];

let sandbox: TestSandbox;
let accountId: string;
let token: string;

beforeEach(async () => {
  sandbox = await TestSandbox.start();
  const opened = await sandbox.control('POST', 'coinbase/accounts', { balances: { BTC: '1.5', USD: '50000' } });
  ({ accountId } = opened.body as { accountId: string });
  const { tokens } = await new OAuthApp(sandbox, 'coinbase').connect({ accountId, scopes });
  token = tokens.access_token;
});
afterEach(() => sandbox.close());

async function call(method: 'GET' | 'POST', path: string, body?: object, code?: string): Promise<Answer> {
  const response = await fetch(sandbox.url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(code !== undefined && { 'CB-2FA-TOKEN': code }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

const messages = async (): Promise<{ code: string; challengeId: string }[]> => {
  const { body } = await sandbox.control('GET', `accounts/${accountId}/messages`);
  return (body as { messages: { code: string; challengeId: string }[] }).messages;
};
/** The codes that the owner got, oldest first. */
const codes = async (): Promise<string[]> => (await messages()).map(({ code }) => code).reverse();
const errorOf = ({ status, body }: Answer) => [status, body.errors?.[0]?.id];

describe('a send with a token of Coinbase', () => {
  const send = (more: object = {}, code?: string) =>
    call('POST', '/v2/accounts/BTC/transactions', { ...SEND, ...more }, code);
  const records = async () => (await call('GET', '/v2/accounts/BTC/transactions')).body.data ?? [];

  it('needs a code of the owner, and is executed only once when the request is repeated', async () => {
    expect(errorOf(await send())).toEqual([402, 'two_factor_required']);
    expect(await records()).toEqual([]);
    const [code = ''] = await codes();
    expect(code).toMatch(/^\d{7}$/);
    const sent = await send({}, code);
    expect(sent).toMatchObject({ status: 201, body: { data: { type: 'send', status: 'pending', idem: IDEM } } });
    const again = await send();
    expect([again.status, again.body.data]).toEqual([201, sent.body.data]);
    expect(await records()).toMatchObject([
      { type: 'send', idem: IDEM, network: { transaction_amount: { amount: '0.5', currency: 'BTC' } } },
    ]);
    const { id } = (await records())[0] ?? {};
    expect(await call('GET', `/v2/accounts/BTC/transactions/${String(id)}`)).toMatchObject({ status: 200 });
    expect(errorOf(await call('GET', '/v2/accounts/BTC/transactions/none'))).toEqual([404, 'not_found']);
  });

  it('is not executed with a wrong, an old or a spent code, nor with the code of another send', async () => {
    await send();
    expect(errorOf(await send({}, 'wrong'))).toEqual([402, 'two_factor_required']);
    const [old = ''] = await codes();
    expect(errorOf(await send({}, old))).toEqual([402, 'two_factor_required']);
    const newest = (await codes()).at(-1) ?? '';
    const other = { idem: IDEM.replace('9', '8') };
    expect(errorOf(await send(other, newest))).toEqual([402, 'two_factor_required']);
    expect(await records()).toEqual([]);
    expect((await send({}, newest)).status).toBe(201);
    expect(errorOf(await send(other, newest))).toEqual([402, 'two_factor_required']);
    expect(await records()).toHaveLength(1);
  });

  it.each([
    ['another type', { type: 'transfer' }],
    ['another currency', { currency: 'ETH' }],
    ['a network that the asset is not on', { network: 'solana' }],
    ['an address of another network', { to: '0x281055afc982d96fab65b3a49cac8b878184cb16' }],
    ['too many digits', { amount: '0.12345678901' }],
    ['a word for an amount', { amount: 'all' }],
    ['an idem that is no UUID', { idem: 'one' }],
  ])('is refused with %s', async (_name, more) => {
    expect(errorOf(await send(more))).toEqual([400, 'validation_error']);
  });

  it('is refused when the account lacks the money', async () => {
    await send({ amount: '1.5' });
    const [code = ''] = await codes();
    const refused = await send({ amount: '1.5' }, code);
    expect(refused.body.errors).toMatchObject([
      { id: 'validation_error', message: expect.stringContaining('enough funds') as string },
    ]);
    expect(await records()).toEqual([]);
  });
});

describe('the faults of a history of Coinbase', () => {
  const HISTORY = 'coinbase.transactions';
  const read = () => call('GET', '/v2/accounts/BTC/transactions');
  const send = async (): Promise<void> => {
    await call('POST', '/v2/accounts/BTC/transactions', SEND);
    await call('POST', '/v2/accounts/BTC/transactions', SEND, (await codes())[0]);
  };

  it('hide recent transactions, change fees, and cause errors', async () => {
    await sandbox.control('POST', `accounts/${accountId}/fund`, { asset: 'BTC', amount: '0.25' });
    sandbox.advance(60_000);
    await send();
    const honest = (await read()).body.data ?? [];
    await sandbox.arm(HISTORY, 'history_lags', { delayMs: 30_000 });
    expect((await read()).body.data).toEqual(honest.slice(1));
    await sandbox.arm('coinbase.transaction', 'history_lags', { delayMs: 30_000 });
    expect((await call('GET', `/v2/accounts/BTC/transactions/${String(honest[0]?.['id'])}`)).body.data).toBeNull();
    await sandbox.arm(HISTORY, 'history_errors');
    expect(errorOf(await read())).toEqual([500, 'internal_server_error']);
    await sandbox.arm(HISTORY, 'history_other_fee');
    const fees = { transaction_fee: { amount: '0.0003' }, transaction_amount: { amount: '0.49985' } };
    expect((await read()).body.data).toMatchObject([{ network: fees }, { type: 'receive' }]);
    expect((await read()).body.data).toEqual(honest);
  });

  it('cannot be armed for a call that lists no history', async () => {
    const { status } = await sandbox.control('POST', 'faults', { endpoint: 'coinbase.user', fault: 'history_errors' });
    expect(status).toBe(422);
  });
});

it('an account of Coinbase creates a deposit address on a network of the asset, and lists the deposit that arrives', async () => {
  const path = '/v2/accounts/BTC/addresses';
  expect((await call('GET', path)).body.data).toEqual([]);
  const { status, body } = await call('POST', path, { network: 'bitcoin' });
  expect([status, body.data]).toMatchObject([201, { network: 'bitcoin', resource: 'address' }]);
  expect((await call('GET', path)).body.data).toEqual([body.data]);
  expect(errorOf(await call('POST', path, { network: 'dogecoin' }))).toEqual([400, 'validation_error']);
  await sandbox.control('POST', `accounts/${accountId}/fund`, { asset: 'BTC', amount: '0.25' });
  const received = await call('GET', '/v2/accounts/BTC/transactions');
  expect(received.body.data).toMatchObject([{ type: 'receive', amount: { amount: '0.25', currency: 'BTC' } }]);
  expect(errorOf(await call('GET', '/v2/accounts/DOGE/addresses'))).toEqual([404, 'not_found']);
});

describe('an order with a token of Coinbase', () => {
  const ORDERS = '/api/v3/brokerage/orders';
  const order = async (more: object = {}) => {
    const { accounts } = (await call('GET', '/api/v3/brokerage/accounts')).body as { accounts?: object[] };
    const { retail_portfolio_id } = (accounts?.[0] ?? {}) as { retail_portfolio_id?: string };
    const order_configuration = { limit_limit_gtc: { base_size: '0.01', limit_price: '1000' } };
    const body = { client_order_id: 'mine', product_id: 'BTC-USD', side: 'BUY', order_configuration };
    return call('POST', ORDERS, { ...body, retail_portfolio_id, ...more });
  };
  const listed = async (query = '') =>
    ((await call('GET', `${ORDERS}/historical/batch${query}`)).body as { orders?: { order_id: string }[] }).orders;

  it('is placed once for each client order id, and is listed by its id and by its pair', async () => {
    const placed = await order();
    expect(placed.body).toMatchObject({ success: true, success_response: { client_order_id: 'mine', side: 'BUY' } });
    expect((await order()).body).toEqual(placed.body);
    const [one, ...others] = (await listed()) ?? [];
    expect([one, others]).toMatchObject([{ client_order_id: 'mine', status: 'OPEN', filled_size: '0' }, []]);
    expect(await listed(`?order_ids=${one?.order_id}`)).toHaveLength(1);
    expect(await listed('?order_ids=none')).toEqual([]);
    expect(await listed('?product_ids=ETH-USD')).toEqual([]);
  });

  it.each([
    ['of an unknown pair', { product_id: 'NO-PAIR' }, 'INVALID_PRODUCT_ID'],
    [
      'without the money',
      { order_configuration: { limit_limit_gtc: { base_size: '60', limit_price: '1000' } } },
      'INSUFFICIENT_FUND',
    ],
    [
      'of a size below the minimum',
      { order_configuration: { market_market_ioc: { base_size: '0.00000001' } } },
      'PREVIEW_INVALID_BASE_SIZE_TOO_SMALL',
    ],
  ])('%s is refused with the documented reason', async (_name, more, new_order_failure_reason) => {
    const { status, body } = await order(more);
    expect([status, body]).toMatchObject([200, { success: false, error_response: { new_order_failure_reason } }]);
  });

  it('that names another portfolio is refused', async () => {
    const { status, body } = await order({ retail_portfolio_id: 'another' });
    expect([status, body.error]).toEqual([403, 'PERMISSION_DENIED']);
  });
});
