import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { ValidationFailed } from '#platform/errors';

export type JsonObject = Record<string, unknown>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Refuses JSON that is not an object, because validation treats null as an empty object and checks arrays by item. */
@Injectable()
export class RefuseOtherThanObjects implements PipeTransform {
  transform(value: unknown, { type }: ArgumentMetadata): unknown {
    if (type !== 'body' || value === undefined || isJsonObject(value)) return value;
    throw new ValidationFailed([{ field: 'body', message: 'body must be a JSON object' }]);
  }
}
