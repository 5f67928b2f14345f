import { Controller, Get, HttpStatus, Inject, Param, Query, Req, Res, UseFilters } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { CurrentCaller, Public, RequireScopeOrKeyless, WalletHeader, accessErrors, type Caller } from '#access';
import { Authorizations, Exchanges } from '#exchange';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { logFailedWork } from '#platform/errors';
import { ApiErrors, PreparedResponse, prepareReply, type PreparedBody } from '#platform/http';
import { HasLoad } from '#platform/load';
import { LOGGER, type Logger } from '#platform/logging';
import { accountErrors } from '#wallet';
import { PageErrorFilter } from '../page/page-error.filter.js';
import { pageLimit } from '../page/page-limits.js';
import { RegisteredPageGuard } from '../projects/registered-page.guard.js';
import { BeginSession } from '../begin/begin-session.js';
import { FinishOAuth } from '../methods/finish-oauth.js';
import {
  ConnectExchangeParam,
  ConnectExchangesResponse,
  ConnectUrlQuery,
  ConnectUrlResponse,
  type ConnectExchange,
} from './oauth2.dto.js';
import { PublicAddress } from '../session/public-address.js';

const keyless = {
  guard: RegisteredPageGuard,
  limit: { name: 'connect_keyless', perMinute: 'CONNECT_KEYLESS_PER_MINUTE' },
} as const;

interface LinkRequest {
  /** null = the person chooses an exchange on the page. */
  exchange: string | null;
  externalWalletId: string;
  query: ConnectUrlQuery;
  request: FastifyRequest;
}

const linkErrors = ['GENERIC_INVALID_REQUEST', '409 GENERIC_INVALID_REQUEST', 'OAUTH_COUNTRY_CODE_INVALID'] as const;

/** Time after which a browser that waits for the exchange gets a page that shows the progress. */
const CONNECTING_PAGE_AFTER_MS = 2_000;

@ApiTags('Connecting')
@Controller('v0/oauth2')
export class OAuth2Controller {
  private exchangeList: PreparedResponse | null = null;

