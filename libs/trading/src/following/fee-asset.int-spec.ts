import type { ExchangeOrder } from '#exchange';
import { Amount } from '#money';
import { toOrderResponse } from '../orders/order.dto.js';
import { OrderHarness } from '../testing/index.js';

describe('the fees of an order', () => {
  let harness: OrderHarness;

  beforeAll(async () => {
    harness = await OrderHarness.create();
  });
  afterAll(() => harness.close());
  beforeEach(() => harness.newWallet());

  /** Ends an order with fees. */
  async function ended(fees: ExchangeOrder['fees']): Promise<object> {
    const order = await harness.place();
    expect(toOrderResponse(order)).toMatchObject({ fee: '0', feeAsset: 'USD', fees: [] });
    const made = harness.market.only(order);
    Object.assign(made, { fees });
    harness.market.change(made, 'closed', '0.5');
    const response = toOrderResponse(await harness.read(order));
    expect(response.status).toBe('filled');
    expect(toOrderResponse(await harness.row(order))).toEqual(response);
    return response;
  }
  const fee = (asset: string | null, amount: string) => ({ asset, amount: Amount.of(amount) });

  it('are in the quote asset, unless the exchange reports another asset', async () => {
    expect(await ended([fee(null, '1.2')])).toMatchObject({ fee: '1.2', feeAsset: 'USD' });
  });

  it('are all listed when the exchange charges them in several assets', async () => {
    expect(await ended([fee('BNB', '0.00001'), fee('CAKE', '0.002')])).toMatchObject({
      fee: '0.00001',
      feeAsset: 'BNB',
      fees: [
        { asset: 'BNB', amount: '0.00001' },
        { asset: 'CAKE', amount: '0.002' },
      ],
    });
  });

  it('are null, and not zero, when the exchange does not report them', async () => {
    expect(await ended(null)).toMatchObject({ fee: null, feeAsset: null, fees: null });
  });
});
