import { request as httpRequest } from 'node:http';
import { Body, Controller, Get, Post, type Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { IsString } from 'class-validator';
import { pino } from 'pino';
import { PlatformModule } from '#platform/app';
import { Clock } from '#platform/clock';
import { configureHttpApp, createHttpAdapter } from '#platform/http';
import { NestLogger, type Logger } from '#platform/logging';
import { RunningClock, testConfig } from '#platform/testing';
import { AnyKey, Public, RequireScope } from '../guard/access-rule.decorators.js';
import { AccessApiModule } from '../access.api.module.js';
import type { ProjectContext } from '../guard/project-context.js';
import { CurrentProject, OptionalWalletHeader, WalletHeader } from '../guard/request.decorators.js';
import { AccessModule } from '../access.module.js';
import { TakesIdempotencyKey } from '../idempotency/takes-idempotency-key.decorator.js';

class NoteRequest {
  @IsString()
  text: string;
}

@Controller('probe')
export class ProbeController {
  @Get('public')
  @Public()
  open(): { ok: boolean } {
    return { ok: true };
  }

  @Get('limited')
  @Public({ limit: { name: 'visits', perMinute: 'TICKERS_RATE_PER_MINUTE' }, anyOrigin: true })
  limited(): { ok: boolean } {
    return { ok: true };
  }

  @Get('any')
  @AnyKey()
  any(@CurrentProject() project: ProjectContext): ProjectContext {
    return project;
  }

  @Get('wallet')
  @RequireScope('read', 'kyc')
  wallet(@WalletHeader() walletId: string): { walletId: string } {
    return { walletId };
  }

  @Get('optional-wallet')
  @RequireScope('read')
  optionalWallet(@OptionalWalletHeader() walletId: string | null): { walletId: string | null } {
    return { walletId };
  }

  @Post('note')
  @TakesIdempotencyKey()
  @RequireScope('read', 'withdrawal', 'quote')
  note(@Body() body: NoteRequest): NoteRequest {
    return body;
  }
}

export interface AccessApp {
  app: NestFastifyApplication;
  url: string;
  clock: RunningClock;
}

/** Starts an API with the guard, the administration and a few routes of each kind, on its own port. */
export async function createAccessApp(
  databaseUrl: string,
  options: {
    env?: NodeJS.ProcessEnv;
    controllers?: Type[];
    providers?: Type[];
    clock?: RunningClock;
    logger?: Logger;
  } = {},
): Promise<AccessApp> {
  const config = testConfig({ appUrl: databaseUrl }, { AUTH_FAILURES_PER_MINUTE: '1000', ...options.env });
  const logger = options.logger ?? pino({ level: 'silent' });
  const clock = options.clock ?? new RunningClock();
  const module = await Test.createTestingModule({
    imports: [PlatformModule.forRoot(config, logger, 'test'), AccessModule, AccessApiModule],
    controllers: options.controllers ?? [ProbeController],
    providers: options.providers ?? [],
  })
    .setLogger(new NestLogger(logger))
    .overrideProvider(Clock)
    .useValue(clock)
    .compile();
  const app = module.createNestApplication<NestFastifyApplication>(createHttpAdapter(config, logger));
  configureHttpApp(app);
  try {
    await app.listen(0, '127.0.0.1');
  } catch (error) {
    await app.close();
    throw error;
  }
  return { app, url: await app.getUrl(), clock };
}

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Record<string, unknown>;
}

/**
 * Sends one request. A header with a list of values is sent once for each value. A text body is sent unchanged, any
 * other body as JSON.
 */
export async function send(
  url: string,
  headers: Record<string, string | string[]>,
  body?: unknown,
  method = body === undefined ? 'GET' : 'POST',
): Promise<Answer> {
  return await new Promise((resolve, reject) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    const request = httpRequest(url, { method, agent: false, headers: { ...json, ...headers } }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>,
        });
      });
    });
    request.on('error', reject);
    request.end(text);
  });
}
