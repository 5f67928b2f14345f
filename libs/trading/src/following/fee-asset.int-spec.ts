import { Amount } from '#money';
import { toOrderResponse } from '../orders/order.dto.js';
import { OrderHarness } from '../testing/index.js';

describe('the fee of an order', () => {
  let harness: OrderHarness;

  beforeAll(async () => {
    harness = await OrderHarness.create();
  });
  afterAll(() => harness.close());
  beforeEach(() => harness.newWallet());

  it('is in the quote asset, unless the exchange reports another asset', async () => {
    const order = await harness.place();
    expect(toOrderResponse(order)).toMatchObject({ fee: '0', feeAsset: 'USD' });
    const made = harness.market.only(order);
    Object.assign(made, { fee: Amount.of('0.00001'), feeAsset: 'BTC' });
    harness.market.change(made, 'closed', '0.5');
    const ended = await harness.read(order);
    expect(toOrderResponse(ended)).toMatchObject({ status: 'filled', fee: '0.00001', feeAsset: 'BTC' });
    expect(toOrderResponse(await harness.row(order))).toMatchObject({ fee: '0.00001', feeAsset: 'BTC' });
  });
});
