import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { errorCodes } from '#platform/errors';

/** The body of every response with a status of 400 or more. */
export class ErrorResponse {
  @ApiProperty({ description: 'What went wrong, for people. Parse `type`, not this.', example: 'Wallet not found' })
  error: string;

  @ApiProperty({ description: 'Error code.', enum: Object.keys(errorCodes), example: 'WALLET_NOT_FOUND' })
  type: string;

  @ApiProperty({ description: 'The `x-request-id` of this request, which is also in its log lines.' })
  requestId: string;

  @ApiPropertyOptional({
    description:
      'Further data of the code, such as invalid fields, the verification report or the recorded transaction.',
    type: 'object',
    additionalProperties: true,
  })
  result?: Record<string, unknown>;

  @ApiPropertyOptional({
    description: 'APIKEY_INSUFFICIENT_PERMISSIONS: the scopes that the key lacks.',
    type: [String],
  })
  missing?: string[];

  @ApiPropertyOptional({ description: 'Unsupported exchange: the identifiers that are supported.', type: [String] })
  supportedExchanges?: string[];
}
