import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { VerificationMethod, VerificationStep } from '#exchange';

const methods: VerificationMethod[] = ['GOOGLE', 'EMAIL', 'SMS', 'FACE', 'YUBIKEY', 'PASSPHRASE'];

class VerificationStepResponse {
  @ApiProperty({
    description:
      'GOOGLE: authenticator code in `twofa`; EMAIL: `emailCode`; SMS: `smsCode`; FACE: in the app of the exchange, without a code.',
    enum: methods,
  })
  type: VerificationMethod;

  @ApiProperty({
    description: '`failure`: the last code was wrong; another one may be given.',
    enum: ['pending', 'success', 'failure'],
  })
  status: VerificationStep['status'];

  @ApiProperty({ description: 'false: one of several that suffice.' })
  required: boolean;

  @ApiPropertyOptional({
    description:
      'What helps the person: `email` (masked) and `emailSent`, `phone` (masked) and `smsSent`. `collected`: the code was taken in and goes to the exchange together with the missing ones; only then it is known to be right.',
    type: 'object',
    additionalProperties: { oneOf: [{ type: 'string' }, { type: 'boolean' }] },
  })
  metadata?: Record<string, string | boolean>;
}

class CodeAttemptResponse {
  @ApiProperty({ description: 'Which step.', enum: methods })
  method: VerificationMethod;

  @ApiProperty({ description: 'What the exchange said.', enum: ['success', 'failure'] })
  status: 'success' | 'failure';

  @ApiProperty({ description: 'When, in epoch milliseconds.', type: 'integer' })
  createdAt: number;

  @ApiProperty({ description: 'The same as `status`.' })
  success: boolean;
}

class VerifiedMethodsResponse {
  @ApiProperty({ description: 'The same as `bizNo` above.' })
  bizNo: string;

  @ApiProperty({
    description: 'By method: true = done, false = the last code was wrong, absent = not tried. This is what counts.',
    type: 'object',
    additionalProperties: { type: 'boolean' },
    example: { GOOGLE: true },
  })
  verified: Partial<Record<VerificationMethod, boolean>>;

  @ApiProperty({
    description: 'Codes that the exchange has looked at, oldest first; the newest 50.',
    type: [CodeAttemptResponse],
  })
  attempts: CodeAttemptResponse[];
}

export class VerificationReportResponse {
  @ApiProperty({ description: 'Business number of the verification: echo it in the body of Execute.' })
  bizNo: string;

  @ApiProperty({ description: 'What the exchange wants verified.', type: [VerificationStepResponse] })
  steps: VerificationStepResponse[];

  @ApiProperty({ description: 'AND: every required step; OR: any one of them.', enum: ['AND', 'OR'] })
  relation: 'AND' | 'OR';

  @ApiProperty({ description: 'What was verified so far.', type: () => VerifiedMethodsResponse })
  mfa: VerifiedMethodsResponse;
}
