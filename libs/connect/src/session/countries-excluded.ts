import { Injectable } from '@nestjs/common';
import { Exchanges } from '#exchange';
import { Config, InvalidConfig } from '#platform/config';
import { readExclusions } from './country.js';

/** From where which exchange is not offered, by the settings of this installation. Made when the process starts. */
@Injectable()
export class CountriesExcluded {
  private readonly byExchange: Map<string, string[]>;

  /** @throws InvalidConfig for settings that would exclude less than they seem to */
  constructor({ values }: Config, exchanges: Exchanges) {
    const ids = exchanges.specs().map(({ id }) => id);
    this.byExchange = readExclusions(values.CONNECT_COUNTRIES_EXCLUDED, ids);
    if (values.CONNECT_COUNTRY_HEADER !== undefined && !values.TRUST_PROXY) {
      throw new InvalidConfig(['CONNECT_COUNTRY_HEADER: needs TRUST_PROXY: anybody can send a header']);
    }
  }

  of(exchange: string): string[] {
    return this.byExchange.get(exchange) ?? [];
  }
}
