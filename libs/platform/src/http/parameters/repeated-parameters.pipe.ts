import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { ValidationFailed } from '#platform/errors';

/** Refuses a query parameter that is sent twice, because different readers would use different values. */
@Injectable()
export class RefuseRepeatedParameters implements PipeTransform {
  transform(value: unknown, { type }: ArgumentMetadata): unknown {
    if (type !== 'query' || typeof value !== 'object' || value === null) return value;
    const repeated = Object.entries(value).filter(([, given]) => Array.isArray(given));
    if (repeated.length > 0) {
      throw new ValidationFailed(repeated.map(([field]) => ({ field, message: `${field} must be sent once` })));
    }
    return value;
  }
}
