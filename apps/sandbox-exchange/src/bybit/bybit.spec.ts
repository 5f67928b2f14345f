import { protocolDrivers } from '../../test/protocol-drivers.js';
import { TestSandbox, type OpenedAccount } from '../../test/sandbox.js';

const driver = protocolDrivers.find(({ id }) => id === 'bybit');

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
