import { OrderHarness } from '../testing/index.js';

describe('an order', () => {
  let harness: OrderHarness;
  beforeAll(async () => (harness = await OrderHarness.create()));
  afterAll(() => harness.close());
  beforeEach(() => harness.newWallet());

  const NOT_FOUND = { code: 'TRADING_ORDER_NOT_FOUND' };

  it('is not found for another wallet of the project, nor for a wallet of another project with the same id', async () => {
    const order = await harness.place();
    const { externalId } = harness.wallet;
    await harness.anotherWallet();
    await expect(harness.read(order)).rejects.toMatchObject(NOT_FOUND);
    await harness.newWallet('kraken', externalId);
    await expect(harness.read(order)).rejects.toMatchObject(NOT_FOUND);
  });

  it('is not found for another project, even while its own project reads it', async () => {
    const order = await harness.place();
    const { externalId } = harness.wallet;
    let respond = (): void => undefined;
    const response = new Promise<void>((resolve) => (respond = resolve));
    const arrived = new Promise<void>((resolve) => {
      harness.market.onRead = () => {
        resolve();
        return response;
      };
    });
    const own = harness.read(order);
    await arrived;
    await harness.newWallet('kraken', externalId);
    const theirs = harness.read(order);
    respond();
    await expect(theirs).rejects.toMatchObject(NOT_FOUND);
    expect(await own).toMatchObject({ id: order.id, status: 'open' });
    harness.market.onRead = () => undefined;
  });
});
