import { Body, Controller, Get, Header, Headers, Param, Query, Req, UseGuards } from '@nestjs/common';
import type { PreparedResult } from '../caching/prepared-response.js';
import { Prepared, type PreparedDeclaration } from './prepared.decorator.js';
import { PreparedRoute } from './prepared-route.js';

const nothing: PreparedResult = { movedTo: 'elsewhere' };
const guard = { canActivate: (): boolean => true };

@Controller()
class Routes {
  @Get(':exchange/tickers')
  @Prepared({ query: { coins: /^[A-Z,]{1,20}$/ } })
  declared(@Query() _query: object, @Param('exchange') _exchange: string): PreparedResult {
    return nothing;
  }

  @Get()
  @Prepared()
  readsQuery(@Query() _query: object): PreparedResult {
    return nothing;
  }

  @Get()
  @Prepared({ query: { coins: /./ } })
  readsOneQueryMember(@Query('coins') _coins: string): PreparedResult {
    return nothing;
  }

  @Get()
  @Prepared()
  readsHeaders(@Headers('origin') _origin: string): PreparedResult {
    return nothing;
  }

  @Get()
  @Prepared()
  readsBody(@Body() _body: object): PreparedResult {
    return nothing;
  }

  @Get()
  @Prepared()
  readsRequest(@Req() _request: object): PreparedResult {
    return nothing;
  }

  @Get()
  @Prepared()
  @UseGuards(guard)
  isGuarded(): PreparedResult {
    return nothing;
  }

  @Get()
  @Prepared()
  @Header('x-own', 'yes')
  setsHeader(): PreparedResult {
    return nothing;
  }
}

const route = (method: keyof Routes, url = '/x'): PreparedRoute => {
  const declaration: PreparedDeclaration = { controller: Routes, method, query: { coins: /^[A-Z,]{1,20}$/ } };
  return new PreparedRoute(url, method.startsWith('reads') ? { ...declaration, query: undefined } : declaration);
};

describe('a prepared route', () => {
  it.each([
    'readsQuery',
    'readsOneQueryMember',
    'readsHeaders',
    'readsBody',
    'readsRequest',
    'isGuarded',
    'setsHeader',
  ] as const)('keeps the process from starting when its method %s', (method) => {
    expect(() => route(method)).toThrow(/^Routes\.\w+ is @Prepared\(\): it/);
  });

  it('finds the arguments of its method in plain addresses', () => {
    const { argumentsOf } = {
      argumentsOf: (url: string) => route('declared', '/v0/:exchange/tickers').argumentsOf(url),
    };
    expect(argumentsOf('/v0/kraken/tickers')).toEqual([{}, 'kraken']);
    expect(argumentsOf('/v0/kraken/tickers?coins=BTC,ETH')).toEqual([{ coins: 'BTC,ETH' }, 'kraken']);
  });

  it.each([
    '/v0/kraken/tickers/',
    '/v0//tickers',
    '/v0/kra%6Ben/tickers',
    '/v0/a/b/tickers',
    '/v0/kraken/tickers?',
    '/v0/kraken/tickers?coins=',
    '/v0/kraken/tickers?coins=BTC&coins=ETH',
    '/v0/kraken/tickers?coins=BTC%2CETH',
    '/v0/kraken/tickers?coins=btc',
    '/v0/kraken/tickers?coins=BTC=',
    '/v0/kraken/tickers?coins=BTC?coins=ETH',
    '/v0/kraken/tickers?other=1',
    '/v0/kraken/tickers?constructor=1',
    '/V0/kraken/tickers',
  ])('finds no arguments in the unusual address %s, so Fastify and Nest handle the request', (url) => {
    expect(route('declared', '/v0/:exchange/tickers').argumentsOf(url)).toBeNull();
  });
});
