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
