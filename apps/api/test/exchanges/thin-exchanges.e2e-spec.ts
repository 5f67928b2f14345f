import { randomUUID } from 'node:crypto';
import type { Input } from '#client';
import { until } from '#platform/testing';
import { numberOf } from '../../../sandbox-exchange/src/rest/account.js';
import { refusalOf } from '../support/causeway-client.js';
import { orderAfterLostAnswer } from '../support/order-client.js';
import type { SandboxAccount } from '../support/sandbox.js';
import { TestApp, type TestProjectWithClient, type TestWallet } from '../support/test-app.js';
import { settled } from '../support/withdrawal-client.js';

interface ThinExchange {
  id: Input<'connectWallet'>['exchange'];
  /** The protocol of the sandbox exchange. Faults name its endpoints. */
  protocol: string;
  /** Prefix of the API keys that belong to a single account; absent = the exchange has no such prefix. */
  keyPrefix?: string;
  /** The accounts are unified accounts of Bitget. */
  isUnified?: true;
  passphrase?: string;
  /** The base and quote asset of the pair in which bitcoin is sold. */
  route: string;
  /** The permissions that `pingWallet` returns. */
  permissions: string[];
}

const thinExchanges: readonly ThinExchange[] = [
  {
    id: 'bitget',
    protocol: 'bitget',
    passphrase: 'sandbox',
    route: 'BTC-USDT',
    permissions: ['readonly', 'wwow', 'trade'],
  },
  {
    id: 'bitget',
    protocol: 'bitget-unified',
    isUnified: true,
    passphrase: 'sandbox',
    route: 'BTC-USDT',
    permissions: ['uta_mgt', 'withdraw', 'uta_trade'],
  },
  // The API of Gate and Bitstamp does not report the permissions of a key.
  { id: 'gate', protocol: 'gate', route: 'BTC-USDT', permissions: [] },
  { id: 'gemini', protocol: 'gemini', keyPrefix: 'account-', route: 'BTC-USD', permissions: ['FundManager', 'Trader'] },
  { id: 'bitstamp', protocol: 'bitstamp', route: 'BTC-USD', permissions: [] },
];

const DAY_MS = 86_400_000;
/** A time-out that is longer than a read of the sandbox exchange takes on a busy machine. */
const PATIENT = { EXCHANGE_TIMEOUT_MS: '10000' };

