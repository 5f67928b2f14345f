import { Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { PublicTerms } from '#platform/http';
import { ACCESS_RULE, type AccessRule, type PublicOptions } from './access-rule.decorators.js';
import { ANY_ORIGIN } from './any-origin.js';
import { RequestRates, type RateHeaders } from './request-rates.js';

/** The access rule of a prepared route is not `@Public()`. */
class PreparedRouteNotPublic extends Error {
  constructor() {
    super('A @Prepared() route must be @Public()');
  }
}

/** Returns the headers and the limit of a public route, for responses that are served without the access guard. */
@Injectable()
export class PublicRoutes {
  constructor(
    private readonly reflector: Reflector,
    private readonly rates: RequestRates,
  ) {}

  /** @throws PreparedRouteNotPublic when `handler` is not `@Public()` */
  termsOf(handler: object): PublicTerms {
    const rule = this.reflector.get<AccessRule | undefined>(ACCESS_RULE, handler as () => unknown);
    if (rule?.kind !== 'public') throw new PreparedRouteNotPublic();
    const { limit, anyOrigin } = rule;
    return {
      headers: anyOrigin === true ? ANY_ORIGIN : {},
      count: limit === undefined ? null : (ip) => this.headersOf(limit, ip),
    };
  }

  private headersOf(limit: NonNullable<PublicOptions['limit']>, ip: string): RateHeaders | null {
    const { isAdmitted, headers } = this.rates.publicRate(limit, ip);
    return isAdmitted ? headers : null;
  }
}
