import { Controller, Get, Header, HttpCode, Options, Param, Query, Res } from '@nestjs/common';
import {
  ApiExcludeEndpoint,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Public } from '#access';
import { tickerExchanges } from '#exchange';
import { ApiErrors, KeepsCache, prepareReply, type PreparedBody } from '#platform/http';
import { HasLoad } from '#platform/load';
import { TickersQuery, TickersResponse } from './market.dto.js';
import { TickerResponses } from './ticker-responses.js';

const text = (description: string) => ({ description, schema: { type: 'string' as const } });
const CACHE_HEADERS = {
  etag: text('Changes with the body and with its encoding. Send it back as `If-None-Match`.'),
  'cache-control': text('`public`, with `max-age`: the seconds until the next refresh.'),
};

@ApiTags('Market')
@Controller('v0/market')
export class MarketController {
  constructor(private readonly responses: TickerResponses) {}

  @Get(':exchange/tickers')
  @HasLoad('public')
  @Public({ limit: { name: 'tickers', perMinute: 'TICKERS_RATE_PER_MINUTE' }, anyOrigin: true })
  @KeepsCache('never-asks')
  @ApiOperation({
    operationId: 'getTickers',
    summary: 'Read US dollar prices',
    description:
      'Returns the latest prices of an exchange. By default they are refreshed about every 30 seconds, and prices older than 5 minutes are not served. ' +
      'No credentials are needed, pages of any origin may send the request, and each IP address has a rate limit. The response is compressed on request. It is 304 if `If-None-Match` still matches.',
  })
  @ApiParam({ name: 'exchange', description: 'Exchange identifier.', enum: tickerExchanges })
  @ApiHeader({
    name: 'if-none-match',
    required: false,
    description: 'The `etag` of the response that the caller has stored.',
  })
  @ApiOkResponse({ type: TickersResponse, description: 'Prices by asset symbol.', headers: CACHE_HEADERS })
  @ApiResponse({
    status: 304,
    description: 'Nothing has changed since the response with this `etag`; there is no body.',
    headers: CACHE_HEADERS,
  })
  @ApiErrors('GENERIC_INVALID_REQUEST', 'GENERIC_VALIDATION_ERROR', 'GENERIC_NOT_FOUND', 'GENERIC_RATE_LIMIT_EXCEEDED')
  read(
    @Param('exchange') exchange: string,
    @Query() { coins }: TickersQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): PreparedBody | undefined {
    const { response, maxAgeSeconds } = this.responses.get(exchange, coins);
    return prepareReply(reply, response, { cacheControl: `public, max-age=${maxAgeSeconds}` });
  }

  /** The CORS preflight request of a browser. */
  @Options(':exchange/tickers')
  @HttpCode(204)
  @Public({ anyOrigin: true })
  @Header('access-control-allow-methods', 'GET, HEAD')
  @Header('access-control-allow-headers', '*, authorization')
  @Header('access-control-max-age', '86400')
  @ApiExcludeEndpoint()
  preflight(): void {
    return;
  }
}