/** Wallets at exchanges whose protocol the sandbox exchange speaks in part: most have no withdrawals there. */
describe.each(thinExchanges)('a wallet by the protocol $protocol', (exchange) => {
  const { id, protocol, keyPrefix = '', isUnified = false, passphrase, route, permissions } = exchange;
  let app: TestApp;
  let project: TestProjectWithClient;
  let count = 0;

  beforeAll(async () => {
    app = await TestApp.create({
      worker: true,
      env: PATIENT,
      overrides: { TRANSACTION_SYNC_SWEEP_MS: 50, TRANSACTION_SYNC_PAGE_PAUSE_MS: 0, QUEUE_LEASE_MS: 500 },
    });
    project = await app.project();
  });
  afterEach(() => app.sandbox.calm());
  afterAll(() => app.close());

  const open = (): Promise<SandboxAccount> =>
    app.sandbox.open({
      balances: { BTC: '5', USD: '100000', USDT: '100000' },
      isUnified,
      ...(keyPrefix !== '' && { apiKey: `${keyPrefix}${randomUUID()}` }),
    });

  function connect({ apiKey, apiSecret }: Pick<SandboxAccount, 'apiKey' | 'apiSecret'>) {
    const clients = app.clientsOf(project, `${id}-${++count}`);
    const key = { apiKey, apiSecret, ...(passphrase !== undefined && { apiPassphrase: passphrase }) };
    return { ...clients, connected: clients.causeway.connectWallet({ exchange: id, ...key }) };
  }

  async function wallet(): Promise<TestWallet> {
    const account = await open();
    const { connected, ...clients } = connect(account);
    await connected;
    return { ...clients, account };
  }

  it('is connected, and shows its balances and the permissions of its key', async () => {
    const { causeway } = await wallet();
    expect((await causeway.getWallet()).balances['BTC']).toMatchObject({ total: 5 });
    expect(await causeway.pingWallet()).toMatchObject({ status: 'SUCCESS', permissions });
  });

  it('is not connected with a wrong secret or with a revoked key', async () => {
    const account = await open();
    const refusal = { status: 400, code: 'WALLET_INVALID_CREDENTIALS' };
    const another = { ...account, apiSecret: Buffer.from('another').toString('base64') };
    expect(await refusalOf(connect(another).connected)).toMatchObject(refusal);
    await app.sandbox.revoke(account);
    expect(await refusalOf(connect(account).connected)).toMatchObject(refusal);
  });

  /** Gemini's ids of deposits are numbers: `eid`. */
  const depositId = (refid: string): string => (id === 'gemini' ? String(numberOf(refid)) : refid);

  it('has deposit addresses, and the history of its account', async () => {
    const account = await open();
    const daysAgo = (days: number) => new Date(app.clock.now().getTime() - days * DAY_MS);
    const past = { from: daysAgo(240), to: daysAgo(90) };
    await app.sandbox.makeHistory(account, { deposits: 130, withdrawals: 120, asset: 'BTC', ...past });
    const { causeway, connected } = connect(account);
    await connected;
    const { network } = await causeway.getDepositAddress({ asset: 'ETH', network: 'ethereum' });
    expect(network).toBe('ethereum');
    const { deposits, withdrawals } = await app.sandbox.records(account);
    const read = () => causeway.listTransactions({ limit: 1000 });
    let shown = await read();
    await until('the whole history is read', async () => {
      shown = await read();
      return shown.transactions.length >= deposits.length + withdrawals.length;
    });
    const inOrder = (rows: unknown[]) => rows.toSorted((a, b) => String(a).localeCompare(String(b)));
    expect(inOrder(shown.transactions.map((one) => [one.exchangeTransactionId, one.amount]))).toEqual(
      inOrder([
        ...deposits.map(({ refid, amount }) => [depositId(refid), Number(amount)]),
        ...withdrawals.map(({ refid, amount }) => [refid, Number(amount)]),
      ]),
    );
  });

  const order = {
    routeId: `${id}:spot:${route}`,
    volume: '0.0125',
    side: 'sell',
    type: 'limit',
    price: '20000',
  } as const;
  const placing = id === 'bitstamp' ? 'bitstamp.order.sell' : `${protocol}.order.place`;

  it('places a limit order, and returns the order as open with the exchange’s id', async () => {
    const { causeway, account } = await wallet();
    const { status, txid } = await causeway.placeOrder(order);
    const ids = (await app.sandbox.orders(account)).map((one) => one.id);
    expect([status, txid, ids]).toEqual(['open', ids, [expect.any(String)]]);
  });

  it('places an order once when its request arrives at the exchange twice', async () => {
    const { causeway, account } = await wallet();
    await app.sandbox.arm({ endpoint: placing, fault: 'delivered_twice', apiKey: account.apiKey });
    const { orderId } = await causeway.placeOrder({ ...order, price: '150000' });
    await until('the order is found', async () => (await causeway.getOrder({ orderId })).status === 'open');
    expect(await app.sandbox.orders(account)).toHaveLength(1);
  });

  it('finds a limit order whose response was lost, and places the order once', async () => {
    const owner = await wallet();
    const { account } = owner;
    await app.sandbox.arm({ endpoint: placing, fault: 'answer_lost', apiKey: account.apiKey });
    expect(await orderAfterLostAnswer(owner, order)).toMatchObject({ status: 'filled', executedVolume: '0.0125' });
    expect(await app.sandbox.orders(account)).toHaveLength(1);
  });
});

