import { typedParams } from './typed-params.js';

const endpoint = {
  path: 'v5/asset/withdraw/create',
  sentAs: { timestamp: 'integer', forceChain: 'integer', isInternal: 'boolean', expTime: 'header' },
} as const;

describe('the parameters of a call', () => {
  it('are text, unless the endpoint declares another type or a header', () => {
    const texts = { amount: '0.00000001', timestamp: '1763866800123', isInternal: 'false', expTime: '1763866830123' };
    expect(typedParams(endpoint, texts)).toEqual({
      params: { amount: '0.00000001', timestamp: 1763866800123, isInternal: false },
      headers: { expTime: '1763866830123' },
    });
    expect(typedParams({ path: 'plain' }, { timestamp: '1' })).toEqual({ params: { timestamp: '1' }, headers: {} });
  });

  it('are sent with the fixed headers of the endpoint', () => {
    const { headers } = typedParams({ ...endpoint, headers: { version: '3' } }, { expTime: '1' });
    expect(headers).toEqual({ version: '3', expTime: '1' });
  });

  it('are percent-encoded where the library would not encode them', () => {
    const form = { path: 'capital/withdraw/apply', sentAs: { addressTag: 'escaped' } } as const;
    expect(typedParams(form, { addressTag: '1&amount=9', amount: '2' }).params).toEqual({
      addressTag: '1%26amount%3D9',
      amount: '2',
    });
  });

  it('are parsed into objects where the endpoint declares JSON', () => {
    const form = { path: 'orders', sentAs: { order_configuration: 'json' } } as const;
    expect(typedParams(form, { order_configuration: '{"market":{"size":"0.1"}}' }).params).toEqual({
      order_configuration: { market: { size: '0.1' } },
    });
  });

  it.each([
    ['timestamp', '1.5'],
    ['timestamp', '1e3'],
    ['timestamp', ''],
    ['timestamp', '9007199254740993'],
    ['isInternal', '1'],
  ])('are refused when %s is %j, instead of being rounded or guessed', (name, text) => {
    expect(() => typedParams(endpoint, { [name]: text })).toThrow(name);
  });
});
