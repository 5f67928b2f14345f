import { Module } from '@nestjs/common';
import { AccessModule } from '#access';
import { KycController } from './kyc.controller.js';
import { KycModule } from './kyc.module.js';

/** The identity of a wallet over HTTP. For the API process alone. */
@Module({ imports: [AccessModule, KycModule], controllers: [KycController] })
export class KycApiModule {}
