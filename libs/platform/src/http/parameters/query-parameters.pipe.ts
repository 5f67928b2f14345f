import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { ValidationFailed } from '#platform/errors';

/**
 * Maximum number of parameters of a query. The routes of the interface have at most a dozen. Validation takes CPU time
 * for each parameter, also for unknown ones.
 */
const PARAMETERS_MAX = 100;

/**
 * Refuses a query with too many parameters, and a query parameter that is sent twice, because different readers would
 * use different values.
 */
@Injectable()
export class CheckQueryParameters implements PipeTransform {
  transform(value: unknown, { type }: ArgumentMetadata): unknown {
    if (type !== 'query' || typeof value !== 'object' || value === null) return value;
    const parameters = Object.entries(value);
    if (parameters.length > PARAMETERS_MAX) {
      const message = `query must have at most ${PARAMETERS_MAX} parameters`;
      throw new ValidationFailed([{ field: 'query', message }]);
    }
    const repeated = parameters.filter(([, given]) => Array.isArray(given));
    if (repeated.length > 0) {
      throw new ValidationFailed(repeated.map(([field]) => ({ field, message: `${field} must be sent once` })));
    }
    return value;
  }
}
