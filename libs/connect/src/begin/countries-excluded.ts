import { Injectable } from '@nestjs/common';
import { Exchanges } from '#exchange';
import { Config } from '#platform/config';
import { readExclusions } from './country.js';

/** From where which exchange is not offered, by the settings of this installation. Made when the process starts. */
@Injectable()
export class CountriesExcluded {
  private readonly byExchange: Map<string, string[]>;

  /** @throws InvalidConfig for settings that would exclude less than they seem to */
  constructor({ values }: Config, exchanges: Exchanges) {
    const ids = exchanges.specs().map(({ id }) => id);
    this.byExchange = readExclusions(values.CONNECT_COUNTRIES_EXCLUDED, ids);
  }

  of(exchange: string): string[] {
    return this.byExchange.get(exchange) ?? [];
  }
}
