import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsBoolean, IsOptional, IsString, Matches, MaxLength, ValidateNested } from 'class-validator';
import type { VerificationCodes } from '#exchange';
import { Secret } from '#platform/crypto';
import type { ExecutionAnswer } from './execute-quote.js';
import { TAG_PATTERN } from '../quote/quote.dto.js';

/** Passphrases have spaces and signs. An empty text and null count as not sent: clients send them for empty fields. */
const CODE = /^[\x20-\x7e]{0,128}$/;

/** `ExactExecutionGuard` refuses everything else under `params`. */
export class ExecuteParams {
  @IsOptional()
  @IsBoolean()
  dryRun?: boolean;
}

export class ExecuteRequest {
  @ApiPropertyOptional({
    description:
      'Authenticator (TOTP) code, or the code of a hardware key or the passphrase, where the exchange asks for it.',
    type: 'string',
    nullable: true,
    example: '123456',
  })
  @IsOptional()
  @IsString()
  @Matches(CODE)
  twofa?: string | null;

  @ApiPropertyOptional({
    description: 'Code that the exchange sent by e-mail.',
    type: 'string',
    nullable: true,
    example: '482913',
  })
  @IsOptional()
  @IsString()
  @Matches(CODE)
  emailCode?: string | null;

  @ApiPropertyOptional({
    description: 'Code that the exchange sent by SMS.',
    type: 'string',
    nullable: true,
    example: '482913',
  })
  @IsOptional()
  @IsString()
  @Matches(CODE)
  smsCode?: string | null;

  @ApiPropertyOptional({
    description: 'Business number of the multi-step verification report, echoed.',
    type: 'string',
    nullable: true,
    maxLength: 128,
  })
  @IsOptional()
  @IsString()
  @MaxLength(128)
  bizNo?: string | null;

  @ApiPropertyOptional({
    description:
      'Address tag or memo: fills in one that the quote left out. One that differs from the quote’s is refused. Where one has been used with the address since the quote left it out, it is needed here; null says that none is meant.',
    type: 'string',
    nullable: true,
    pattern: TAG_PATTERN.source,
  })
  @IsOptional()
  @Matches(TAG_PATTERN, { message: 'tag must be 1 to 256 printable ASCII characters without a space at either end' })
  @IsString()
  tag?: string | null;

  @ApiPropertyOptional({
    description: 'Options of the execution. Everything that is not exactly this object is refused.',
    type: 'object',
    properties: {
      dryRun: {
        description:
          'true: runs every check and moves nothing; answers WITHDRAWAL_DRY_RUN_COMPLETE when nothing is missing.',
        type: 'boolean',
        default: false,
      },
    },
    additionalProperties: false,
  })
  @IsOptional()
  @ValidateNested()
  @Type(() => ExecuteParams)
  params?: ExecuteParams;
}

export class ExecutionResult {
  @ApiProperty({ description: 'Our withdrawal id (UUIDv7).' })
  id: string;

  @ApiProperty({ description: 'Our transaction id; readable at once at `GET /v0/wallet/transaction/{transactionId}`.' })
  transactionId: string;

  @ApiProperty({
    description: 'Always `pending`: follow the transaction, it ends `ok`, `failed` or `canceled`.',
    enum: ['pending'],
    example: 'pending',
  })
  status: 'pending';
}

export class ExecutionResponse {
  @ApiProperty({
    description:
      'true: the exchange accepted the withdrawal, or may have: an unknown outcome is answered the same and settled later.',
    example: true,
  })
  success: boolean;

  @ApiProperty({ description: 'The same at every repeat of this call.', type: () => ExecutionResult })
  result: ExecutionResult;
}

export function toCodes({ twofa, emailCode, smsCode }: ExecuteRequest): VerificationCodes {
  const secret = (code: string | null | undefined): Secret | undefined => (code ? new Secret(code) : undefined);
  return { twofa: secret(twofa), emailCode: secret(emailCode), smsCode: secret(smsCode) };
}

export function toExecutionResponse({ id, transactionId }: ExecutionAnswer): ExecutionResponse {
  return { success: true, result: { id, transactionId, status: 'pending' } };
}
