import { loadCcxtClass, type CcxtInstance, type Wire } from './ccxt-class.js';
import { CcxtTemplate } from './ccxt-template.js';

const config = {
  urls: { api: { public: 'http://a', private: 'http://a', zendesk: 'http://a' } },
  options: { a: { b: 1 } },
};
const wire: Wire = { send: () => Promise.reject(new Error('nothing is sent')), nonce: () => 7 };
const alice = { apiKey: 'alice', secret: 'YWxpY2U=', uid: 'a' };
const bob = { apiKey: 'bob', secret: 'Ym9i' };

describe('CcxtTemplate', () => {
  let constructed: CcxtInstance;
  let template: CcxtTemplate;

  beforeAll(async () => {
    const loaded = await loadCcxtClass('kraken');
    constructed = loaded.create({ ...config, ...alice }, wire);
    template = new CcxtTemplate(loaded.createPlain(config, wire));
  });

  /** All members of an instance, own and inherited. */
  const membersOf = (instance: CcxtInstance): Map<string, unknown> => {
    const members = new Map<string, unknown>();
    for (let at: object = instance; at !== Object.prototype; at = Object.getPrototypeOf(at) as object) {
      for (const name of Object.getOwnPropertyNames(at)) {
        if (!members.has(name)) members.set(name, Reflect.get(instance, name));
      }
    }
    return members;
  };

  it('creates the same members as the constructor, except the limiter and the endpoint functions', () => {
    const [made, expected] = [membersOf(template.create(alice)), membersOf(constructed)];
    const missing = [...expected.keys()].filter((name) => !made.has(name));
    const isEndpoint = (name: string): boolean => /^(public|private|zendesk)(_?(get|post|put|delete)_?)/i.test(name);
    // The library stores one of its prototypes under the name '[object Object]'.
    expect(missing.filter((name) => !isEndpoint(name))).toEqual(['throttler', '[object Object]']);
    for (const [name, value] of made) {
      if (typeof value !== 'function' && typeof value !== 'object')
        expect([name, value]).toEqual([name, expected.get(name)]);
      else expect([name, JSON.stringify(value)]).toEqual([name, JSON.stringify(expected.get(name))]);
    }
  });

  it('signs like an instance of the constructor, each with its own credentials', () => {
    const sign = (instance: CcxtInstance): unknown => instance.sign('BalanceEx', 'private', 'POST', { a: '1' });
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

  it('has no function that is bound to another instance', () => {
    const names = [...membersOf(template.create(alice)).keys()];
    expect(membersOf(constructed).has('privatePostBalanceEx')).toBe(true);
    expect(names.filter((name) => /private_?post/i.test(name))).toEqual([]);
  });
});
