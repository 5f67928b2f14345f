import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config, InvalidConfig } from '#platform/config';

/**
 * Computes the keyed hash under which API keys are stored. A stolen table alone does not allow an attacker to test
 * keys.
 */
@Injectable()
export class ApiKeyHasher {
  private readonly pepper: Buffer;

  /** @throws InvalidConfig without API_KEY_PEPPER, so that the process does not start */
  constructor({ values }: Config) {
    if (values.API_KEY_PEPPER === undefined) throw new InvalidConfig(['API_KEY_PEPPER: must be set']);
    this.pepper = Buffer.from(values.API_KEY_PEPPER, 'base64');
  }

  hash(key: string): Buffer {
    return createHmac('sha256', this.pepper).update(key).digest();
  }
}
