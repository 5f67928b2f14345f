import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config, InvalidConfig } from '#platform/config';

/** The keyed hash under which API keys are stored: a stolen table alone lets nobody test a key. */
@Injectable()
export class ApiKeyHasher {
  private readonly pepper: Buffer;

  /** @throws InvalidConfig when API_KEY_PEPPER is not set: the process does not start. */
  constructor({ values }: Config) {
    if (values.API_KEY_PEPPER === undefined) throw new InvalidConfig(['API_KEY_PEPPER: must be set']);
    this.pepper = Buffer.from(values.API_KEY_PEPPER, 'base64');
  }

  hash(key: string): Buffer {
    return createHmac('sha256', this.pepper).update(key).digest();
  }
}
