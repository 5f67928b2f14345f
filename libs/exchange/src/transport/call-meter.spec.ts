import { Secret } from '#platform/crypto';
import type { PreparedWithdrawal } from '../port/exchange.port.js';
import { ExchangeBed } from '../testing/exchange-bed.js';
import { refusal, result } from '../testing/kraken-documentation.js';
import { CHALLENGE } from '../testing/sandbox-documentation.js';

const prepared: PreparedWithdrawal = {
  request: { asset: 'XXBT', key: 'btc-wallet-1', amount: '0.725', address: 'bc1q', max_fee: '0.00015' },
  clientRef: null,
  notAfter: null,
};

describe('calls to exchanges are measured', () => {
  let bed: ExchangeBed;

  beforeEach(async () => {
    bed = await ExchangeBed.start({
      EXCHANGE_TIMEOUT_MS: '300',
      EXCHANGE_SUBMIT_TIMEOUT_MS: '200',
      EXCHANGE_QUEUE_MAX: '1',
    });
  });
  afterEach(() => bed.close());

  /** How many calls were counted, by exchange, operation and outcome. */
  async function counted(): Promise<Record<string, number>> {
    const [metric] = (await bed.metrics.registry.getMetricsAsJSON()).filter(
      ({ name }) => name === 'causeway_exchange_request_seconds',
    );
    const counts = (metric?.values ?? []).filter(
      (value) => 'metricName' in value && String(value.metricName).endsWith('_count'),
    );
    return Object.fromEntries(
      counts.map(({ labels, value }) => [`${labels.exchange} ${labels.operation} ${labels.outcome}`, value]),
    );
  }

  it('by endpoint, and by what a read brought', async () => {
    const session = await bed.open();
    await session.keyInfo();
    bed.stub.on('GetApiKeyInfo', () => refusal('EGeneral:Permission denied'));
    await session.keyInfo().catch(() => undefined);
    bed.stub.on('GetApiKeyInfo', () => result('unlike what is documented'));
    await session.keyInfo().catch(() => undefined);
    bed.stub.on('GetApiKeyInfo', () => undefined);
    await session.keyInfo().catch(() => undefined);
    expect(await counted()).toEqual({
      'kraken GetApiKeyInfo ok': 1,
      'kraken GetApiKeyInfo permission_missing': 1,
      'kraken GetApiKeyInfo invalid': 1,
      'kraken GetApiKeyInfo unavailable': 1,
    });
  });

  it('also when our own budget kept them from being sent', async () => {
    const session = await bed.open();
    await Promise.allSettled([session.keyInfo(), session.keyInfo(), session.keyInfo()]);
    const sent = bed.stub.callsOf('GetApiKeyInfo').length;
    expect(await counted()).toEqual({ 'kraken GetApiKeyInfo ok': sent, 'kraken GetApiKeyInfo own_limit': 3 - sent });
  });

  it('by what became of a submission', async () => {
    const withdrawals = await bed.withdrawals();
    const submit = () => withdrawals.submit(prepared, { beforeSend: () => undefined });
    await submit();
    bed.stub.on('Withdraw', () => refusal('EFunding:Insufficient funds'));
    await submit();
    bed.stub.on('Withdraw', () => undefined);
    await submit();
    expect(await counted()).toEqual({
      'kraken Withdraw ok': 1,
      'kraken Withdraw rejected': 1,
      'kraken Withdraw unknown': 1,
    });
  });

  it('under names without ids', async () => {
    const { verification } = await bed.withdrawals('sandbox');
    await verification?.read(CHALLENGE.id);
    await verification?.verify(CHALLENGE.id, 'EMAIL', new Secret('123456'));
    expect(await counted()).toEqual({
      'sandbox GET /challenges/{id} ok': 1,
      'sandbox POST /challenges/{id}/verify ok': 1,
    });
  });

  it('with the list of assets that all sessions share', async () => {
    await (await bed.open()).balances();
    await (await bed.open()).balances();
    expect(await counted()).toEqual({ 'kraken assets ok': 1, 'kraken BalanceEx ok': 2 });
  });
});
