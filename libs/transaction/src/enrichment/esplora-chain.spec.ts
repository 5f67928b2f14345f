import { Transport, networkById } from '#exchange';
import { StubExchange } from '#exchange/testing';
import { Amount } from '#money';
import { esploraTransaction, type EsploraFacts } from '../testing/chain-documentation.js';
import type { ChainQuestion } from './chain.js';
import { EsploraChain } from './esplora-chain.js';

const TXID = 'c1'.repeat(32);
const OURS = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
const SENDER = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const AT = new Date('2026-01-10T12:00:00Z');
const HOUR_MS = 3_600_000;
/** How late the first page of an address arrives. */
const FIRST_PAGE_MS = 50;
const bitcoin = networkById('bitcoin');
if (bitcoin === null) throw new Error('no bitcoin');

const facts = (rest: Partial<EsploraFacts> = {}): EsploraFacts => ({
  txid: TXID,
  from: [SENDER, SENDER],
  to: [
    { address: OURS, value: 5_000_000 },
    { address: SENDER, value: 1 },
  ],
  block: { height: 933_000, time: AT.getTime() / 1_000 + 600 },
  ...rest,
});

const question = (rest: Partial<ChainQuestion> = {}): ChainQuestion => ({
  hash: TXID,
  addressTo: OURS,
  amount: Amount.of('0.05'),
  at: AT,
  ...rest,
});

