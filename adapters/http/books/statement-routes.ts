import type { ChannelStatement } from '../../../application/statements/channel-statement.ts';
import { dataAnswer, notFoundAnswer } from '../../kit/contract/answer-shapes.ts';
import { callerOf, pathParameter } from '../../kit/web/pipeline/context.ts';
import { ADMIN_ROUTE, type Route } from '../routes/route.ts';
import { answerStatement, STATEMENT_FILES, statementQuery } from './statement-answer.ts';
import { statementShape } from './statement-lines.ts';

export interface StatementRouteParts {
  readonly channelStatement: ChannelStatement;
}

const STATEMENT = {
  method: 'get',
  description:
    'Também em CSV (format=csv ou Accept: text/csv; com locale=pt-BR, para planilhas brasileiras) e em XLSX (format=xlsx; locale=pt-BR põe os cabeçalhos em português), até 1.048.575 linhas. Um extrato que não chega aos totais está incompleto.',
  query: statementQuery,
  tellsAsOf: true,
  answers: {
    200: {
      description: 'Linhas na ordem do tempo, e totais',
      schema: dataAnswer(statementShape),
      files: STATEMENT_FILES,
    },
    ...notFoundAnswer('Channel', 'Canal não encontrado'),
  },
} as const;

/** The statement of any channel, for administrators, and of the caller's own. */
export const createStatementRoutes = ({
  channelStatement,
}: StatementRouteParts): readonly Route[] => [
  {
    ...STATEMENT,
    ...ADMIN_ROUTE,
    path: '/admin/channels/{channelLink}/statement',
    operationId: 'getChannelStatement',
    summary:
      'Extrato do mês de um canal: vendas pagas, devoluções, comissões e o que um deve ao outro',
    handle: answerStatement(channelStatement, (ctx) => pathParameter(ctx, 'channelLink')),
  },
  {
    ...STATEMENT,
    tag: 'Venda',
    scope: 'sales',
    partnerCredentials: true,
    path: '/private/integration/statement',
    operationId: 'getStatement',
    summary:
      'Extrato do mês do próprio canal: vendas pagas, devoluções, comissões e o que um deve ao outro',
    handle: answerStatement(channelStatement, (ctx) => callerOf(ctx).channelLink),
  },
];
