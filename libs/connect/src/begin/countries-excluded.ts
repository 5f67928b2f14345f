import { Injectable } from '@nestjs/common';
import { Exchanges } from '#exchange';
import { Config } from '#platform/config';
import { readExclusions } from './country.js';

/** The countries in which each exchange is not offered. They are read when the process starts. */
@Injectable()
export class CountriesExcluded {
  private readonly byExchange: Map<string, string[]>;

  /** @throws InvalidConfig for an entry with an unknown exchange or country */
  constructor({ values }: Config, exchanges: Exchanges) {
    const ids = exchanges.specs().map(({ id }) => id);
    this.byExchange = readExclusions(values.CONNECT_COUNTRIES_EXCLUDED, ids);
  }

  of(exchange: string): string[] {
    return this.byExchange.get(exchange) ?? [];
  }
}
