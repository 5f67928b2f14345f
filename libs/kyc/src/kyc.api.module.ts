import { Module } from '@nestjs/common';
import { AccessModule } from '#access';
import { KycController } from './kyc.controller.js';
import { KycModule } from './kyc.module.js';

/** The HTTP endpoint of identities. Only the API process imports it. */
@Module({ imports: [AccessModule, KycModule], controllers: [KycController] })
export class KycApiModule {}
