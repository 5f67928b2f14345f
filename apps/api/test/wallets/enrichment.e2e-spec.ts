import { v7 } from 'uuid';
import { createApiKey } from '#access/testing';
import { MetricsServer } from '#platform/metrics';
import { esploraTransaction } from '#transaction/testing';
import { ChainStub, esplora, newHash, record, seconds, SENDER, type Facts } from '../support/chain-stub.js';
import { refusalOf } from '../support/causeway-client.js';
import { Exposition } from '../support/exposition.js';
import { TestApp, type TestProjectWithClient, type TestWallet } from '../support/test-app.js';

const EVM_OURS = '0x95222290dd7278aa3ddd389cc1e1d165cc4bafe5';
const EVM_SENDER = '0x658bdf435d810c91414ec09147daa6db62406379';

describe('POST /v0/wallet/transaction/{id}/enrich', () => {
  let chain: ChainStub;
  let app: TestApp;
  let project: TestProjectWithClient;
  let wallet: TestWallet;

  beforeAll(async () => {
    chain = await ChainStub.start();
    app = await TestApp.create({ env: chain.env, overrides: { METRICS_KEEP_MS: 0 } });
    project = await app.project();
    wallet = await app.wallet(project);
  });
  afterAll(async () => {
    await app.close();
    await chain.http.close();
  });

  const given = (facts: Partial<Facts> = {}) => record(app, project, wallet, facts);
  const enrich = (transactionId: string) => project.causeway.enrichTransaction({ transactionId });
  const read = (transactionId: string) => project.causeway.getTransaction({ transactionId });

  it('returns and stores the block and the sender that the chain reports', async () => {
    const { id, hash } = await given();
    const at = app.clock.now();
    chain.knows(esplora(hash, at));
    const enriched = await enrich(id);
    const told = { hash, addressFrom: SENDER, confirmedAt: seconds(at) * 1_000, blockHeight: 933_000 };
    expect(enriched).toMatchObject(told);
    expect(await read(id)).toEqual(enriched);
  });

  it('does not query the chain again after the confirmation', async () => {
    const { id, hash } = await given();
    chain.knows(esplora(hash, app.clock.now()));
    await enrich(id);
    app.clock.advance(60_000);
    expect((await enrich(id)).blockHeight).toBe(933_000);
    expect(chain.callsOf(hash)).toBe(1);
  });

  it('queries the chain at most once in a few seconds for the same transaction', async () => {
    const { id, hash } = await given();
    chain.knows(esplora(hash, app.clock.now(), { block: null }));
    await Promise.all([enrich(id), enrich(id), enrich(id), enrich(id)]);
    expect(chain.callsOf(hash)).toBe(1);
    chain.knows(esplora(hash, app.clock.now()));
    expect((await enrich(id)).confirmedAt).toBeNull();
    app.clock.advance(5_000);
    expect((await enrich(id)).confirmedAt).not.toBeNull();
    expect(chain.callsOf(hash)).toBe(2);
  });

  it('finds a token transfer on an EVM chain', async () => {
    const hash = `0x${newHash()}`;
    const { id } = await given({ network: 'ethereum', hash, addressTo: EVM_OURS });
    chain.node.knows({
      hash,
      from: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045',
      to: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
      tokens: [{ from: EVM_SENDER, to: EVM_OURS }],
      block: { number: 21_000_000, time: 1_760_000_000 },
    });
    expect(await enrich(id)).toMatchObject({
      addressFrom: EVM_SENDER,
      confirmedAt: 1_760_000_000_000,
      blockHeight: 21_000_000,
    });
  });

  it('does not confirm a reverted transfer', async () => {
    const hash = `0x${newHash()}`;
    const { id } = await given({ network: 'ethereum', hash, addressTo: EVM_OURS });
    chain.node.knows({
      hash,
      from: EVM_SENDER,
      to: EVM_OURS,
      status: '0x0',
      block: { number: 9, time: 1_760_000_000 },
    });
    expect(await enrich(id)).toMatchObject({ hash, confirmedAt: null, blockHeight: null });
  });

  it('finds the hash that the exchange has not reported', async () => {
    const address = 'bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh';
    const { id } = await given({ hash: null, addressTo: address, amount: '0.012' });
    const hash = newHash();
    const found = esplora(hash, app.clock.now(), { to: [{ address, value: 1_200_000 }] });
    chain.http.on(`GET /btc/address/${address}/txs`, () => [esploraTransaction(found)]);
    expect(await enrich(id)).toMatchObject({ hash, addressFrom: SENDER, blockHeight: 933_000 });
  });

  it('assigns the hash to neither of two transactions that are equal except for their ids', async () => {
    const address = 'bc1q34aq5drpuwy3wgl9lhup9892qp6svr8ldzyy7c';
    const duplicates = await Promise.all([1, 2].map(() => given({ hash: null, addressTo: address, amount: '0.013' })));
    const found = esplora(newHash(), app.clock.now(), { to: [{ address, value: 1_300_000 }] });
    chain.http.on(`GET /btc/address/${address}/txs`, () => [esploraTransaction(found)]);
    for (const { id } of duplicates) expect(await enrich(id)).toMatchObject({ hash: null, confirmedAt: null });
  });

  it('returns the stored transaction, without a query, when nothing identifies it on the chain', async () => {
    const before = chain.http.calls.length;
    const noHash = await given({ network: 'ethereum', hash: null, addressTo: EVM_OURS });
    const failed = await given({ status: 'failed' });
    const odd = await given({ hash: 'internal transfer/../' });
    for (const { id } of [noHash, failed, odd]) expect((await enrich(id)).id).toBe(id);
    expect(chain.http.calls).toHaveLength(before);
  });

  it('refuses a network that is not configured, has no protocol or is unknown', async () => {
    for (const network of ['tron', 'polygon', 'solana', 'kraken:polygon (usdc.e)', 'unknown']) {
      const { id } = await given({ network });
      const refusal = await refusalOf(enrich(id));
      expect(refusal).toMatchObject({ status: 400, code: 'ENRICHMENT_NETWORK_NOT_SUPPORTED' });
      expect(refusal.message).toContain(`the network ${network}`);
    }
  });

  it('reports that the chain API did not respond in time', async () => {
    const { id, hash } = await given();
    chain.http.on(`GET /btc/tx/${hash}`, () => undefined);
    expect(await refusalOf(enrich(id))).toMatchObject({ status: 504, code: 'ENRICHMENT_TIMEOUT' });
    expect(await read(id)).toMatchObject({ hash, confirmedAt: null });
  });

  it.each<[string, (hash: string) => [number, string]]>([
    ['an HTML page', () => [200, '<!doctype html><h1>Sign in</h1>']],
    ['an error', () => [503, 'try later']],
    ['another transaction', () => [200, JSON.stringify(esploraTransaction(esplora(newHash(), new Date())))]],
    [
      'a block of the future',
      (hash) => [200, JSON.stringify(esploraTransaction(esplora(hash, new Date(Date.now() + 86_400_000))))],
    ],
  ])('returns ENRICHMENT_API_ERROR and changes nothing when the chain API returns %s', async (_name, answer) => {
    const { id, hash } = await given();
    const before = await read(id);
    const [code, text] = answer(hash);
    chain.http.on(`GET /btc/tx/${hash}`, (_call, response) => void response.writeHead(code).end(text));
    const refusal = await refusalOf(enrich(id));
    expect(refusal).toMatchObject({ status: 502, code: 'ENRICHMENT_API_ERROR' });
    expect(refusal.message).toBe(
      'The chain API of the network bitcoin returned no usable response (repeat the request later)',
    );
    expect(await read(id)).toEqual(before);
  });

  it('keeps the addresses of chain APIs, which may contain keys, out of responses and the log', async () => {
    const { id } = await given({ network: 'litecoin', addressTo: null });
    chain.http.on('ltc', () => undefined);
    const { body } = await project.http.post(`/v0/wallet/transaction/${id}/enrich`);
    expect(JSON.stringify(body)).not.toContain(chain.http.url);
    expect(app.logLines.filter((line) => line.includes(new URL(chain.http.url).host))).toEqual([]);
  });

  it('finds neither transactions of other projects nor unknown ids', async () => {
    const { id } = await given();
    const stranger = await app.project();
    const calls = [
      () => stranger.causeway.enrichTransaction({ transactionId: id }),
      () => enrich(v7()),
      () => enrich('no-uuid'),
    ];
    for (const call of calls) expect(await refusalOf(call())).toMatchObject({ status: 404, code: 'GENERIC_NOT_FOUND' });
  });

  it('requires the scope read', async () => {
    const { id } = await given();
    const { headers } = await createApiKey(app.api, project, { scopes: ['withdrawal'] });
    const { status } = await app.http.with(headers).post(`/v0/wallet/transaction/${id}/enrich`);
    expect(status).toBe(403);
  });

  it('discards a result for a hash that the exchange has replaced in the meantime', async () => {
    const { id, hash } = await given();
    const replaced = newHash();
    chain.http.on(`GET /btc/tx/${hash}`, (_call, response) => {
      void app.db.query(`update transactions set hash = $2 where id = $1`, [id, replaced]).then(() => {
        response.end(JSON.stringify(esploraTransaction(esplora(hash, app.clock.now()))));
      });
    });
    expect(await enrich(id)).toMatchObject({ hash: replaced, confirmedAt: null, addressFrom: null });
  });

  it('counts queries by network and outcome', async () => {
    const url = await app.api.get(MetricsServer).listen(0, '127.0.0.1');
    const metrics = await Exposition.scrape(url);
    const count = (network: string, outcome: string) =>
      metrics.value('causeway_enrichments_total', { network, outcome });
    expect(count('bitcoin', 'confirmed')).toBeGreaterThan(1);
    expect(count('bitcoin', 'timeout')).toBe(1);
    expect(count('bitcoin', 'error')).toBe(4);
    expect(count('bitcoin', 'ambiguous')).toBe(2);
    expect(count('ethereum', 'reverted')).toBe(1);
  });
});
