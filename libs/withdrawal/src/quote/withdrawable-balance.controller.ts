import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { accessErrors, CurrentProject, RequireScope, WalletHeader, type ProjectContext } from '#access';
import { Clock } from '#platform/clock';
import { ApiErrors, KeepsCache, RequestCache, setAge, type CacheDirectives } from '#platform/http';
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
  constructor(
    private readonly withdrawableBalance: WithdrawableBalance,
    private readonly clock: Clock,
  ) {}

  @Get('balance')
  @RequireScope('read')
  @KeepsCache()
  @ApiOperation({
    operationId: 'getWithdrawalBalance',
    summary: 'Read the withdrawable balance',
    description:
      'Returns the free balances of the wallet and the networks of each asset. Calls the exchange, unless `balanceRefreshThreshold` or `only-if-cached` allows stored balances. ' +
      'Without `only-if-cached`, `max-age` of `Cache-Control` can only lower the accepted age. With `only-if-cached` but neither `balanceRefreshThreshold` nor `max-age`, balances may be BALANCE_CACHE_SECONDS old. ' +
      'Networks are stored when this endpoint reads them, and are used for a day. `Age` is the age of the balances.',
  })
  @ApiOkResponse({ type: WithdrawableBalanceResponse, description: 'Assets with a free balance.' })
  @ApiErrors(...accessErrors, ...accountErrors, 'WALLET_NOT_FOUND', 'WALLET_INVALID_CREDENTIALS')
  async read(
    @CurrentProject() project: ProjectContext,
    @WalletHeader() externalWalletId: string,
    @Query() query: WithdrawableBalanceQuery,
    @RequestCache() cache: CacheDirectives,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<WithdrawableBalanceResponse> {
    const balances = await this.withdrawableBalance.execute(project, externalWalletId, {
      refreshAfterMinutes: query.balanceRefreshThreshold ?? query.refreshThresholdMinutes,
      autoDelete: query.autoDeleteIfInvalid,
      cache,
    });
    if (balances.storedAt !== null) setAge(reply, balances.storedAt, this.clock.now());
    return toWithdrawableBalanceResponse(balances);
  }
}
