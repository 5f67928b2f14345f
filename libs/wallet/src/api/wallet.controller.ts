import { Body, Controller, Delete, Get, HttpStatus, Param, Post, Query, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import {
  CurrentProject,
  RequireScope,
  TakesIdempotencyKey,
  WalletHeader,
  accessErrors,
  type ProjectContext,
} from '#access';
import { exchangeIds } from '#exchange';
import { Config } from '#platform/config';
import { ApiErrors, LineBreaksIn } from '#platform/http';
import { HasLoad } from '#platform/load';
import { accountErrors } from '../failures/exchange-failure.js';
import { ConnectWallet } from '../connecting/connect-wallet.js';
import { DeleteWallet } from '../deleting/delete-wallet.js';
import { GetWallet } from '../reading/get-wallet.js';
import { ListWallets } from '../reading/list-wallets.js';
import { PingWallet } from '../sessions/ping-wallet.js';
import { ListWalletsQuery, ListWalletsResponse, toListResponse, wantsBalances } from './wallet-list.dto.js';
import {
  ConnectWalletRequest,
  DeleteWalletResponse,
  PingWalletResponse,
  WalletResponse,
  toCredentials,
  toPingResponse,
  toWalletResponse,
} from './wallet.dto.js';

@ApiTags('Wallets')
@Controller('v0/wallet')
export class WalletController {
  private readonly ipPool: string[];

  constructor(
    config: Config,
    private readonly getWallet: GetWallet,
    private readonly listWallets: ListWallets,
    private readonly connectWallet: ConnectWallet,
    private readonly deleteWallet: DeleteWallet,
    private readonly pingWallet: PingWallet,
  ) {
    this.ipPool = config.values.EGRESS_IPS;
  }

  @Get()
  @RequireScope('read')
  @ApiOperation({
    operationId: 'getWallet',
    summary: 'Get wallet',
    description:
      'The wallet as of its last sync in the background. The exchange is not called; to read the balances from the exchange, use `GET /v0/wallet/withdraw/balance`.',
  })
  @ApiOkResponse({ description: 'The wallet as of its last sync.', type: WalletResponse })
  @ApiErrors(...accessErrors, 'WALLET_NOT_FOUND')
  async get(
    @CurrentProject() project: ProjectContext,
    @WalletHeader() externalWalletId: string,
  ): Promise<WalletResponse> {
    return toWalletResponse(await this.getWallet.execute(project, externalWalletId), this.ipPool);
  }

  @Delete()
  @RequireScope('read', 'delete')
  @ApiOperation({
    operationId: 'deleteWallet',
    summary: 'Delete wallet',
    description:
      'Erases the credentials, the identity and the balances at once. Transactions and withdrawals stay readable. While a withdrawal or an order is unsettled, an encrypted copy of the credentials is kept to settle it, by default for at most 24 hours.',
  })
  @ApiOkResponse({ description: 'The wallet is deleted.', type: DeleteWalletResponse })
  @ApiErrors(...accessErrors, 'WALLET_NOT_FOUND')
  async delete(
    @CurrentProject() project: ProjectContext,
    @WalletHeader() externalWalletId: string,
  ): Promise<DeleteWalletResponse> {
    await this.deleteWallet.execute(project, externalWalletId);
    return { success: true, message: 'Wallet deleted' };
  }

  @Get('list')
  @HasLoad('list')
  @RequireScope('read')
  @ApiOperation({
    operationId: 'listWallets',
    summary: 'List wallets',
    description: 'The connected wallets of the project, newest first, as of their last sync; no exchange is called.',
  })
  @ApiOkResponse({ description: 'One page of the listing.', type: ListWalletsResponse })
  @ApiErrors(...accessErrors)
  async list(
    @CurrentProject() project: ProjectContext,
    @Query() query: ListWalletsQuery,
  ): Promise<ListWalletsResponse> {
    const page = await this.listWallets.execute(project, query, { withBalances: wantsBalances(query) });
    return toListResponse(page, query, this.ipPool);
  }

  @Get('ping')
  @RequireScope('read')
  @ApiOperation({
    operationId: 'pingWallet',
    summary: 'Ping wallet',
    description:
      'Tests the stored credentials by a call to the exchange, and sets or clears `invalidApi`. The response is 200 whether the exchange accepts or refuses the credentials. If the exchange cannot be reached, the response is an error, and `invalidApi` does not change.',
  })
  @ApiOkResponse({ description: 'The result of the test.', type: PingWalletResponse })
  @ApiErrors(...accessErrors, ...accountErrors, 'WALLET_NOT_FOUND')
  async ping(
    @CurrentProject() project: ProjectContext,
    @WalletHeader() externalWalletId: string,
  ): Promise<PingWalletResponse> {
    const { wallet, keyInfo } = await this.pingWallet.execute(project, externalWalletId);
    return toPingResponse(wallet, keyInfo);
  }

  @Post(':exchange/connect')
  @TakesIdempotencyKey()
  @LineBreaksIn('apiSecret')
  @RequireScope('connect')
  @ApiOperation({
    operationId: 'connectWallet',
    summary: 'Connect wallet',
    description:
      'Tests the credentials by a call to the exchange, stores them encrypted, and reads the balances. With the walletId of a connected wallet of the same exchange, it replaces the credentials, and the wallet keeps its ids and its history. The wallets of a test project are at the sandbox exchange, whichever exchange they name. After 10 failed connects of a project at one exchange in a minute, or 60 refused ones in an hour, the response is GENERIC_RATE_LIMIT_EXCEEDED and the exchange is not called; a connect in progress counts as failed until it has succeeded. For a wallet with fewer than 3 failures, the limits are 30 in a minute and 180 in an hour. One wallet may be refused 20 times in an hour.',
  })
  @ApiParam({ name: 'exchange', description: 'Exchange identifier.', enum: exchangeIds })
  @ApiCreatedResponse({ description: 'The wallet is new.', type: WalletResponse })
  @ApiOkResponse({
    description: 'The wallet was connected before; its credentials were replaced.',
    type: WalletResponse,
  })
  @ApiErrors(
    ...accessErrors,
    ...accountErrors,
    'GENERIC_INVALID_REQUEST',
    'WALLET_INVALID_CREDENTIALS',
    'WALLET_NOT_FOUND',
  )
  async connect(
    @CurrentProject() project: ProjectContext,
    @WalletHeader() externalWalletId: string,
    @Param('exchange') exchange: string,
    @Body() body: ConnectWalletRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<WalletResponse> {
    const connected = await this.connectWallet.execute(project, {
      externalWalletId,
      exchange,
      credentials: toCredentials(body),
    });
    void reply.status(connected.created ? HttpStatus.CREATED : HttpStatus.OK);
    return toWalletResponse(connected, this.ipPool);
  }
}
