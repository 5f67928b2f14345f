import { PartnerClient } from '../../test/partner.js';
import { TestSandbox } from '../../test/sandbox.js';

describe('a withdrawal by the partner API', () => {
  let sandbox: TestSandbox;
  let client: PartnerClient;

  beforeEach(async () => {
    sandbox = await TestSandbox.start();
    client = await PartnerClient.open(sandbox);
  });
  afterEach(() => sandbox.close());

  it('debits what arrives and the fee, and goes from requested over sent to confirmed', async () => {
    const { status, body } = await client.withdraw();
    expect(status).toBe(201);
    expect(body.withdrawal).toEqual({
      ...{ id: expect.any(String), reference: 'one', asset: 'BTC', network: 'bitcoin', address: client.bitcoin },
      ...{ tag: null, amount: '0.01', fee: '0.00015', status: 'requested', txHash: null },
      createdAt: sandbox.clock.now.getTime(),
    });
    expect(await client.balance()).toBe('4.98985');
    sandbox.advance(1500);
    expect((await client.list()).withdrawals).toMatchObject([{ status: 'sent', txHash: expect.any(String) }]);
    sandbox.advance(1500);
    expect((await client.list()).withdrawals).toMatchObject([{ status: 'confirmed', txHash: expect.any(String) }]);
  });

  it('is booked once for twenty requests of one reference at a time', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.withdraw()));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body.withdrawal?.id)).size).toBe(1);
    expect(answers.filter(({ body }) => body.duplicate === true)).toHaveLength(19);
    expect(await client.booked()).toHaveLength(1);
    expect(await client.balance()).toBe('4.98985');
  });
});
