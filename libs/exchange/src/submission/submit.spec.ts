import { Secret } from '#platform/crypto';
import { ExchangeHarness } from '../testing/exchange-harness.js';
import { result } from '../testing/kraken-documentation.js';

/** Tests the content of the request. The contract suite (`exchanges/<id>/<id>-contract.spec.ts`) tests the outcomes. */
describe('a submission', () => {
  it('carries the code that a person entered, beside exactly the prepared parameters', async () => {
    const harness = await ExchangeHarness.start();
    harness.stub.on('Withdraw', () => result({ refid: 'A' }));
    const withdrawals = await harness.withdrawals();
    const request = { asset: 'XXBT', key: 'btc-wallet-1', amount: '0.725', address: 'bc1q', max_fee: '0.00015' };
    await withdrawals.submit(
      { request, clientRef: null, submissionDeadline: null },
      { beforeSend: () => undefined, proof: { codes: { twofa: new Secret('123456') } } },
    );
    const [withdraw] = harness.stub.callsOf('Withdraw');
    expect(withdraw?.params).toEqual({ ...request, otp: '123456', nonce: expect.any(String) as string });
    await harness.close();
  });
});
