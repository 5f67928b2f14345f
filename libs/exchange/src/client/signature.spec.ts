import { plainQueryOf, queryOf, sortedParams, unsignedCall } from './signature.js';

describe('a call before it is signed', () => {
  const call = (path: string, params: Record<string, string>) =>
    unsignedCall({ method: 'GET', path }, params, 'https://exchange.example');

  it('has the parameters of its path in the path, and the others as parameters', () => {
    expect(call('/orders/{id}', { id: '7', market: 'BTC-USD' })).toEqual({
      baseUrl: 'https://exchange.example',
      method: 'GET',
      path: '/orders/7',
      params: { market: 'BTC-USD' },
    });
  });

  it('has no other path because of a value, except where the path allows slashes', () => {
    expect(call('/accounts/{id}', { id: '../users?a=b#c' }).path).toBe('/accounts/..%2Fusers%3Fa%3Db%23c');
    expect(call('/{+side}/{market}/', { side: 'buy/market', market: 'a/b' }).path).toBe('/buy/market/a%2Fb/');
  });

  it('needs every parameter of its path', () => {
    expect(() => call('/orders/{id}', {})).toThrow('/orders/{id}: the parameter id is missing');
  });
});

describe('the parameters of a call', () => {
  const params = { b: '1&a=2', a: 'é ☕', at: 5 };

  it('are a query in their order, encoded or not', () => {
    expect(queryOf(params)).toBe('b=1%26a%3D2&a=%C3%A9%20%E2%98%95&at=5');
    expect(plainQueryOf(params)).toBe('b=1&a=2&a=é ☕&at=5');
    expect(queryOf({})).toBe('');
  });

  it('can be sorted by their names', () => {
    expect(Object.keys(sortedParams(params))).toEqual(['a', 'at', 'b']);
  });

  it('are no query if one of them is an object', () => {
    expect(() => queryOf({ order: { size: '1' } })).toThrow('order: only a JSON body can contain an object');
  });
});
