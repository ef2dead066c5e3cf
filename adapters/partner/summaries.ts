import type { ImportResult } from './import-file.ts';
import type { ReconciliationResult } from './reconcile-file.ts';

export const explainImport = (
  { registered, repeated, refused, refusedPath, resultPath }: ImportResult,
  isDryRun: boolean,
): string =>
  [
    isDryRun
      ? `Nada foi registrado. Seriam registradas: ${registered}`
      : `Registradas agora: ${registered}`,
    `Já registradas antes: ${repeated}`,
    `Recusadas: ${refused}`,
    `O resultado de cada linha (números, links de pagamento, motivos) está em ${resultPath}.`,
    ...(refusedPath === undefined
      ? []
      : [`As linhas recusadas estão em ${refusedPath}: corrija-as e envie esse arquivo.`]),
  ].join('\n');

const REAIS = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' });

/** Writes an amount as `R$ 1.234,56`, with a plain space. */
const inReais = (amount: number): string => REAIS.format(amount).replace('\u00A0', ' ');

export const explainReconciliation = ({ final, summary }: ReconciliationResult): string => {
  const { statement, list, differences } = summary;
  return [
    `Extrato: ${statement.sales.lines} vendas, ${inReais(statement.sales.total)}`,
    `Lista: ${list.lines} vendas, ${inReais(list.total)}`,
    `Na lista e não no extrato: ${differences.missing_here.count}`,
    `No extrato e não na lista: ${differences.missing_there.count}`,
    `Com outro valor: ${differences.amount_differs.count}`,
    `Com outro status: ${differences.status_differs.count}`,
    ...(final ? [] : ['O extrato do período ainda não está fechado.']),
    ...explainIncomplete(statement.sales.lines, differences.missing_there.count),
  ].join('\n');
};

/** A list that lacks most sales of the period was cut off, or is one of other days. */
const explainIncomplete = (sales: number, missing: number): readonly string[] =>
  2 * missing <= sales
    ? []
    : [
        `Atenção: a lista parece incompleta, faltam nela ${missing} das ${sales} vendas do extrato.`,
        'Confira o arquivo e os dias. Não cancele vendas por causa desta lista.',
      ];
