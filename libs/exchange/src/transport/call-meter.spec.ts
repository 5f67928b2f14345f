import { Secret } from '#platform/crypto';
import { testOverrides } from '#platform/config';
import type { PreparedWithdrawal } from '../port/exchange.port.js';
import { ExchangeHarness } from '../testing/exchange-harness.js';
import { refusal, result } from '../testing/kraken-documentation.js';
import { patientTimeouts, withPassingTimeouts } from '../testing/request-timeouts.js';
import { CHALLENGE } from '../testing/sandbox-documentation.js';

const prepared: PreparedWithdrawal = {
  request: { asset: 'XXBT', key: 'btc-wallet-1', amount: '0.725', address: 'bc1q', max_fee: '0.00015' },
  clientRef: null,
  submissionDeadline: null,
};

describe('calls to exchanges', () => {
  const silent = withPassingTimeouts();
  let harness: ExchangeHarness;

  beforeEach(async () => {
    harness = await ExchangeHarness.start({
      ...patientTimeouts,
      ...testOverrides({ EXCHANGE_QUEUE_MAX: 1 }),
    });
  });
  afterEach(() => harness.close());

  /** Number of calls by exchange, operation and outcome. */
  async function counted(): Promise<Record<string, number>> {
    const [metric] = (await harness.metrics.registry.getMetricsAsJSON()).filter(
      ({ name }) => name === 'causeway_exchange_request_seconds',
    );
    const counts = (metric?.values ?? []).filter(
      (value) => 'metricName' in value && String(value.metricName).endsWith('_count'),
    );
    return Object.fromEntries(
      counts.map(({ labels, value }) => [`${labels.exchange} ${labels.operation} ${labels.outcome}`, value]),
    );
  }

  it('are measured by endpoint and outcome', async () => {
    const session = await harness.open();
    await session.keyInfo();
    harness.stub.on('GetApiKeyInfo', () => refusal('EGeneral:Permission denied'));
    await session.keyInfo().catch(() => undefined);
    harness.stub.on('GetApiKeyInfo', () => result('unlike what is documented'));
    await session.keyInfo().catch(() => undefined);
    harness.stub.on('GetApiKeyInfo', silent);
    await session.keyInfo().catch(() => undefined);
    expect(await counted()).toEqual({
      'kraken POST /0/private/GetApiKeyInfo ok': 1,
      'kraken POST /0/private/GetApiKeyInfo permission_missing': 1,
      'kraken POST /0/private/GetApiKeyInfo invalid': 1,
      'kraken POST /0/private/GetApiKeyInfo unavailable': 1,
    });
  });

  it('are measured when our own limit prevents them from being sent', async () => {
    const session = await harness.open();
    await Promise.allSettled([session.keyInfo(), session.keyInfo(), session.keyInfo()]);
    const sent = harness.stub.callsOf('GetApiKeyInfo').length;
    expect(await counted()).toEqual({
      'kraken POST /0/private/GetApiKeyInfo ok': sent,
      'kraken POST /0/private/GetApiKeyInfo own_limit': 3 - sent,
    });
  });

  it('are measured by the outcome of a submission', async () => {
    const withdrawals = await harness.withdrawals();
    const submit = () => withdrawals.submit(prepared, { beforeSend: () => undefined });
    await submit();
    harness.stub.on('Withdraw', () => refusal('EFunding:Insufficient funds'));
    await submit();
    harness.stub.on('Withdraw', silent);
    await submit();
    expect(await counted()).toEqual({
      'kraken POST /0/private/Withdraw ok': 1,
      'kraken POST /0/private/Withdraw rejected': 1,
      'kraken POST /0/private/Withdraw unknown': 1,
    });
  });

  it('are measured under names without ids', async () => {
    const { verification } = await harness.withdrawals('sandbox');
    await verification?.read(CHALLENGE.id);
    await verification?.verify(CHALLENGE.id, 'EMAIL', new Secret('123456'));
    expect(await counted()).toEqual({
      'sandbox GET /challenges/{id} ok': 1,
      'sandbox POST /challenges/{id}/verify ok': 1,
    });
  });

  it('are measured once for the list of assets, because all sessions share it', async () => {
    await (await harness.open()).balances();
    await (await harness.open()).balances();
    expect(await counted()).toEqual({ 'kraken GET /0/public/Assets ok': 1, 'kraken POST /0/private/BalanceEx ok': 2 });
  });
});
