import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import {
  API_KEY_HEADER,
  CurrentProject,
  ORGANIZATION_HEADER,
  OptionalWalletHeader,
  PROJECT_HEADER,
  RequireScope,
  WALLET_HEADER,
  accessErrors,
  type ProjectContext,
} from '#access';
import { Clock } from '#platform/clock';
import {
  ApiErrors,
  KeepsCache,
  RequestCache,
  prepareReply,
  setAge,
  type CacheDirectives,
  type PreparedBody,
} from '#platform/http';
import { filterOf } from './catalogue-view.js';
import { TradableAssetsQuery, TradableAssetsResponse } from './catalogue.dto.js';
import { FindTradableAssets } from './find-tradable-assets.js';

const text = (description: string) => ({ description, schema: { type: 'string' as const } });
const CACHE_HEADERS = {
  etag: text(
    'Changes when assets, routes or the encoding change, but not when only `source.fetchedAt` changes. Send it back as `If-None-Match`.',
  ),
  'cache-control': text(
    '`private`, with `max-age`: the seconds from one refresh to the next. The header `age` states how many of them have passed.',
  ),
};
/** The headers that identify the caller, and so the exchange. */
const VARY = [API_KEY_HEADER, ORGANIZATION_HEADER, PROJECT_HEADER, WALLET_HEADER];

@ApiTags('Trading')
@Controller('v0/wallet/trade')
export class CatalogueController {
  constructor(
    private readonly findTradableAssets: FindTradableAssets,
    private readonly clock: Clock,
  ) {}

  @Get('tradable-assets')
  @RequireScope('read')
  @KeepsCache()
  @ApiOperation({
    operationId: 'getTradableAssets',
    summary: 'List tradable assets',
    description:
      'Lists the routes of the exchange of a wallet, or of `exchange`, with their rules for orders. For a test project they are those of the sandbox exchange. ' +
      'By default the stored catalogue is refreshed every 10 minutes, and a catalogue that is older than an hour is first read again; if the exchange cannot be reached, the stored catalogue is returned (its age is in the header `age`). ' +
      'The response is compressed on request. It is 304 if `If-None-Match` still matches.',
  })
  @ApiHeader({
    name: 'if-none-match',
    required: false,
    description: 'The `etag` of a response that the caller has stored.',
  })
  @ApiOkResponse({ type: TradableAssetsResponse, description: 'The catalogue.', headers: CACHE_HEADERS })
  @ApiResponse({
    status: 304,
    description: 'Nothing has changed since the response with this `etag`; there is no body.',
    headers: CACHE_HEADERS,
  })
  @ApiErrors(...accessErrors, 'GENERIC_VALIDATION_ERROR', 'WALLET_NOT_FOUND', 'TRADING_DATA_UNAVAILABLE')
  async list(
    @CurrentProject() project: ProjectContext,
    @OptionalWalletHeader() externalWalletId: string | null,
    @Query() query: TradableAssetsQuery,
    @RequestCache() cache: CacheDirectives,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PreparedBody | undefined> {
    const filter = filterOf([query.source, query.sources], [query.destination, query.destinations]);
    const choice = { externalWalletId, exchange: query.exchange };
    const { answer, fetchedAt, maxAgeSeconds } = await this.findTradableAssets.execute(project, choice, filter, cache);
    setAge(reply, fetchedAt, this.clock.now());
    return prepareReply(reply, answer, { cacheControl: `private, max-age=${maxAgeSeconds}`, vary: VARY });
  }
}
