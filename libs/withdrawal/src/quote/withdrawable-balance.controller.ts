import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { accessErrors, CurrentProject, RequireScope, WalletHeader, type ProjectContext } from '#access';
import { ApiErrors } from '#platform/http';
import { accountErrors } from '#wallet';
import { WithdrawableBalance } from './withdrawable-balance.js';
import {
  toWithdrawableBalanceResponse,
  WithdrawableBalanceQuery,
  WithdrawableBalanceResponse,
} from './withdrawable-balance.dto.js';

@ApiTags('Withdrawals')
@Controller('v0/wallet/withdraw')
export class WithdrawableBalanceController {
  constructor(private readonly withdrawableBalance: WithdrawableBalance) {}

  @Get('balance')
  @RequireScope('read')
  @ApiOperation({
    summary: 'Read what can be withdrawn',
    description:
      'The free balances of the wallet and the networks of each asset. Asks the exchange, unless stored balances are fresh enough.',
  })
  @ApiOkResponse({ type: WithdrawableBalanceResponse, description: 'Assets with a free balance.' })
  @ApiErrors(...accessErrors, ...accountErrors, 'WALLET_NOT_FOUND', 'WALLET_INVALID_CREDENTIALS')
  async read(
    @CurrentProject() project: ProjectContext,
    @WalletHeader() walletId: string,
    @Query() query: WithdrawableBalanceQuery,
  ): Promise<WithdrawableBalanceResponse> {
    const balances = await this.withdrawableBalance.execute(project, walletId, {
      refreshAfterMinutes: query.balanceRefreshThreshold,
      autoDelete: query.autoDeleteIfInvalid,
    });
    return toWithdrawableBalanceResponse(balances);
  }
}
