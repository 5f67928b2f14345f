import type { Exchange } from 'ccxt';
import { loadCcxtClass, type Wire } from './ccxt-class.js';
import type { CcxtTemplate } from './ccxt-template.js';

const config = {
  urls: { api: { public: 'http://a', private: 'http://a', zendesk: 'http://a' } },
  options: { a: { b: 1 } },
};
const wire: Wire = { send: () => Promise.reject(new Error('nothing is sent')), nonce: () => 7 };
const alice = { apiKey: 'alice', secret: 'YWxpY2U=', uid: 'a' };
const bob = { apiKey: 'bob', secret: 'Ym9i' };

/** All members of an instance, own and inherited. */
function membersOf(instance: object): Map<string, unknown> {
  const members = new Map<string, unknown>();
  for (let at = instance; at !== Object.prototype; at = Object.getPrototypeOf(at) as object) {
    for (const name of Object.getOwnPropertyNames(at)) {
      if (!members.has(name)) members.set(name, Reflect.get(instance, name));
    }
  }
  return members;
}

/** A copy of the data in a value, without prototypes and inner functions. A function itself becomes a text. */
function dataOf(value: unknown): unknown {
  return typeof value === 'function' ? 'a function' : (JSON.parse(JSON.stringify(value)) as unknown);
}

/** An instance of the library itself, with its own transport. */
async function construct(ccxtId: string, settings: object): Promise<Exchange> {
  const file = new URL(`./src/${ccxtId}.js`, import.meta.resolve('ccxt')).href;
  const { default: Base } = (await import(file)) as { default: typeof Exchange };
  class WithNonce extends Base {
    override nonce(): number {
      return 7;
    }
  }
  const off = { enableRateLimit: false, enableLastHttpResponse: false, enableLastResponseHeaders: false };
  const constructed = new WithNonce({ ...settings, ...off, number: String });
  constructed.options = { ...constructed.options, maxRetriesOnFailure: 0 };
  return constructed;
}

describe('CcxtTemplate', () => {
  let constructed: Exchange;
  let template: CcxtTemplate;

  beforeAll(async () => {
    template = (await loadCcxtClass('kraken')).prepare(config, wire);
    constructed = await construct('kraken', { ...config, ...alice });
  });

  // These cases include nested options (those of KuCoin) and an option that is null (`partner`).
  it.each(['kraken', 'kucoin', 'binance'])(
    'creates an instance of %s with all members of a constructed one, except its limiter and endpoint functions',
    async (ccxtId) => {
      const versions = { public: { GET: { currencies: 'v3' } } };
      const settings = { urls: config.urls, options: { partner: null, versions, fetchCurrencies: false } };
      const expected = membersOf(await construct(ccxtId, { ...settings, ...alice }));
      const prepared = (await loadCcxtClass(ccxtId)).prepare(settings, wire);
      const made = membersOf(prepared.create(alice));
      const absent = [...expected.keys()].filter((name) => !made.has(name));
      const endpoints = new Set(absent.filter((name) => typeof expected.get(name) === 'function'));
      const missing = absent.filter((name) => !endpoints.has(name));
      // '[object Object]' is a name under which the library stores one of its prototypes.
      expect(missing).toEqual(['throttler', '[object Object]']);
      expect(endpoints.size).toBeGreaterThan(50);
      for (const [name, value] of made) {
        if (typeof value !== 'function' && typeof value !== 'object')
          expect([name, value]).toEqual([name, expected.get(name)]);
        else expect([name, dataOf(value)]).toEqual([name, dataOf(expected.get(name))]);
      }
    },
  );

  it('keeps the addresses, options and transports of connectors apart', async () => {
    const loaded = await loadCcxtClass('kraken');
    const prepare = (name: string, nonce: number): CcxtTemplate =>
      loaded.prepare(
        { urls: { api: { public: `http://${name}` } }, options: { name } },
        {
          nonce: () => nonce,
          now: () => nonce * 1_000,
          send: (request) => Promise.resolve({ status: 200, headers: {}, body: JSON.stringify({ url: request.url }) }),
        },
      );
    const [one, two] = [prepare('one', 1), prepare('two', 2)];
    for (const [name, nonce, prepared] of [
      ['one', 1, one],
      ['two', 2, two],
      ['one', 1, one],
    ] as const) {
      const instance = prepared.create(alice);
      expect(instance.nonce()).toBe(nonce);
      expect(instance.seconds()).toBe(nonce);
      expect(instance.options).toMatchObject({ name });
      expect(await instance.request('Time', 'public', 'GET')).toEqual({ url: `http://${name}/0/public/Time` });
    }
    expect(template.create(alice).options['name']).toBeUndefined();
  });

  it('calls public endpoints without credentials', async () => {
    const prepared = (await loadCcxtClass('kraken')).prepare(config, {
      ...wire,
      send: () => Promise.resolve({ status: 200, headers: {}, body: '{"error":[],"result":{"unixtime":5}}' }),
    });
    const instance = prepared.create({});
    expect(await instance.request('Time', 'public', 'GET')).toEqual({ error: [], result: { unixtime: 5 } });
    expect(() => instance.sign('BalanceEx', 'private', 'POST', {})).toThrow(/apiKey/);
  });

  it('creates instances that sign like a constructed one, each with its own credentials', () => {
    const sign = (instance: Exchange): unknown => instance.sign('BalanceEx', 'private', 'POST', { a: '1' });
    const [a, b] = [template.create(alice), template.create(bob)];
    const first = sign(a);
    expect(first).toEqual(sign(constructed));
    expect(sign(b)).not.toEqual(first);
    expect(sign(a)).toEqual(first);
    expect(() => template.create({ apiKey: 'no secret' }).checkRequiredCredentials()).toThrow(/secret/);
  });

  it('shares no writable data between instances', () => {
    const [a, b] = [template.create(alice), template.create(bob)];
    const isData = (value: unknown): value is object =>
      typeof value === 'object' && value !== null && (Array.isArray(value) || value.constructor === Object);
    const mutable: string[] = [];
    const visit = (left: unknown, right: unknown, path: string): void => {
      if (!isData(left) || !isData(right)) return;
      if (left === right && !Object.isFrozen(left)) mutable.push(path);
      for (const key of Object.keys(left)) {
        visit(Reflect.get(left, key), Reflect.get(right, key), `${path}.${key}`);
      }
    };
    for (const [name, value] of membersOf(a)) visit(value, Reflect.get(b, name), name);
    expect(mutable).toEqual([]);
    expect(a.options).toMatchObject({ a: { b: 1 } });
    expect(a.options).not.toBe(b.options);
  });

  it('creates instances without functions that are bound to another instance', () => {
    const names = [...membersOf(template.create(alice)).keys()];
    expect(membersOf(constructed).has('privatePostBalanceEx')).toBe(true);
    expect(names.filter((name) => /private_?post/i.test(name))).toEqual([]);
  });
});
