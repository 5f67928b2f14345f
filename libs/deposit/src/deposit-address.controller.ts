import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { accessErrors, CurrentProject, RequireScope, WalletHeader, type ProjectContext } from '#access';
import { Clock } from '#platform/clock';
import { ApiErrors, KeepsCache, RequestCache, setAge, type CacheDirectives } from '#platform/http';
import { accountErrors } from '#wallet';
import {
  DepositAddressQuery,
  DepositAddressResponse,
  toAddressQuestion,
  toDepositAddressResponse,
} from './deposit-address.dto.js';
import { GetDepositAddress } from './get-deposit-address.js';

@ApiTags('Deposits')
@Controller('v0/wallet/deposit')
export class DepositAddressController {
  constructor(
    private readonly getDepositAddress: GetDepositAddress,
    private readonly clock: Clock,
  ) {}

  @Get('address')
  @RequireScope('read', 'deposit')
  @KeepsCache()
  @ApiOperation({
    operationId: 'getDepositAddress',
    summary: 'Read where to send a deposit',
    description:
      'The address of the wallet for one asset on one network. The network must match exactly one of the exchange’s deposit methods; it is never guessed. ' +
      'An address that is younger than DEPOSIT_ADDRESS_CACHE_SECONDS is returned again without a call to the exchange, ' +
      'unless it expires within an hour, the credentials of the wallet were replaced since then, or `reusePolicy` is `create_new`.',
  })
  @ApiOkResponse({
    type: DepositAddressResponse,
    description: 'The address, and the facts that the exchange reports about its method.',
  })
  @ApiErrors(
    ...accessErrors,
    ...accountErrors,
    'DEPOSIT_ADDRESS_UNAVAILABLE',
    'DEPOSIT_ASSET_REQUIRED',
    'DEPOSIT_EXCHANGE_NOT_SUPPORTED',
    'DEPOSIT_METHODS_UNAVAILABLE',
    'DEPOSIT_METHOD_NOT_RESOLVED',
    'DEPOSIT_NETWORK_REQUIRED',
    'DEPOSIT_NOT_IMPLEMENTED',
    'WALLET_INVALID_CREDENTIALS',
    'WALLET_NOT_FOUND',
    'WITHDRAWAL_TOO_MANY_ADDRESSES',
  )
  async read(
    @CurrentProject() project: ProjectContext,
    @WalletHeader() externalWalletId: string,
    @Query() query: DepositAddressQuery,
    @RequestCache() cache: CacheDirectives,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DepositAddressResponse> {
    const given = await this.getDepositAddress.execute(project, externalWalletId, toAddressQuestion(query, cache));
    if (given.isCached) setAge(reply, given.fetchedAt, this.clock.now());
    return toDepositAddressResponse(given);
  }
}
