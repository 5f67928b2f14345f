import { Body, Controller, Get, HttpCode, Param, Put, Query, UseGuards } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import {
  TakesIdempotencyKey,
  accessErrors,
  CurrentProject,
  RequireScope,
  WalletHeader,
  type ProjectContext,
} from '#access';
import { ApiErrors } from '#platform/http';
import { HasLoad } from '#platform/load';
import { AutoDeleteQuery } from '../quote/auto-delete.dto.js';
import { ExactExecutionGuard } from './exact-execution.guard.js';
import { ExecuteRequest, ExecutionResponse, toCodes, toExecutionResponse } from './execute.dto.js';
import { ExecuteQuote } from './execute-quote.js';
import { GetWithdrawal } from './get-withdrawal.js';
import { toStatusResponse, WithdrawalStatusResponse } from './withdrawal-status.dto.js';

@ApiTags('Withdrawals')
@Controller('v0/wallet/withdraw')
export class WithdrawalController {
  constructor(
    private readonly executeQuote: ExecuteQuote,
    private readonly getWithdrawal: GetWithdrawal,
  ) {}

  @Get(':quoteId')
  @RequireScope('read', 'quote')
  @ApiOperation({
    operationId: 'getWithdrawal',
    summary: 'Get a quote and its withdrawal',
    description:
      'Returns the quote, its withdrawal after an execution, and the open verification, so that a reloaded page can continue. The exchange is not called.',
  })
  @ApiParam({ name: 'quoteId', description: 'Id of a withdrawal quote of this wallet.' })
  @ApiOkResponse({ type: WithdrawalStatusResponse, description: 'The quote and the state of its execution.' })
  @ApiErrors(...accessErrors, 'WALLET_NOT_FOUND', 'QUOTE_NOT_FOUND')
  async get(
    @CurrentProject() project: ProjectContext,
    @WalletHeader() externalWalletId: string,
    @Param('quoteId') quoteId: string,
  ): Promise<WithdrawalStatusResponse> {
    return toStatusResponse(await this.getWithdrawal.execute(project, externalWalletId, quoteId));
  }

  @Put(':quoteId/execute')
  @TakesIdempotencyKey({ refusalsMayChange: true })
  @HasLoad('money')
  @HttpCode(200)
  @RequireScope('read', 'quote', 'withdrawal')
  @UseGuards(ExactExecutionGuard)
  @ApiOperation({
    operationId: 'executeQuote',
    summary: 'Execute a withdrawal quote',
    description:
      'Moves money, at most once for one quote. You can repeat the call as often as you like and get the recorded result. ' +
      'When the exchange gives no definite response, the response is the same as for an accepted withdrawal, and the transaction stays `pending` until the history of the exchange settles it. A withdrawal is never reported as failed while money may have left. ' +
      'A dry run is exactly `{"params": {"dryRun": true}}`. A misspelled or misplaced `dryRun` anywhere in the body, the query or the names of headers is refused, and so are unknown members of `params` and members of the body in the query. A call without a body executes. ' +
      '`autoDeleteIfInvalid` is a parameter of the query; in the body it is ignored. ' +
      'No money has moved when the response is a WITHDRAWAL_2FA_* code. The `result` of WITHDRAWAL_2FA_REQUIRED_MULTI_STEPS and WITHDRAWAL_2FA_INCOMPLETE is a `VerificationReportResponse`.',
  })
  @ApiParam({ name: 'quoteId', description: 'Id of a withdrawal quote of this wallet.' })
  @ApiBody({ type: ExecuteRequest, required: false })
  @ApiOkResponse({ type: ExecutionResponse, description: 'The exchange has accepted the withdrawal, or may have.' })
  @ApiErrors(
    ...accessErrors,
    '409 GENERIC_INVALID_REQUEST',
    '422 GENERIC_INVALID_REQUEST',
    'WALLET_NOT_FOUND',
    'WALLET_INVALID_CREDENTIALS',
    'QUOTE_NOT_FOUND',
    'QUOTE_EXPIRED',
    'WITHDRAWAL_INSUFFICIENT_BALANCE',
    'WITHDRAWAL_INSUFFICIENT_BALANCE_FOR_FEE',
    'WITHDRAWAL_INVALID_ADDRESS',
    'WITHDRAWAL_TOO_MANY_ADDRESSES',
    'WITHDRAWAL_FUNDING_ADDRESS_CONFLICT',
    'WITHDRAWAL_NETWORK_NOT_SUPPORTED',
    'WITHDRAWAL_ASSET_NOT_SUPPORTED',
    'WITHDRAWAL_AMOUNT_BELOW_MINIMUM',
    'WITHDRAWAL_AMOUNT_ABOVE_MAXIMUM',
    'WITHDRAWAL_KYC_REQUIRED',
    'WITHDRAWAL_EMAIL_UNVERIFIED',
    'WITHDRAWAL_RATE_LIMIT_EXCEEDED',
    'WITHDRAWAL_DRY_RUN_COMPLETE',
    'WITHDRAWAL_2FA_REQUIRED_TOTP',
    'WITHDRAWAL_2FA_REQUIRED_SMS',
    'WITHDRAWAL_2FA_REQUIRED_EMAIL',
    'WITHDRAWAL_2FA_REQUIRED_FACE_RECOGNITION',
    'WITHDRAWAL_2FA_REQUIRED_YUBIKEY',
    'WITHDRAWAL_2FA_REQUIRED_PASSPHRASE',
    'WITHDRAWAL_2FA_REQUIRED_MULTI_STEPS',
    'WITHDRAWAL_2FA_INCOMPLETE',
    'WITHDRAWAL_2FA_INVALID',
    'WITHDRAWAL_2FA_METHOD_NOT_SUPPORTED',
    'WITHDRAWAL_PROVIDER_ERROR',
  )
  async execute(
    @CurrentProject() project: ProjectContext,
    @WalletHeader() externalWalletId: string,
    @Param('quoteId') quoteId: string,
    @Query() query: AutoDeleteQuery,
    @Body() body: ExecuteRequest,
  ): Promise<ExecutionResponse> {
    const answer = await this.executeQuote.execute(project, {
      quoteId,
      externalWalletId,
      tag: body.tag,
      bizNo: body.bizNo || undefined,
      codes: toCodes(body),
      dryRun: body.params?.dryRun ?? false,
      autoDeleteIfInvalid: query.autoDeleteIfInvalid,
    });
    return toExecutionResponse(answer);
  }
}
