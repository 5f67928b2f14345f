import type { Server } from 'node:http';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Config } from '#platform/config';
import { LOGGER, type Logger } from '#platform/logging';
import { NoPublicAddress } from './connect.errors.js';

/** Wildcard addresses of a server, and the loopback address that replaces them. */
const ANYWHERE = new Set(['0.0.0.0', '::']);
const LOOPBACK = '127.0.0.1';

/**
 * The address of this API for browsers and exchanges. It is never taken from the Host header, which any client can set.
 */
@Injectable()
export class PublicAddress implements OnApplicationBootstrap {
  constructor(
    private readonly config: Config,
    private readonly host: HttpAdapterHost,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    if (this.isMissing) this.logger.warn('PUBLIC_URL is not set: owners cannot connect accounts until you set it');
  }

  /**
   * @param path begins with a slash
   * @throws NoPublicAddress in production without PUBLIC_URL
   */
  url(path: string): string {
    return `${this.base()}${path}`;
  }

  get origin(): string {
    return new URL(this.base()).origin;
  }

  /** Whether browsers use https. */
  get isSecure(): boolean {
    const { PUBLIC_URL } = this.config.values;
    return PUBLIC_URL !== undefined && new URL(PUBLIC_URL).protocol === 'https:';
  }

  private get isMissing(): boolean {
    return this.config.isProduction && this.config.values.PUBLIC_URL === undefined;
  }

  private base(): string {
    const { PUBLIC_URL, PORT } = this.config.values;
    // The address is normalized, because exchanges compare callback addresses character by character.
    if (PUBLIC_URL !== undefined) return new URL(PUBLIC_URL).href.replace(/\/+$/, '');
    if (this.isMissing) throw new NoPublicAddress();
    const server = this.host.httpAdapter.getHttpServer() as Server;
    const address = server.address();
    if (address === null || typeof address === 'string') return `http://${LOOPBACK}:${PORT}`;
    const host = ANYWHERE.has(address.address) ? LOOPBACK : address.address;
    return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
  }
}
