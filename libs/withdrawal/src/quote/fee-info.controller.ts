import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { accessErrors, CurrentProject, RequireScope, WalletHeader, type ProjectContext } from '#access';
import { ApiErrors } from '#platform/http';
import { accountErrors } from '#wallet';
import { GetFeeInfo } from './fee-info.js';
import { FeeInfoQuery, FeeInfoResponse, toFeeInfoResponse, toFeeQuestion } from './fee-info.dto.js';

@ApiTags('Withdrawals')
@Controller('v0/wallet/info')
export class FeeInfoController {
  constructor(private readonly getFeeInfo: GetFeeInfo) {}

  @Get('fee')
  @RequireScope('read')
  @ApiOperation({
    operationId: 'getWithdrawalFees',
    summary: 'Read withdrawal fees',
    description:
      'Fees, smallest and largest amounts of one asset for this account, without a quote. Only the figures of a quote are binding.',
  })
  @ApiOkResponse({ type: FeeInfoResponse, description: 'Fees by network.' })
  @ApiErrors(
    ...accessErrors,
    ...accountErrors,
    'INFO_ASSET_REQUIRED',
    'INFO_FEE_EXCHANGE_NOT_SUPPORTED',
    'GENERIC_NOT_FOUND',
    'WALLET_NOT_FOUND',
    'WALLET_INVALID_CREDENTIALS',
    'WITHDRAWAL_NETWORK_NOT_SUPPORTED',
  )
  async read(
    @CurrentProject() project: ProjectContext,
    @WalletHeader() externalWalletId: string,
    @Query() query: FeeInfoQuery,
  ): Promise<FeeInfoResponse> {
    return toFeeInfoResponse(await this.getFeeInfo.execute(project, externalWalletId, toFeeQuestion(query)));
  }
}
