import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { map, type Observable } from 'rxjs';
import { prepareReply, type PreparedResult } from '../caching/prepared-response.js';

const PERMANENTLY_MOVED = 308;

/** Sends the result of a `@Prepared()` route when Nest, and not `PreparedRoutes`, handles the request. */
@Injectable()
export class SendPrepared implements NestInterceptor<PreparedResult> {
  intercept(context: ExecutionContext, next: CallHandler<PreparedResult>): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(
      map((result) => {
        if (!('movedTo' in result)) return prepareReply(reply, result.response, result);
        void reply.status(PERMANENTLY_MOVED).header('location', result.movedTo);
        return undefined;
      }),
    );
  }
}
