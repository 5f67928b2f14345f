import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { errorCodes } from '#platform/errors';

/**
 * The facts of an error in the form of RFC 9457, for callers that accept `application/problem+json`. The default form
 * has a schema for each code, which the build of the OpenAPI document generates from the registry.
 */
export class ProblemResponse {
  @ApiProperty({ description: 'URI reference of the code’s documentation.', example: '/docs/errors#WALLET_NOT_FOUND' })
  type: string;

  @ApiProperty({ description: 'Error code; also in `code`.', example: 'WALLET_NOT_FOUND' })
  title: string;

  @ApiProperty({ description: 'HTTP status.', type: 'integer', example: 404 })
  status: number;

  @ApiProperty({ description: 'What went wrong, for people; the same as `error`.', example: 'Wallet not found' })
  detail: string;

  @ApiProperty({ description: 'Error code.', enum: Object.keys(errorCodes), example: 'WALLET_NOT_FOUND' })
  code: string;

  @ApiProperty({ description: 'The same as `detail`.', example: 'Wallet not found' })
  error: string;

  @ApiProperty({ description: 'The `x-request-id` of this request, which its log lines contain.' })
  requestId: string;

  @ApiPropertyOptional({
    description: 'Details of the error, as in the default form.',
    type: 'object',
    additionalProperties: true,
  })
  result?: Record<string, unknown>;

  @ApiPropertyOptional({
    description: 'The scopes that the key lacks, for APIKEY_INSUFFICIENT_PERMISSIONS.',
    type: [String],
  })
  missing?: string[];

  @ApiPropertyOptional({
    description: 'The ids of the supported exchanges, when the request names an exchange that is not supported.',
    type: [String],
  })
  supportedExchanges?: string[];
}
