import {
  Body,
  Controller,
  Get,
  Header,
  Headers,
  Param,
  Query,
  Req,
  UseGuards,
  createParamDecorator,
} from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { DirectArguments } from './direct-arguments.js';

const guard = { canActivate: (): boolean => true };
const Caller = createParamDecorator((data: string) => `caller ${data}`);

class Search {
  page?: string;
}

@Controller()
class Routes {
  @Get(':id')
  declared(@Caller('one') _caller: string, @Query() _query: Search, @Param('id') _id: string): void {
    // Empty, because the tests use only the parameters of this method.
  }

  @Get()
  readsOneQueryMember(@Query('coins') _coins: string): void {
    // Empty, because the tests use only the parameters of this method.
  }

  @Get()
  readsHeaders(@Headers('origin') _origin: string): void {
    // Empty, because the tests use only the parameters of this method.
  }

  @Get()
  readsBody(@Body() _body: object): void {
    // Empty, because the tests use only the parameters of this method.
  }

  @Get()
  readsRequest(@Req() _request: object): void {
    // Empty, because the tests use only the parameters of this method.
  }

  @Get()
  @UseGuards(guard)
  isGuarded(): void {
    // Empty, because the tests use only the decorators of this method.
  }

  @Get()
  @Header('age', '1')
  setsHeader(): void {
    // Empty, because the tests use only the decorators of this method.
  }
}

describe('the arguments of a direct read', () => {
  it('come from decorators, path and query; a short query string that repeats is validated once', async () => {
    let validations = 0;
    const pipe = { transform: (value: unknown) => ({ ...(value as object), validated: (validations += 1) }) };
    const found = new DirectArguments({ controller: Routes, method: 'declared' }, [pipe]);
    const argumentsOf = async (url: string, query: object): Promise<unknown[]> => {
      const request = { url, query, params: { id: '7' } };
      const args = found.of(request, new ExecutionContextHost([request]));
      await found.addQuery(args, request);
      return args;
    };
    const first = ['caller one', { page: '1', validated: 1 }, '7'];
    expect(await argumentsOf('/7?page=1', { page: '1' })).toEqual(first);
    expect(await argumentsOf('/7?page=1', { page: '1' })).toEqual(first);
    expect(await argumentsOf('/7?page=2', { page: '2' })).toEqual(['caller one', { page: '2', validated: 2 }, '7']);
    const long = 'x'.repeat(201);
    await argumentsOf(`/7?page=${long}`, { page: long });
    expect((await argumentsOf(`/7?page=${long}`, { page: long }))[1]).toMatchObject({ validated: 4 });
    await argumentsOf('/7', {});
    expect((await argumentsOf('/8', {}))[1]).toMatchObject({ validated: 5 });
  });

  it.each(['readsOneQueryMember', 'readsHeaders', 'readsBody', 'readsRequest', 'isGuarded', 'setsHeader'])(
    'cannot be found for a method that %s, so the constructor throws',
    (method) => {
      expect(() => new DirectArguments({ controller: Routes, method }, [])).toThrow(/is @DirectRead\(\)/);
    },
  );
});
