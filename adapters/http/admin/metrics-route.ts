import { ADMIN_ROUTE, type Route } from '../routes/route.ts';

export interface MetricsRouteParts {
  /**
   * Reads the metrics of all processes, in Prometheus's text format. Undefined if they are not
   * kept, or are served on a port of their own: then there is no route.
   *
   * @throws Unavailable
   */
  readonly readMetrics?: (() => Promise<string>) | undefined;
}

const TEXT_FORMAT = 'text/plain; version=0.0.4; charset=utf-8';

export const createMetricsRoutes = ({ readMetrics }: MetricsRouteParts): readonly Route[] =>
  readMetrics === undefined
    ? []
    : [
        {
          ...ADMIN_ROUTE,
          method: 'get',
          path: '/metrics',
          alsoAtRoot: true,
          operationId: 'getMetrics',
          summary: 'Métricas de todos os processos deste serviço, no formato do Prometheus',
          description:
            'Também em /metrics, sem /api. Não existe onde METRICS_PORT está definida: ali as métricas são servidas em outra porta, sem login. Não contém dados pessoais nem client_id.',
          answers: { 200: { description: 'As métricas', files: ['text/plain'] } },
          handle: async function showMetrics(ctx) {
            const text = await readMetrics();
            ctx.set('Content-Type', TEXT_FORMAT);
            ctx.body = text;
          },
        },
      ];