describe('a chain behind Esplora', () => {
  let stub: StubExchange;
  let transport: Transport;
  let chain: EsploraChain;

  beforeEach(async () => {
    stub = await StubExchange.start();
    transport = new Transport({ connectTimeoutMs: 300, responseMaxBytes: 100_000, connections: 2 });
    const endpoint = { network: 'bitcoin', url: `${stub.url}/api`, timeoutMs: 300, transport };
    chain = new EsploraChain(endpoint, bitcoin, { windowMs: 12 * HOUR_MS, pages: 2 });
  });
  afterEach(async () => {
    await transport.close();
    await stub.close();
  });

  const knows = (given: EsploraFacts): void => stub.on(`GET /api/tx/${given.txid}`, () => esploraTransaction(given));
  const failure = { code: 'ENRICHMENT_API_ERROR', message: expect.not.stringContaining('127.0.0.1') as string };

  describe('queried by hash', () => {
    it('returns the block of the transaction and its only sending address', async () => {
      knows(facts());
      expect(await chain.find(question())).toEqual({
        hash: TXID,
        addressFrom: SENDER,
        block: { height: 933_000, at: new Date(AT.getTime() + 600_000) },
        isReverted: false,
      });
    });

    it.each<[string, (string | null)[]]>([
      ['several addresses', [SENDER, OURS]],
      ['an address and of no address', [SENDER, null]],
      ['no address at all', []],
    ])('names no sender when the transaction spends outputs of %s', async (_name, from) => {
      knows(facts({ from }));
      expect(await chain.find(question())).toMatchObject({ addressFrom: null });
    });

    it('returns no block while no block contains the transaction', async () => {
      knows(facts({ block: null }));
      expect(await chain.find(question())).toMatchObject({ hash: TXID, block: null });
    });

    it('finds the transaction when its hash and its address are written in capitals', async () => {
      knows(facts());
      expect(await chain.find(question({ addressTo: OURS.toUpperCase(), hash: TXID.toUpperCase() }))).not.toBeNull();
    });

    it('returns null for a transaction that the API does not know', async () => {
      stub.on(`GET /api/tx/${TXID}`, (_call, response) => void response.writeHead(404).end('Transaction not found'));
      expect(await chain.find(question())).toBeNull();
    });

    it.each<[string, number, string]>([
      ['HTML', 200, '<!doctype html><p>Welcome</p>'],
      ['an HTML page with the status 404', 404, '<html><h1>404</h1></html>'],
      ['an error', 500, 'internal error'],
      ['a refusal', 429, 'Too Many Requests'],
      ['a redirect', 302, ''],
      ['half of the JSON', 200, JSON.stringify(esploraTransaction(facts())).slice(0, 300)],
      ['other JSON', 200, '{"txid":"x"}'],
      ['null', 200, 'null'],
      ['another transaction', 200, JSON.stringify(esploraTransaction(facts({ txid: 'd2'.repeat(32) })))],
      [
        'a transaction that does not pay the expected address',
        200,
        JSON.stringify(esploraTransaction(facts({ to: [{ address: SENDER, value: 5_000_000 }] }))),
      ],
      [
        'a value that is not exact',
        200,
        JSON.stringify(esploraTransaction(facts({ to: [{ address: OURS, value: 2 ** 60 }] }))),
      ],
      [
        'a block without a time',
        200,
        JSON.stringify({ ...esploraTransaction(facts()), status: { confirmed: true, block_height: 1 } }),
      ],
      ['a response that is too long', 200, `${' '.repeat(100_000)}{}`],
    ])('reports %s as an error of the API, without the address of the API', async (_name, status, body) => {
      stub.on(`GET /api/tx/${TXID}`, (_call, response) => {
        response.writeHead(status, status === 302 ? { location: `${stub.url}/api/elsewhere` } : {}).end(body);
      });
      await expect(chain.find(question())).rejects.toMatchObject(failure);
      expect(stub.callsOf('elsewhere')).toEqual([]);
    });

    it('ends with a time-out when the API does not respond', async () => {
      stub.on(`GET /api/tx/${TXID}`, () => undefined);
      await expect(chain.find(question())).rejects.toMatchObject({ code: 'ENRICHMENT_TIMEOUT' });
    });

    it('reports an API that cannot be reached as an error', async () => {
      const endpoint = { network: 'bitcoin', url: 'http://127.0.0.1:9', timeoutMs: 300, transport };
      const nowhere = new EsploraChain(endpoint, bitcoin, { windowMs: HOUR_MS, pages: 1 });
      await expect(nowhere.find(question())).rejects.toMatchObject(failure);
    });

    it('can find a transaction only by a well-formed hash or, without a hash, by a well-formed address', () => {
      expect(chain.canFind(question({ hash: '../../admin' }))).toBe(false);
      expect(chain.canFind(question({ hash: null, addressTo: null }))).toBe(false);
      expect(chain.canFind(question({ hash: null, addressTo: 'x/../..' }))).toBe(false);
      expect(chain.canFind(question({ hash: null }))).toBe(true);
    });

    it('sends the user and password of its URL as a header, and keeps the rest of the URL', async () => {
      const url = new URL(`${stub.url}/api/?key=k`);
      url.username = 'us%20er';
      url.password = 'pass';
      knows(facts());
      await new EsploraChain({ network: 'bitcoin', url: url.href, timeoutMs: 300, transport }, bitcoin, {
        windowMs: HOUR_MS,
        pages: 1,
      }).find(question());
      const [call] = stub.calls;
      expect(call?.headers.authorization).toBe(`Basic ${Buffer.from('us er:pass').toString('base64')}`);
      expect(call?.params).toEqual({ key: 'k' });
    });
  });

  describe('searched for a transfer without a hash', () => {
    const search = (rest: Partial<ChainQuestion> = {}) => chain.find(question({ hash: null, ...rest }));
    const lists = (path: string, given: EsploraFacts[]): void =>
      stub.on(`GET /api/address/${OURS}/${path}`, () => given.map(esploraTransaction));
    const txid = (index: number): string => index.toString(16).padStart(64, '0');
    const at = (hours: number) => ({ height: 933_000, time: AT.getTime() / 1_000 + hours * 3_600 });
    const others = (count: number, hours: number): EsploraFacts[] =>
      Array.from({ length: count }, (_each, index) =>
        facts({ txid: txid(index + 1), to: [{ address: OURS, value: 7 }], block: at(hours) }),
      );

    it('finds the transfer when exactly one output matches its amount, its address and roughly its time', async () => {
      lists('txs', [facts(), ...others(3, 1)]);
      expect(await search()).toMatchObject({ hash: TXID, addressFrom: SENDER, block: { height: 933_000 } });
    });

    it.each<[string, EsploraFacts[]]>([
      ['no transaction paid the address', []],
      ['transactions paid only other amounts to the address', others(3, 0)],
      ['two transactions fit', [facts(), facts({ txid: txid(9) })]],
      [
        'two outputs of one transaction fit',
        [
          facts({
            to: [
              { address: OURS, value: 5_000_000 },
              { address: OURS, value: 5_000_000 },
            ],
          }),
        ],
      ],
      ['two transactions fit, and one of them is in no block yet', [facts({ txid: txid(9), block: null }), facts()]],
      ['the only transaction that fits is in no block yet, so its hash may change', [facts({ block: null })]],
      ['the only transaction with this amount is 13 hours older', [facts({ block: at(-13) })]],
      ['the only transaction with this amount is 13 hours younger', [facts({ block: at(13) })]],
    ])('finds nothing when %s', async (_name, given) => {
      lists('txs', given);
      expect(await search()).toBeNull();
    });

    it('finds nothing when the amount is no whole number of the smallest unit', async () => {
      lists('txs', [facts()]);
      expect(await search({ amount: Amount.of('0.050000001') })).toBeNull();
    });

    it('reads further pages until their transactions are older than the transfer', async () => {
      lists('txs', others(25, 2));
      lists(`txs/chain/${txid(25)}`, [facts(), ...others(24, -30)]);
      expect(await search()).toMatchObject({ hash: TXID });
      expect(stub.calls).toHaveLength(2);
    });

    it('finds nothing when there are more pages than may be read, because they may contain another match', async () => {
      lists('txs', [facts(), ...others(25, 2)]);
      lists(`txs/chain/${txid(25)}`, others(25, 1));
      expect(await search()).toBeNull();
      expect(stub.calls).toHaveLength(2);
    });

    it('ends with a time-out when a further page does not arrive', async () => {
      lists('txs', others(25, 2));
      stub.on(`GET /api/address/${OURS}/txs/chain/${txid(25)}`, () => undefined);
      await expect(search()).rejects.toMatchObject({ code: 'ENRICHMENT_TIMEOUT' });
    });

    it('has one time limit for all pages of a search together', async () => {
      const limits: number[] = [];
      const send = transport.send.bind(transport);
      const recorded: typeof send = (request, options) => {
        limits.push(options.timeoutMs);
        return send(request, options);
      };
      Object.assign(transport, { send: recorded });
      const endpoint = { network: 'bitcoin', url: `${stub.url}/api`, timeoutMs: 10_000, transport };
      const patient = new EsploraChain(endpoint, bitcoin, { windowMs: 12 * HOUR_MS, pages: 2 });
      const firstPage = JSON.stringify(others(25, 2).map(esploraTransaction));
      stub.on(`GET /api/address/${OURS}/txs`, (_call, response) => {
        setTimeout(() => response.end(firstPage), FIRST_PAGE_MS);
      });
      lists(`txs/chain/${txid(25)}`, [facts()]);
      expect(await patient.find(question({ hash: null }))).toMatchObject({ hash: TXID });
      const [first = NaN, second = NaN] = limits;
      expect(limits).toHaveLength(2);
      // A timer may fire up to a millisecond early, and the limits are rounded up.
      expect(first - second).toBeGreaterThanOrEqual(FIRST_PAGE_MS - 2);
    });
  });
});
