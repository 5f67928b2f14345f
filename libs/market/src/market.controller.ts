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
import { ApiErrors, KeepsCache, sendPrepared } from '#platform/http';
import { HasLoad } from '#platform/load';
import { TickersQuery, TickersResponse } from './market.dto.js';
import { TickerAnswers } from './ticker-answers.js';

const text = (description: string) => ({ description, schema: { type: 'string' as const } });
const CACHE_HEADERS = {
  etag: text('Changes with the answer and with its encoding; for `If-None-Match`.'),
  'cache-control': text('`public`, and for how many seconds: until the next refresh.'),
};

@ApiTags('Market')
@Controller('v0/market')
export class MarketController {
  constructor(private readonly answers: TickerAnswers) {}

  @Get(':exchange/tickers')
  @HasLoad('public')
  @Public({ limit: { name: 'tickers', perMinute: 'TICKERS_RATE_PER_MINUTE' }, anyOrigin: true })
  @KeepsCache('never-asks')
  @ApiOperation({
    summary: 'Read US dollar prices',
    description:
      'The prices of an exchange as of its last answer, read about every 30 seconds; what is older than 5 minutes is not served. ' +
      'Public: no credentials, any origin, a limit for each address. Compressed on request, and 304 for an `If-None-Match` that is still right.',
  })
  @ApiParam({ name: 'exchange', description: 'Exchange identifier.', enum: tickerExchanges, example: 'kraken' })
  @ApiHeader({ name: 'if-none-match', required: false, description: '`etag` of an answer that the caller has.' })
  @ApiOkResponse({ type: TickersResponse, description: 'Prices by asset symbol.', headers: CACHE_HEADERS })
  @ApiResponse({ status: 304, description: 'Nothing has changed; no body.', headers: CACHE_HEADERS })
  @ApiErrors('GENERIC_INVALID_REQUEST', 'GENERIC_NOT_FOUND', 'GENERIC_RATE_LIMIT_EXCEEDED')
  async read(
    @Param('exchange') exchange: string,
    @Query() { coins }: TickersQuery,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { answer, maxAgeSeconds } = this.answers.get(exchange, coins);
    await sendPrepared(reply, answer, { cacheControl: `public, max-age=${maxAgeSeconds}` });
  }

  /** What a browser asks before it lets a page send headers of its own. */
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
