import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import {
  Body,
  type CanActivate,
  Controller,
  type ExecutionContext,
  Headers,
  HttpCode,
  Injectable,
  Module,
  Post,
  UnauthorizedException,
  UseGuards,
  ValidationPipe,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import * as transformerPackage from 'class-transformer';
import * as check from 'class-validator';
import jwt from 'jsonwebtoken';
import { DataSource, EntitySchema } from 'typeorm';
import { announce, databaseUrl, publicKey, rowOf } from './common.ts';

/**
 * NestJS with a guard, a validation pipe, no request log, and TypeORM that saves a sale and an
 * outbox row in a transaction. Decorators are called as functions: Node runs no decorator syntax.
 */
const key = publicKey();

const text = { type: 'text' } as const;
const json = { type: 'json' } as const;
const time = { type: 'timestamptz' } as const;
const numbered = { type: 'bigint', primary: true, generated: 'increment' } as const;

const SaleEntity = new EntitySchema<Record<string, unknown>>({
  name: 'sale',
  columns: {
    ...{
      id: numbered,
      ticket: text,
      channel_link: text,
      client_id: text,
      status: text,
      version: { type: 'integer' },
    },
    ...{
      registered_at: time,
      terms: json,
      progress: json,
      idempotency_key: text,
      idempotency_content: json,
      booked_at: time,
    },
  },
});
const OutboxEntity = new EntitySchema<Record<string, unknown>>({
  name: 'outbox',
  columns: { id: numbered, topic: text, payload: json },
});

const source = new DataSource({
  type: 'postgres',
  url: databaseUrl,
  entities: [SaleEntity, OutboxEntity],
  extra: { max: 10 },
});

class CreateSale {}
const rules: Readonly<Record<string, readonly PropertyDecorator[]>> = {
  productId: [check.IsInt()],
  email: [check.IsEmail()],
  uf: [check.Length(2, 2)],
  cep: [check.Matches(/^\d{8}$/)],
  cpfCnpj: [check.Matches(/^\d{11,14}$/)],
  valorIngresso: [check.IsNumber({ maxDecimalPlaces: 2 })],
  valorSeguro: [check.IsNumber({ maxDecimalPlaces: 2 })],
};
const texts =
  'channelLink nomeCompleto nomeSocial telefone logradouro bairro cidade formaPagamento tipoIngresso numeroIngresso';
for (const name of texts.split(' ')) check.MaxLength(200)(CreateSale.prototype, name);
for (const name of ['dataNascimento', 'dataPagamento', 'dataEvento'])
  check.IsISO8601()(CreateSale.prototype, name);
for (const [name, decorators] of Object.entries(rules))
  for (const each of decorators) each(CreateSale.prototype, name);

class TokenGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { authorization = '' } = context
      .switchToHttp()
      .getRequest<{ headers: Record<string, string> }>().headers;
    try {
      const claims = jwt.verify(authorization.slice('Bearer '.length), key, {
        algorithms: ['ES256'],
      });
      return String((claims as { scope?: unknown }).scope).includes('sales');
    } catch {
      throw new UnauthorizedException();
    }
  }
}
Injectable()(TokenGuard);

class SalesController {
  create(body: CreateSale, idempotencyKey: string): Promise<object> {
    return source.transaction(async (manager) => {
      const {
        key: idempotency_key,
        content,
        at,
        ...row
      } = rowOf(randomUUID(), body, idempotencyKey);
      const stored = {
        idempotency_key,
        idempotency_content: content,
        registered_at: at,
        booked_at: at,
      };
      const sale = await manager.save(SaleEntity, {
        ...row,
        ...stored,
        status: 'paid',
        version: 1,
      });
      const id = Number(sale['id']);
      await manager.save(OutboxEntity, { topic: 'sale.registered', payload: { id } });
      return {
        message: 'Venda registrada com sucesso.',
        data: { transaction_id: id, ticket: row.ticket },
      };
    });
  }
}
const create = Object.getOwnPropertyDescriptor(
  SalesController.prototype,
  'create',
) as PropertyDescriptor;
Post('create')(SalesController.prototype, 'create', create);
HttpCode(200)(SalesController.prototype, 'create', create);
Body()(SalesController.prototype, 'create', 0);
Headers('idempotency-key')(SalesController.prototype, 'create', 1);
Reflect.defineMetadata(
  'design:paramtypes',
  [CreateSale, String],
  SalesController.prototype,
  'create',
);
UseGuards(TokenGuard)(SalesController);
Controller()(SalesController);

class SalesModule {}
Module({ controllers: [SalesController] })(SalesModule);

await source.initialize();
const app = await NestFactory.create(SalesModule, new ExpressAdapter(), { logger: ['error'] });
app.useGlobalPipes(new ValidationPipe({ whitelist: true, transform: true, transformerPackage }));
await app.listen(0, '127.0.0.1');
announce(app.getHttpServer());