  constructor(
    private readonly config: Config,
    private readonly exchanges: Exchanges,
    private readonly authorizations: Authorizations,
    private readonly address: PublicAddress,
    private readonly beginSession: BeginSession,
    private readonly finishOAuth: FinishOAuth,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Get('exchanges')
  @HasLoad('public')
  @Public({ ...pageLimit, anyOrigin: true })
  @ApiOperation({
    operationId: 'listExchanges',
    summary: 'List exchanges',
    description: 'The exchanges at which accounts can be connected, in the order in which they should be shown.',
  })
  @ApiOkResponse({ type: ConnectExchangesResponse })
  @ApiErrors('GENERIC_RATE_LIMIT_EXCEEDED')
  list(@Res({ passthrough: true }) reply: FastifyReply): PreparedBody | undefined {
    // The list depends only on the settings, so it is made once.
    this.exchangeList ??= PreparedResponse.json(this.describeExchanges());
    return prepareReply(reply, this.exchangeList, { cacheControl: 'no-cache' });
  }

  @Get('url')
  @RequireScopeOrKeyless('connect', keyless)
  @ApiOperation({
    operationId: 'createConnectUrlWithoutExchange',
    summary: 'Begin to connect, with a choice of the exchange',
    description:
      'Creates a link to the hosted page, on which the person first chooses the exchange from a list. The list contains the exchanges that the project allows (`exchanges` of `PUT /v0/admin/projects/{id}/connect`) and that offer the requested access and connect method in the country. If the wallet is connected already, only its exchange is listed. Everything else is as in `GET /v0/oauth2/{exchange}/url`.',
  })
  @ApiOkResponse({ type: ConnectUrlResponse })
  @ApiErrors(...accessErrors, ...linkErrors)
  async beginWithChoice(
    @CurrentCaller() caller: Caller,
    @WalletHeader() externalWalletId: string,
    @Query() query: ConnectUrlQuery,
    @Req() request: FastifyRequest,
  ): Promise<ConnectUrlResponse> {
    return await this.beginWith(caller, { exchange: null, externalWalletId, query, request });
  }

  @Get(':exchange/url')
  @RequireScopeOrKeyless('connect', keyless)
  @ApiOperation({
    operationId: 'createConnectUrl',
    summary: 'Begin to connect',
    description:
      'Creates a link to the hosted page, on which a person connects their account: at the exchange, with its app, or with their own API key. The session belongs to the first browser that takes a step there. The outcome is published on the topic `idem`.\n\nIf the request has an API key, the wallet may be connected already: then its credentials are replaced, and it keeps its ids and its history. A page in a browser may send the request without an API key, if the project allows that (`PUT /v0/admin/projects/{id}/connect`). Such a request names organization and project, and can connect only a new wallet.',
  })
  @ApiOkResponse({ type: ConnectUrlResponse })
  @ApiErrors(...accessErrors, ...linkErrors, 'OAUTH_COUNTRY_NOT_DETECTED', 'OAUTH_COUNTRY_NOT_SUPPORTED')
  async begin(
    @CurrentCaller() caller: Caller,
    @WalletHeader() externalWalletId: string,
    @Param() { exchange }: ConnectExchangeParam,
    @Query() query: ConnectUrlQuery,
    @Req() request: FastifyRequest,
  ): Promise<ConnectUrlResponse> {
    return await this.beginWith(caller, { exchange, externalWalletId, query, request });
  }

  @Get(':exchange/callback')
  @Public(pageLimit)
  @UseFilters(PageErrorFilter)
  @ApiOperation({
    operationId: 'finishAuthorization',
    summary: 'Come back from an exchange',
    description:
      'The address to which exchanges send people back; applications do not call it. After a success or a failure, a browser is redirected to the page of the connect session. A client that does not accept HTML gets the error.',
  })
  @ApiHeader({
    name: 'cookie',
    required: false,
    description: 'The cookie of the browser that the page has redirected to the exchange.',
  })
  @ApiResponse({ status: HttpStatus.SEE_OTHER, description: 'Redirect to the page of the connect session.' })
  @ApiErrors(
    'GENERIC_RATE_LIMIT_EXCEEDED',
    'OAUTH_INVALID_STATE',
    'OAUTH_AUTHORIZATION_FAILED',
    'OAUTH_TOKEN_EXCHANGE_FAILED',
    'OAUTH_INSUFFICIENT_SCOPE',
    'GENERIC_INVALID_REQUEST',
    '409 GENERIC_INVALID_REQUEST',
    'WALLET_INVALID_CREDENTIALS',
    ...accountErrors,
  )
  async callback(
    @Param() { exchange }: ConnectExchangeParam,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    // The address contains a code and the response leads to a session, so neither may be cached or sent as a referrer.
    // The opener policy keeps a popup connected to its opener, which waits for a message; any other policy would
    // separate them.
    void reply.headers({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'unsafe-none',
    });
    const parameters = new URL(request.url, this.address.origin).searchParams;
    const { token, outcome } = await this.finishOAuth.execute(exchange, parameters, {
      cookieHeader: request.headers.cookie,
      address: request.ip,
    });
    const wantsPage = new Negotiator(request).mediaType(['application/json', 'text/html']) === 'text/html';
    if (wantsPage) {
      // A failure on our side after the redirect is logged here. The page of the session shows it to the person.
      outcome.catch((error: unknown) => logFailedWork(this.logger, error, 'a connect failed', { exchange }));
      await Promise.race([outcome, this.clock.sleep(CONNECTING_PAGE_AFTER_MS)]);
    } else {
      const error = await outcome;
      if (error !== null) throw error;
    }
    await reply
      .status(HttpStatus.SEE_OTHER)
      .header('location', this.address.url(`/connect/${token}`))
      .send();
  }

  private async beginWith(
    caller: Caller,
    { exchange, externalWalletId, query, request }: LinkRequest,
  ): Promise<ConnectUrlResponse> {
    const begun = await this.beginSession.execute(caller, {
      exchange,
      externalWalletId,
      idem: query.idem,
      access: query.access ?? null,
      method: query.way ?? null,
      country: query.country ?? null,
      detectedCountry: this.detectedCountry(request),
      returnUrl: query.returnUrl ?? null,
      openerOrigin: query.origin ?? null,
    });
    const { idem, url, isQrCode, expiresAt } = begun;
    return { url, success: true, isQRCode: isQrCode, idem, expiresAt: expiresAt.getTime() };
  }

  /**
   * Returns the country that the CDN reports. Any client can send this header, so it counts only behind a trusted
   * proxy.
   */
  private detectedCountry({ headers }: FastifyRequest): string | null {
    const { TRUST_PROXY, CONNECT_COUNTRY_HEADER: name } = this.config.values;
    const value = TRUST_PROXY && name !== undefined ? headers[name.toLowerCase()] : undefined;
    return typeof value === 'string' ? value : null;
  }

  private describeExchanges(): ConnectExchangesResponse {
    const hasSandbox = this.config.values.SANDBOX_URL !== undefined;
    const shown = this.exchanges.specs().filter(({ sandboxOnly }) => hasSandbox || !sandboxOnly);
    const exchanges = shown.map(({ id, name, sandboxOnly }): ConnectExchange => {
      const methods = this.authorizations.connectMethods({ exchange: id, mode: sandboxOnly ? 'test' : 'live' });
      const logoUrl = this.address.url(`/connect/assets/logo/${id}.svg`);
      return { id, name, logoUrl, status: methods.length > 0 ? 'live' : 'offline' };
    });
    return { success: true, exchanges };
  }
}