it('withdraws from Bitget only over Lightning, because Bitget documents the meaning of the amount only there', async () => {
  const app = await TestApp.create({ worker: true, env: PATIENT });
  try {
    const project = await app.project();
    const account = await app.sandbox.open({ balances: { BTC: '5' } });
    const { causeway } = app.clientsOf(project, 'lightning');
    const { apiKey, apiSecret } = account;
    await causeway.connectWallet({ exchange: 'bitget', apiKey, apiSecret, apiPassphrase: 'sandbox' });
    const [saved] = account.withdrawalAddresses.filter(
      ({ asset, network }) => asset === 'BTC' && network === 'Lightning',
    );
    const address = saved?.address ?? '';
    const order = { asset: 'BTC', network: 'lightning', amount: '0.01', address };
    const { id: quoteId } = await causeway.createQuote(order);
    const { result } = await causeway.executeQuote({ quoteId });
    const done = await settled(app, { causeway }, result.transactionId, 5_000);
    expect(done).toMatchObject({ status: 'ok', network: 'lightning' });
    expect(await app.sandbox.withdrawals(account)).toMatchObject([{ amount: '0.01', status: 'Success' }]);
    const elsewhere = await refusalOf(causeway.createQuote({ ...order, network: 'bitcoin' }));
    expect(elsewhere.code).toBe('WITHDRAWAL_NETWORK_NOT_SUPPORTED');
  } finally {
    await app.close();
  }
});

describe('a wallet at Bitget whose account becomes a unified account', () => {
  let app: TestApp;
  let project: TestProjectWithClient;
  beforeAll(async () => {
    app = await TestApp.create({ worker: true, env: PATIENT });
    project = await app.project();
  });
  afterAll(() => app.close());

  async function connect(name: string): Promise<TestWallet> {
    const account = await app.sandbox.open({ balances: { BTC: '5', USDT: '100000' } });
    const clients = app.clientsOf(project, name);
    const { apiKey, apiSecret } = account;
    await clients.causeway.connectWallet({ exchange: 'bitget', apiKey, apiSecret, apiPassphrase: 'sandbox' });
    return { ...clients, account };
  }

  it('stays connected, and keeps its orders', async () => {
    const { causeway, account } = await connect('upgraded');
    const order = { routeId: 'bitget:spot:BTC-USDT', volume: '0.0125', side: 'sell', type: 'limit' } as const;
    const before = await causeway.placeOrder({ ...order, price: '150000' });
    await app.sandbox.setUnified(account, true);
    expect(await causeway.pingWallet()).toMatchObject({
      status: 'SUCCESS',
      permissions: ['uta_mgt', 'withdraw', 'uta_trade'],
    });
    expect((await causeway.getWallet()).balances['BTC']).toMatchObject({ total: 5 });
    expect(await causeway.getOrder({ orderId: before.orderId })).toMatchObject({ status: 'open' });
    const after = await causeway.placeOrder({ ...order, price: '20000' });
    await until('the order is executed', async () => {
      return (await causeway.getOrder({ orderId: after.orderId })).status === 'filled';
    });
    await app.sandbox.setUnified(account, false);
    expect(await causeway.pingWallet()).toMatchObject({
      status: 'SUCCESS',
      permissions: ['readonly', 'wwow', 'trade'],
    });
    expect(await causeway.getOrder({ orderId: after.orderId })).toMatchObject({ status: 'filled' });
    expect(await app.sandbox.orders(account)).toHaveLength(2);
  });

  it('follows the withdrawal that it made before, and makes no other one', async () => {
    const owner = await connect('withdrawn');
    const { causeway, account } = owner;
    const [saved] = account.withdrawalAddresses.filter(
      ({ asset, network }) => asset === 'BTC' && network === 'Lightning',
    );
    const order = { asset: 'BTC', network: 'lightning', amount: '0.01', address: saved?.address ?? '' };
    await app.sandbox.arm({ endpoint: 'bitget.withdraw', fault: 'answer_lost', apiKey: account.apiKey });
    const { id: quoteId } = await causeway.createQuote(order);
    const { result } = await causeway.executeQuote({ quoteId });
    await app.sandbox.setUnified(account, true);
    expect(await settled(app, owner, result.transactionId, 5_000)).toMatchObject({ status: 'ok' });
    // This reads the balances, and so shows that the account is a unified one.
    const { balances } = await causeway.getWithdrawalBalance();
    expect(balances.find(({ asset }) => asset === 'BTC')).toMatchObject({ networks: [] });
    expect(await refusalOf(causeway.createQuote(order))).toMatchObject({ code: 'WITHDRAWAL_ASSET_NOT_SUPPORTED' });
    expect(await app.sandbox.withdrawals(account)).toMatchObject([{ amount: '0.01', status: 'Success' }]);
  });
});
