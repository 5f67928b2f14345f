import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';

/** Documents a field of a request or response. */
export function ApiField(description: string, options?: ApiPropertyOptions): PropertyDecorator {
  return ApiProperty({ description, ...options });
}

/** Documents a field that may be absent. */
export function ApiOptionalField(description: string, options?: ApiPropertyOptions): PropertyDecorator {
  return ApiPropertyOptional({ description, ...options });
}

/** Documents a time of a response, which may be null. */
export function ApiTimeOrNull(description: string): PropertyDecorator {
  return ApiField(description, { type: String, format: 'date-time', nullable: true });
}
