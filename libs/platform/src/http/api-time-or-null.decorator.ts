import { ApiProperty } from '@nestjs/swagger';

/** Documents a time of a response, which may be null. */
export function ApiTimeOrNull(description: string): PropertyDecorator {
  return ApiProperty({ description, type: String, format: 'date-time', nullable: true });
}
