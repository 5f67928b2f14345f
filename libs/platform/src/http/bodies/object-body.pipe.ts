import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { ValidationFailed } from '#platform/errors';

/** Refuses JSON that is not an object, because validation treats null as an empty object and checks arrays by item. */
@Injectable()
export class RefuseOtherThanObjects implements PipeTransform {
  transform(value: unknown, { type }: ArgumentMetadata): unknown {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (type !== 'body' || value === undefined || isObject) return value;
    throw new ValidationFailed([{ field: 'body', message: 'body must be a JSON object' }]);
  }
}
