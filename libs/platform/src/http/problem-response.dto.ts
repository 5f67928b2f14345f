import { ApiProperty, OmitType } from '@nestjs/swagger';
import { ErrorResponse } from './error-response.dto.js';

/** The content of `ErrorResponse` in the format of RFC 9457, for callers that accept `application/problem+json`. */
export class ProblemResponse extends OmitType(ErrorResponse, ['type'] as const) {
  @ApiProperty({ description: 'URI reference of the code’s documentation.', example: '/docs/errors#WALLET_NOT_FOUND' })
  type: string;

  @ApiProperty({ description: 'Error code; also in `code`.', example: 'WALLET_NOT_FOUND' })
  title: string;

  @ApiProperty({ description: 'HTTP status.', type: 'integer', example: 404 })
  status: number;

  @ApiProperty({ description: 'What went wrong, for people; the same as `error`.', example: 'Wallet not found' })
  detail: string;

  @ApiProperty({ description: 'Error code.', example: 'WALLET_NOT_FOUND' })
  code: string;
}
