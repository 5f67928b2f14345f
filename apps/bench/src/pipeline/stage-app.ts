import { Controller, Get, Inject, Module, Param, Query, Res, type DynamicModule, type Type } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { IsOptional, IsString, MaxLength } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { AnyKey } from '#access';
import { AccessApiModule } from '#access/api';
import { PlatformModule } from '#platform/app';
import type { Config } from '#platform/config';
import {
  KeepsCache,
  PreparedResponse,
  RefuseControlCharacters,
  RefuseOnlyIfCached,
  sendPrepared,
} from '#platform/http';
import type { Logger } from '#platform/logging';
import { hasStage, type Stage } from './stages.js';

const BODY = Symbol('the body that is sent');
const JSON_TYPE = 'application/json; charset=utf-8';

class StageQuery {
  @IsOptional()
  @MaxLength(2_000)
  @IsString()
  coins?: string;
}

@Controller('stage')
class TextController {
  constructor(@Inject(BODY) private readonly body: string) {}

  @Get('text')
  read(@Res() reply: FastifyReply): void {
    void reply.type(JSON_TYPE).send(this.body);
  }
}

@Controller('stage')
class ValidatedController {
  constructor(@Inject(BODY) private readonly body: string) {}

  @Get(':name')
  @AnyKey()
  @KeepsCache('never-asks')
  read(@Param('name') _name: string, @Query() _query: StageQuery, @Res() reply: FastifyReply): void {
    void reply.type(JSON_TYPE).send(this.body);
  }
}

@Controller('stage')
class PreparedController {
  private readonly response: PreparedResponse;

  constructor(@Inject(BODY) body: string) {
    this.response = PreparedResponse.json(JSON.parse(body) as object);
  }

  @Get(':name')
  @AnyKey()
  @KeepsCache('never-asks')
  async read(@Param('name') _name: string, @Query() _query: StageQuery, @Res() reply: FastifyReply): Promise<void> {
    await sendPrepared(reply, this.response, { cacheControl: 'public, max-age=30' });
  }
}

@Controller('stage')
class ObjectController {
  private readonly value: object;

  constructor(@Inject(BODY) body: string) {
    this.value = JSON.parse(body) as object;
  }

  @Get(':name')
  @AnyKey()
  @KeepsCache('never-asks')
  read(@Param('name') _name: string, @Query() _query: StageQuery): object {
    return this.value;
  }
}

@Module({})
class StageModule {}

/** An application of the product's own parts, with the stages up to `last`. */
export function stageModule(last: Stage, body: string, config: Config, logger: Logger): DynamicModule {
  const isValidated = hasStage(last, 'validation');
  return {
    module: StageModule,
    imports: [
      ...(hasStage(last, 'limits') ? [PlatformModule.forRoot(config, logger, 'bench')] : []),
      ...(hasStage(last, 'authentication') ? [AccessApiModule] : []),
    ],
    controllers: [controllerOf(last)],
    providers: [
      { provide: BODY, useValue: body },
      ...(isValidated ? [RefuseControlCharacters, RefuseOnlyIfCached] : []).map((useClass) => ({
        provide: APP_INTERCEPTOR,
        useClass,
      })),
    ],
  };
}

function controllerOf(last: Stage): Type {
  if (hasStage(last, 'serialization')) return ObjectController;
  if (hasStage(last, 'handler')) return PreparedController;
  return hasStage(last, 'validation') ? ValidatedController : TextController;
}
