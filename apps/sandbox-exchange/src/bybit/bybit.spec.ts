import { protocolDrivers } from '../../test/protocol-drivers.js';
import { TestSandbox, type OpenedAccount } from '../../test/sandbox.js';

const driver = protocolDrivers.find(({ id }) => id === 'bybit');

// Bybit's page asset/withdraw/withdraw: "you can only withdraw once every 10 seconds per chain/coin combination"
describe('a withdrawal at Bybit', () => {
  let sandbox: TestSandbox;
  let account: OpenedAccount;
  let count = 0;
  beforeEach(async () => {
    sandbox = await TestSandbox.start();
    account = await sandbox.open({ balances: { BTC: '5', ETH: '10' } });
  });
  afterEach(() => sandbox.close());

  async function withdraw(coin: string, chain: string, more: object = {}): Promise<string | undefined> {
    const { address } = account.withdrawalAddresses.find(({ asset }) => asset === coin) ?? { address: '' };
    const at = sandbox.clock.now.getTime();
    const rest = { timestamp: at, forceChain: 1, accountType: 'FUND', feeType: 0, requestId: `request${++count}` };
    const body = { coin, chain, address, amount: '0.1', ...rest, ...more };
    const call = { method: 'POST' as const, target: '/v5/asset/withdraw/create', body };
    const signed = driver?.sign(account, at, call);
    if (signed === undefined) throw new Error('Bybit has a driver');
    const response = await fetch(sandbox.url + call.target, { method: 'POST', ...signed });
    return driver?.codeOf(await response.json());
  }

  it('is refused within ten seconds of another one of the same coin and chain', async () => {
    expect(await withdraw('BTC', 'BTC')).toBe('0');
    expect(await withdraw('BTC', 'BTC')).toBe('10006');
    expect(await withdraw('ETH', 'ETH')).toBe('0');
    sandbox.advance(9_999);
    expect(await withdraw('BTC', 'BTC')).toBe('10006');
    sandbox.advance(1);
    expect(await withdraw('BTC', 'BTC')).toBe('0');
  });

  it('that was refused delays no other one', async () => {
    expect(await withdraw('BTC', 'BTC', { amount: '6' })).toBe('131212');
    expect(await withdraw('BTC', 'BTC')).toBe('0');
  });

  it('with a repeated request id is refused for the id', async () => {
    expect(await withdraw('BTC', 'BTC', { requestId: 'once' })).toBe('0');
    expect(await withdraw('BTC', 'BTC', { requestId: 'once' })).toBe('10014');
  });
});

describe('an order at Bybit', () => {
  let sandbox: TestSandbox;
  let account: OpenedAccount;
  beforeEach(async () => {
    sandbox = await TestSandbox.start();
    account = await sandbox.open({ balances: { BTC: '5', USDT: '100000' } });
  });
  afterEach(() => sandbox.close());

  async function place(more: object): Promise<string | undefined> {
    const order = { category: 'spot', symbol: 'BTCUSDT', side: 'Buy', orderType: 'Limit', ...more };
    const call = { method: 'POST' as const, target: '/v5/order/create', body: order };
    const signed = driver?.sign(account, sandbox.clock.now.getTime(), call);
    const { headers, body } = { headers: {}, ...signed };
    const response = await fetch(sandbox.url + call.target, { method: 'POST', headers, ...(body && { body }) });
    return driver?.codeOf(await response.json());
  }

  // Bybit's page market/instrument: "no longer check minOrderQty, check minOrderAmt instead"
  it('needs no smallest quantity, but a smallest value', async () => {
    expect(await place({ qty: '0.00004', price: '20000' })).toBe('0');
    expect(await place({ qty: '0.00004', price: '1' })).toBe('170140');
  });
});
